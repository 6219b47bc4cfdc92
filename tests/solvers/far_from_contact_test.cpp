#include <gtest/gtest.h>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/chain.h"

namespace tendril::solvers {
namespace {

using testing::RodOptions;
using testing::Scene;

// two cantilevers that swing side by side, so far from each other
Scene two_cantilevers(double apart) {
  Scene scene;
  RodOptions o;
  o.segments = 12;
  for (int k = 0; k < 2; ++k) {
    o.from = {0, k * apart, 0};
    const int vertex = static_cast<int>(scene.state.x.size()), segment = static_cast<int>(scene.state.q.size());
    scene.add_chain(o);
    scene.clamp(vertex, segment, o);
  }
  for (Vertex& v : scene.model.vertices) v.radius = 1e-3;
  for (Segment& s : scene.model.segments) s.radius = 1e-3;
  scene.fill_inputs();
  return scene;
}

// in how many of its steps the solver made substeps
int swing(Scene& scene, const std::string& solver_name, Contact& contact) {
  constexpr double h = 1e-3;
  const auto solver = find_solver(solver_name)->make({});
  ThreadTeam team(1);
  solver->reset(scene.model, scene.state, team);
  contact.reset(scene.model);
  int followed = 0;
  for (int n = 0; n < 50; ++n) {
    contact.find_candidates(scene.model, scene.state, scene.inputs.end.body_pose, h, team);
    EXPECT_TRUE(solver->step(scene.inputs, contact, h, scene.state).converged);
    followed += contact.is_followed();
    contact.end_path(scene.state);
    contact.end_step();
    EXPECT_FALSE(contact.crossing());
  }
  return followed;
}

class FarFromContact : public ::testing::TestWithParam<const char*> {};

TEST_P(FarFromContact, AStepIsTheSameToTheBit) {
  Scene with = two_cantilevers(0.5), without = two_cantilevers(0.5);
  Contact on({}, with.state), off;
  EXPECT_EQ(swing(with, GetParam(), on), 0);
  swing(without, GetParam(), off);
  EXPECT_TRUE(with.state.x == without.state.x);
  EXPECT_TRUE(with.state.q == without.state.q);
}

TEST_P(FarFromContact, WhatTouchesIsFollowed) {
  Scene scene = two_cantilevers(2e-3 + 1e-6);
  Contact contact({}, scene.state);
  EXPECT_EQ(swing(scene, GetParam(), contact), 50);
}

// A stiff wire with a hair at its end, caught at the other: sweeps overshoot, and leave the boxes in which the list of
// pairs is complete.
Scene wire_that_is_caught() {
  Scene scene;
  RodOptions o;
  o.length = 0.018, o.segments = 13, o.EA = 2e5, o.GA = 8e4, o.EI1 = o.EI2 = 4.5e-5, o.GJ = 3e-5;
  o.linear_density = 0.03;
  scene.add_chain(o);
  for (Vec3d& v : scene.state.v) v = {0, 0, -0.1};
  scene.clamp(0, 0, o);
  for (Vertex& v : scene.model.vertices) v.radius = 5e-5;
  for (Segment& s : scene.model.segments) s.radius = 5e-5;
  for (int i = 8; i <= o.segments; ++i) scene.model.vertices[i].mass *= 1e-6;
  for (int s = 7; s < o.segments; ++s) scene.model.segments[s].EA *= 1e-5, scene.model.segments[s].GA *= 1e-5;
  for (int b = 7; b < o.segments - 1; ++b) {
    Bend& bend = scene.model.bends[b];
    bend.EI1 *= 1e-6, bend.EI2 *= 1e-6, bend.GJ *= 1e-6;
  }
  scene.fill_inputs();
  return scene;
}

TEST(Stable, UnsolvedStepsAreTheSameWithContactWhereNothingIsNear) {
  constexpr double h = 4e-4;
  Scene with = wire_that_is_caught(), without = wire_that_is_caught();
  int unsolved = 0;
  for (Scene* scene : {&with, &without}) {
    Contact contact = scene == &with ? Contact({}, with.state) : Contact();
    const auto solver = find_solver("stable")->make({});
    ThreadTeam team(1);
    solver->reset(scene->model, scene->state, team);
    contact.reset(scene->model);
    for (int n = 0; n < 10; ++n) {
      contact.find_candidates(scene->model, scene->state, scene->inputs.end.body_pose, h, team);
      unsolved += !solver->step(scene->inputs, contact, h, scene->state).converged;
      contact.end_path(scene->state);
      contact.end_step();
    }
  }
  ASSERT_GT(unsolved, 0);
  for (std::size_t i = 0; i < with.state.x.size(); ++i)
    EXPECT_LT(norm(with.state.x[i] - without.state.x[i]), 1e-12) << i;
}

// a nylon rod that flies over the end of another, by twenty times their gap in a step
Scene rod_that_flies_past(double h) {
  const double r = 1e-3, gap = 0.78e-3, E = 2.7e9, area = 3.14159 * r * r, I = 0.25 * area * r * r;
  Scene scene;
  RodOptions o;
  o.EA = o.GA = E * area, o.EI1 = o.EI2 = o.GJ = E * I, o.linear_density = 1150 * area;
  o.length = 0.1, o.from = {-(2 * r + gap) * 0.36, -0.05, (2 * r + gap) * 0.93}, o.along = {0, 1, 0};
  scene.add_chain(o);
  for (Vec3d& v : scene.state.v) v = {20 * gap / h, 0, -0.1 * gap / h};
  o.from = {}, o.along = {1, 0, 0};
  const int vertex = static_cast<int>(scene.state.x.size()), segment = static_cast<int>(scene.state.q.size());
  scene.add_chain(o);
  scene.clamp(vertex, segment, o);
  for (Vertex& v : scene.model.vertices) v.radius = r;
  for (Segment& s : scene.model.segments) s.radius = r, s.linear_inertia = 1150.0 * Vec3d{I, I, 2 * I};
  scene.model.gravity = {};
  scene.fill_inputs();
  return scene;
}

class FliesPast : public ::testing::TestWithParam<const char*> {};

TEST_P(FliesPast, AsIfItWereAlone) {
  constexpr double h = 1e-3;
  Scene scene = rod_that_flies_past(h);
  const State start = scene.state;
  const auto solver = find_solver(GetParam())->make({});
  ThreadTeam team(1);
  solver->reset(scene.model, scene.state, team);
  Contact contact({}, scene.state);
  contact.reset(scene.model);
  contact.find_candidates(scene.model, scene.state, scene.inputs.end.body_pose, h, team);
  ASSERT_FALSE(contact.pairs().empty());
  const StepReport report = solver->step(scene.inputs, contact, h, scene.state);
  EXPECT_TRUE(report.converged) << report.residual;
  EXPECT_LT(report.iterations, 10);
  for (int i = 0; i < 11; ++i) EXPECT_LT(norm(scene.state.x[i] - start.x[i] - h * start.v[i]), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Solvers, FliesPast, ::testing::Values("block", "direct", "stable"),
                         [](const auto& info) { return std::string(info.param); });

INSTANTIATE_TEST_SUITE_P(Newton, FarFromContact, ::testing::Values("block", "direct"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tendril::solvers
