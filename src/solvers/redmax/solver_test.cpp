#include "solvers/redmax/solver.h"

#include <gtest/gtest.h>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/chain.h"

namespace tendril::solvers::redmax {
namespace {

using solvers::testing::RodOptions;
using solvers::testing::Scene;

Scene falling() {
  RodOptions o;
  o.segments = 8, o.linear_density = 0.2;
  o.EI1 = 0.05, o.EI2 = 0.03, o.GJ = 0.04, o.damping = 0.2;
  Scene scene = cantilever(o);
  scene.model.gravity = {0, 0, -9.81};
  for (Segment& s : scene.model.segments) s.linear_inertia = {2e-4, 2e-4, 4e-4};
  scene.fill_inputs();
  for (Instant* instant : {&scene.inputs.begin, &scene.inputs.end}) instant->force.back() += Vec3d{0, 0.5, 0};
  return scene;
}

Scene run(const std::string& solver, double h) {
  Scene scene = falling();
  const auto made = find_solver(solver)->make({});
  ThreadTeam team(1);
  made->reset(scene.model, scene.state, team);
  Contact contact;
  for (int n = 0; n < int(0.3 / h + 0.5); ++n) {
    const StepReport report = made->step(scene.inputs, contact, h, scene.state);
    EXPECT_TRUE(report.failure.empty());
    EXPECT_TRUE(report.converged);
  }
  return scene;
}

// Both are of first order in time, so that they come together as the steps become short, and their rods are the same.
TEST(RedMax, AgreesWithKktInTheLimitOfShortSteps) {
  const auto difference = [](double h) { return norm(run("redmax", h).state.x.back() - run("kkt", h).state.x.back()); };
  const double coarse = difference(2e-3), fine = difference(1e-3);
  EXPECT_NEAR(coarse / fine, 2, 0.1);
  EXPECT_LT(fine, 5e-3);
  EXPECT_LT(run("kkt", 1e-3).state.x.back().z, -0.2) << "it fell";
}

TEST(RedMax, NeitherStretchesNorShears) {
  const Scene scene = run("redmax", 2e-3);
  for (std::size_t s = 0; s < scene.model.segments.size(); ++s) {
    const Vec3d e = scene.state.x[s + 1] - scene.state.x[s];
    EXPECT_LT(norm(e - 0.125 * director3(scene.state.q[s])), 1e-15);
  }
}

// bent and twisted rods without load, free, pinned and clamped
TEST(RedMax, LeavesAtRestWhatIsAtRest) {
  for (int kind = 0; kind < 3; ++kind) {
    RodOptions o;
    o.segments = 6, o.EI1 = 0.5, o.EI2 = 0.3, o.GJ = 0.4;
    Scene scene;
    scene.add_chain(o);
    for (int s = 0; s < 6; ++s) {  // along an arc
      scene.state.q[s] = quaternion_exp({0, 0.3 * s, 0}) * scene.state.q[s] * quaternion_exp({0, 0, 0.1 * s});
      scene.state.x[s + 1] = scene.state.x[s] + director3(scene.state.q[s]) / 6.0;
      scene.model.segments[s].linear_inertia = {1e-4, 1e-4, 2e-4};
    }
    for (Bend& bend : scene.model.bends)
      bend.rest = conjugate(scene.state.q[bend.a.index]) * scene.state.q[bend.b.index];
    if (kind > 0) scene.clamp(0, 0, o);
    if (kind == 1) scene.model.bends.pop_back();
    scene.fill_inputs();
    for (Instant* instant : {&scene.inputs.begin, &scene.inputs.end}) instant->force.assign(7, {});
    const State at_start = scene.state;
    const auto solver = find_solver("redmax")->make({});
    ThreadTeam team(1);
    solver->reset(scene.model, scene.state, team);
    scene.advance(*solver, 0.01, 20);
    for (std::size_t i = 0; i < 7; ++i) EXPECT_LT(norm(scene.state.x[i] - at_start.x[i]), 1e-13) << kind;
    for (std::size_t s = 0; s < 6; ++s) EXPECT_LT(norm(turn_between(at_start.q[s], scene.state.q[s])), 1e-13) << kind;
  }
}

// a step starts from the State alone
TEST(RedMax, RemembersNothing) {
  Scene one = falling(), other = falling();
  const auto solver = find_solver("redmax")->make({}), again = find_solver("redmax")->make({});
  ThreadTeam team(1);
  solver->reset(one.model, one.state, team), again->reset(other.model, other.state, team);
  one.advance(*solver, 0.002, 10);
  other.state = one.state;
  one.advance(*solver, 0.002, 5), other.advance(*again, 0.002, 5);
  EXPECT_EQ(one.state.x, other.state.x);
  EXPECT_EQ(one.state.q, other.state.q);
}

TEST(RedMax, RefusesWhatIsHeldTwice) {
  RodOptions o;
  Scene scene = cantilever(o);
  scene.clamp(10, 9, o);
  scene.fill_inputs();
  const auto solver = find_solver("redmax")->make({});
  ThreadTeam team(1);
  solver->reset(scene.model, scene.state, team);
  Contact contact;
  EXPECT_EQ(solver->step(scene.inputs, contact, 0.01, scene.state).failure,
            "redmax takes no rods that are held anywhere but at one of their ends");
}

}  // namespace
}  // namespace tendril::solvers::redmax
