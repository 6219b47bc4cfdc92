#include <gtest/gtest.h>

#include <cmath>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/chain.h"

namespace tendril::solvers::direct {
namespace {

using solvers::testing::RodOptions;
using solvers::testing::Scene;

constexpr double h = 0.01;  // [s]

// the paper's beam with fewer segments, under its tip load
Scene beam(int segments) {
  RodOptions o;
  o.length = 10, o.segments = segments;
  o.EA = 7.85e8, o.GA = 3e8, o.EI1 = o.EI2 = 4.9087385e7, o.GJ = 3.8e7;
  o.linear_density = 785.4, o.damping = 3;
  Scene s = cantilever(o);
  for (Segment& g : s.model.segments) g.linear_inertia = 785.4 * Vec3d{0.0625, 0.0625, 0.125};
  s.model.gravity = {};
  s.fill_inputs();
  for (Instant* instant : {&s.inputs.begin, &s.inputs.end}) instant->force.back() = {0, 0, -1000};
  return s;
}

StepReport step(Scene& s, const OptionValues& options, int steps = 1) {
  const auto solver = find_solver("direct")->make(options);
  ThreadTeam team(1);
  solver->reset(s.model, s.state, team);
  Contact contact;
  StepReport report;
  for (int n = 0; n < steps; ++n) {
    report = solver->step(s.inputs, contact, h, s.state);
    s.state.time += h;
  }
  return report;
}

double distance(const State& a, const State& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) largest = std::max(largest, norm(a.x[i] - b.x[i]));
  for (std::size_t s = 0; s < a.q.size(); ++s) largest = std::max(largest, 1 - std::abs(dot(a.q[s], b.q[s])));
  return largest;
}

// The load alone would turn the last segment by h² F / m l = 6e-3 rad. What the linear equations miss of that is its
// square, and of what is left then the square again.
TEST(PositionBased, AFewIterationsMeetTheConstraintsOfAStiffBeam) {
  Scene s = beam(50);
  const StepReport report = step(s, {{"mode", std::string("paper")}, {"residuals", true}, {"tolerance", 1e-11}});
  ASSERT_GE(report.residuals.size(), 2u);
  EXPECT_LT(report.residuals[0], 4e-5);
  EXPECT_LT(report.residuals[1], 1e-9);
  EXPECT_TRUE(report.converged);
}

// P L³/3EI with the trapezoidal error of its joints, 1/(2 N²): the paper's mode and the default come to rest at the
// same place
TEST(PositionBased, ComesToRestWhereTheDefaultDoes) {
  Scene published = beam(10), exact = published;
  step(published, {{"mode", std::string("paper")}}, 2000);
  step(exact, {}, 2000);
  EXPECT_LT(exact.state.x.back().z, -6e-3);
  EXPECT_NEAR(published.state.x.back().z, exact.state.x.back().z, 1e-8);
}

// the same constraints one by one lead to the same positions, in many more iterations
TEST(PositionBased, GaussSeidelFindsTheSameInManySweeps) {
  Scene direct = beam(4), swept = direct;
  const StepReport all = step(direct, {{"mode", std::string("paper")}, {"tolerance", 1e-12}, {"iterations", 20}});
  const StepReport one_by_one = step(swept, {{"gauss_seidel", true}, {"tolerance", 1e-12}, {"iterations", 100000}});
  ASSERT_TRUE(all.converged);
  ASSERT_TRUE(one_by_one.converged);
  EXPECT_LT(all.iterations, 5);
  EXPECT_GT(one_by_one.iterations, 50);
  EXPECT_GT(distance(direct.state, beam(4).state), 1e-7) << "it must move";
  EXPECT_LT(distance(direct.state, swept.state), 1e-9);
}

}  // namespace
}  // namespace tendril::solvers::direct
