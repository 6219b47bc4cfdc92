// [contact] rods = false: rods collide with obstacles and bodies, not with rods

#include <gtest/gtest.h>

#include <algorithm>

#include "contact/crossed_rods.h"
#include "rod/stream.h"
#include "sim/overlap.h"
#include "sim/simulation.h"

namespace tendril::sim {
namespace {

constexpr double radius = 0.02;

std::unique_ptr<Simulation> simulate(const Chain& c, const SolverInfo& solver, bool rods) {
  SimulationOptions options{.time_step = 0.01};
  options.contact = {.rods = rods};
  options.check_crossings = true;
  return std::make_unique<Simulation>(c.model, c.state, options, solver.make({}));
}

// one rod just above the floor and one that falls onto it
Chain rods_over_floor() {
  Chain c = stacked_rods({radius + 0.01, 0.2}, radius);
  add_obstacle(c, Plane{{}, {0, 0, 1}}, "floor");
  return c;
}

double lowest(const Simulation& simulation, int rod) {
  double z = forever;
  for (int i : simulation.model().rods[rod].vertices) z = std::min(z, simulation.state().x[i].z);
  return z;
}

TEST(rods_pass, each_other_but_no_floor) {
  for (const SolverInfo& solver : registered_solvers()) {
    if (!solver.capabilities.contact) continue;
    const auto passing = simulate(rods_over_floor(), solver, false),
               colliding = simulate(rods_over_floor(), solver, true);
    for (int n = 0; n < 40; ++n) {
      ASSERT_NO_THROW(passing->step()) << solver.name;
      colliding->step();
      for (const Pair& pair : passing->contact().pairs()) EXPECT_TRUE(pair.with_solid());
    }
    for (int rod : {0, 1}) EXPECT_NEAR(lowest(*passing, rod), radius, 0.2 * radius) << solver.name;
    EXPECT_GT(lowest(*passing, 1), radius) << "the floor holds it";
    const int middle = colliding->model().rods[1].vertices[5];
    EXPECT_GT(colliding->state().x[middle].z, 2.5 * radius) << solver.name << ": the other one lies on the first";
  }
}

// nothing else acts: what the rod loses the ball gains
TEST(rods_pass, through_no_free_body) {
  for (const SolverInfo& solver : registered_solvers()) {
    if (!solver.capabilities.contact || !solver.capabilities.bodies) continue;
    Chain c = stacked_rods({0.2}, radius);
    c.model.gravity = {};
    for (Vec3d& v : c.state.v) v = {0, 0, -1};
    add_obstacle(c, Sphere{{}, 0.1}, "ball");
    Body& ball = c.model.bodies[0];
    ball.is_obstacle = false, ball.kind = BodyKind::dynamic, ball.mass = 1, ball.inertia = {4e-3, 4e-3, 4e-3};
    const auto simulation = simulate(c, solver, false);
    for (int n = 0; n < 30; ++n) ASSERT_NO_THROW(simulation->step()) << solver.name;
    EXPECT_LT(simulation->state().body_v[0].z, -0.1) << solver.name;
    EXPECT_GT(simulation->state().x[5].z, simulation->state().body_x[0].z) << solver.name;
  }
}

TEST(rods_pass, with_the_same_bits_after_an_interruption) {
  for (const SolverInfo& solver : registered_solvers()) {
    if (!solver.capabilities.contact) continue;
    const auto whole = simulate(rods_over_floor(), solver, false), resumed = simulate(rods_over_floor(), solver, false);
    for (int n = 0; n < 15; ++n) whole->step();
    Writer out;
    whole->save(out);
    Reader in(out.bytes());
    resumed->load(in);
    for (int n = 0; n < 15; ++n) whole->step(), resumed->step();
    EXPECT_EQ(whole->state().x, resumed->state().x) << solver.name;
    EXPECT_EQ(whole->state().q, resumed->state().q) << solver.name;
  }
}

TEST(rods_pass, and_may_overlap_at_the_start) {
  const Chain c = stacked_rods({0, 0}, radius);
  EXPECT_EQ(find_overlaps(c.model, c.state, {.rods = true}).pairs.size(), 1u);
  EXPECT_TRUE(find_overlaps(c.model, c.state, {.rods = false}).empty());
}

// on what else should they come to lie
TEST(rods_pass, so_two_free_ones_have_no_ground) {
  const auto simulation = simulate(stacked_rods({0, 0.2}, radius), *find_solver("block"), false);
  const SettleReport report = simulation->settle({});
  EXPECT_FALSE(report.settled);
  EXPECT_EQ(report.steps, 0);
}

}  // namespace
}  // namespace tendril::sim
