#include "sim/settle.h"

#include <gtest/gtest.h>

#include "rod/chain.h"
#include "sim/dense_euler.h"
#include "sim/loose_part.h"
#include "sim/simulation.h"

namespace tendril::sim {
namespace {

std::unique_ptr<Simulation> simulate(const Chain& c, double h) {
  return std::make_unique<Simulation>(c.model, c.state, SimulationOptions{.time_step = h}, make_dense_euler());
}

// tip deflection of a cantilever: P L³/3EI + P L/GA, and of the chain of half bends and bends 1/2N² less curvature
// error:
//   sum over bends of (P (L - s_b)) l_b/EI (L - s_b), s_b = the bend's vertex, l_b = l/2 at the clamp
TEST(settle, finds_a_cantilever) {
  const int n = 8;
  const double EI = 2, GA = 500, P = 1e-2, l = 1.0 / n;
  Chain c = make_chain({.segments = n, .EA = 1e4, .GA = GA, .EI1 = EI, .EI2 = EI, .clamped = true});
  c.model.gravity = {};
  Load load;
  load.indices = {n}, load.force = {0, 0, -P};
  c.model.loads = {load};
  double expected = P / GA;
  for (int b = 0; b < n; ++b) {
    const double arm = 1 - b * l;
    expected += P * arm * arm * (b == 0 ? l / 2 : l) / EI;
  }
  EXPECT_NEAR(expected, P / 3 / EI + P / GA, 2e-2 * expected);

  for (Vec3d& v : c.state.v) v = {0, 1, 0};
  const auto sim = simulate(c, 1e-3);
  const SettleReport report = sim->settle({});
  EXPECT_TRUE(report.settled) << report.message;
  EXPECT_LT(report.residual, 1e-8);
  EXPECT_LT(report.law_residual, 1e-6);
  EXPECT_LT(report.steps, 2000);
  EXPECT_NEAR(sim->state().x[n].z, -expected, 1e-5 * expected);  // P² of the geometry
  EXPECT_EQ(sim->time(), 0);
  EXPECT_EQ(sim->state().v[n].y, 1) << "the start's velocities come after the equilibrium";
}

TEST(settle, finds_a_large_deflection_and_stays_there) {
  Chain c = make_chain(
      {.segments = 6, .EA = 1e4, .GA = 1e4, .EI1 = 0.05, .EI2 = 0.05, .linear_density = 0.1, .clamped = true});
  const auto sim = simulate(c, 0.01);
  const SettleReport report = sim->settle({});
  ASSERT_TRUE(report.settled) << report.message;
  const Vec3d tip = sim->state().x[6];
  EXPECT_LT(tip.z, -0.5);
  for (int n = 0; n < 5; ++n) sim->step();
  EXPECT_LT(norm(sim->state().x[6] - tip), 1e-7);
}

// a rod pinned at one end swings down by a quarter turn
TEST(settle, finds_a_hanging_rod) {
  Chain c = make_chain({.segments = 3, .EA = 100, .GA = 100, .EI1 = 1, .EI2 = 1});
  c.model.holds.push_back({});
  add_clamp(c, 0, {}, 0);
  const auto sim = simulate(c, 0.01);
  const SettleReport report = sim->settle({});
  ASSERT_TRUE(report.settled) << report.message;
  // extension of each segment: weight below its middle over EA
  const double weight = 0.5 * 9.81;
  EXPECT_NEAR(sim->state().x[3].z, -1 - 0.5 * weight / 100, 1e-6);
  EXPECT_NEAR(sim->state().x[3].x, 0, 1e-5);
}

TEST(settle, says_that_a_free_rod_has_no_equilibrium) {
  const auto sim = simulate(make_chain({.segments = 3}), 0.01);
  const SettleReport report = sim->settle({});
  EXPECT_FALSE(report.settled);
  EXPECT_NE(report.message.find("rod \"beam\""), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("along z"), std::string::npos) << report.message;
  EXPECT_EQ(sim->state().x[0].z, 0);
}

TEST(settle, a_rod_without_loads_is_at_rest) {
  Chain c = make_chain({.segments = 3});
  c.model.gravity = {};
  const auto sim = simulate(c, 0.01);
  const SettleReport report = sim->settle({});
  EXPECT_TRUE(report.settled);
  EXPECT_LE(report.steps, 2);
}

// loads are those of time 0: a ramp has not begun
TEST(settle, a_ramp_has_not_begun) {
  Chain c = make_chain({.segments = 3, .clamped = true});
  c.model.gravity = {};
  Load load;
  load.indices = {3}, load.force = {0, 0, -1}, load.ramp = 1;
  c.model.loads = {load};
  const auto sim = simulate(c, 0.01);
  EXPECT_TRUE(sim->settle({}).settled);
  EXPECT_NEAR(sim->state().x[3].z, 0, 1e-12);
}

// a solver that sweeps and is content with its own tolerance: the same cantilever within what it leaves unsolved
TEST(settle, works_with_a_sweeping_solver) {
  const SolverInfo* stable = find_solver("stable");
  ASSERT_NE(stable, nullptr);
  const int n = 10;
  Chain c = make_chain({.segments = n,
                        .length = 10,
                        .EA = 1e9,
                        .GA = 1e9,
                        .EI1 = 5e7,
                        .EI2 = 5e7,
                        .GJ = 4e7,
                        .linear_density = 785,
                        .radius = 0.5,
                        .clamped = true});
  c.model.gravity = {};
  Load load;
  load.indices = {n}, load.force = {0, 0, -1000};
  c.model.loads = {load};
  Simulation sim(c.model, c.state, {.time_step = 0.01}, stable->make({}));
  const SettleReport report = sim.settle({.exactness = stable->capabilities.exactness});
  EXPECT_TRUE(report.settled) << report.message;
  double expected = 1000.0 * 10 / 1e9;
  for (int b = 0; b < n; ++b) expected += 1000.0 * (10 - b) * (10 - b) * (b == 0 ? 0.5 : 1) / 5e7;
  EXPECT_NEAR(sim.state().x[n].z, -expected, 1e-3 * expected);
}

// asked before every step, with what it can tell; when told to end it stops where it is
TEST(settle, tells_where_it_is_and_can_be_ended) {
  const Chain c = make_chain({.segments = 4, .clamped = true});
  std::vector<SettlePoint> points;
  SettleOptions options;
  options.go_on = [&](const SettlePoint& point) {
    points.push_back(point);
    return true;
  };
  const SettleReport whole = simulate(c, 0.01)->settle(options);
  ASSERT_TRUE(whole.settled);
  EXPECT_FALSE(whole.interrupted);
  ASSERT_EQ(points.size(), std::size_t(whole.steps));
  for (std::size_t n = 0; n < points.size(); ++n) EXPECT_EQ(points[n].steps, int(n));
  EXPECT_LT(points.back().residual, 1e-3 * points[1].residual);
  EXPECT_EQ(points.back().tolerance, 1e-8);

  options.go_on = [](const SettlePoint& point) { return point.steps < 7; };
  const auto sim = simulate(c, 0.01);
  const SettleReport part = sim->settle(options);
  EXPECT_TRUE(part.interrupted);
  EXPECT_FALSE(part.settled);
  EXPECT_EQ(part.steps, 7);
  EXPECT_NE(part.message.find("interrupted after 7 steps"), std::string::npos) << part.message;
}

// a partly held rod: a bead on a wire along x, pulled along x
TEST(settle, a_free_axis_under_load_has_no_equilibrium) {
  Chain c = make_chain({.segments = 2});
  c.model.holds.push_back({});
  add_clamp(c, 0, {}, 0);
  c.model.ties[0].held[0] = false;
  Instant loads;
  loads.force.assign(3, {0, 0, -1});
  EXPECT_TRUE(loose_part(c.model, c.state, loads).empty());
  loads.force.assign(3, {1, 0, -1});
  EXPECT_FALSE(loose_part(c.model, c.state, loads).empty());
}

}  // namespace
}  // namespace tendril::sim
