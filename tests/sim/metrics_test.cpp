#include "sim/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rod/chain.h"
#include "sim/dense_euler.h"

namespace tendril::sim {
namespace {

double value(const Metrics& metrics, const std::vector<double>& row, const std::string& column) {
  for (std::size_t c = 0; c < row.size(); ++c)
    if (metrics.columns()[c] == column) return row[c];
  ADD_FAILURE() << "no column " << column;
  return 0;
}

Chain cantilever() {
  Chain c = make_chain({.segments = 5,
                        .EA = 2e3,
                        .GA = 2e3,
                        .EI1 = 2,
                        .EI2 = 2,
                        .damping = 0.5,
                        .internal_damping = 0.01,
                        .clamped = true});
  c.model.probes = {{.name = "root", .vertex = 0, .segment = 0, .other_segment = 1, .at_end = true},
                    {.name = "tip", .vertex = 5, .segment = 4, .other_segment = 3, .at_end = true}};
  return c;
}

TEST(metrics, has_the_columns_of_the_contract) {
  const Chain c = cantilever();
  EXPECT_EQ(csv_line(Metrics(c.model).columns()),
            "time,kinetic,elastic,gravity,momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,"
            "angular_momentum_z,max_stretch,min_gap,contacts,iterations,residual,step_ms,"
            "root.x,root.y,root.z,root.vx,root.vy,root.vz,root.qw,root.qx,root.qy,root.qz,"
            "root.fx,root.fy,root.fz,root.mx,root.my,root.mz,"
            "tip.x,tip.y,tip.z,tip.vx,tip.vy,tip.vz,tip.qw,tip.qx,tip.qy,tip.qz,broken,friction_work,contact_loss,"
            "total_energy\n");
}

TEST(metrics, gathers_the_steps_since_the_last_row) {
  Chain c = cantilever();
  Simulation sim(c.model, c.state, {.time_step = 0.01}, make_dense_euler());
  Metrics metrics(c.model);
  const std::vector<double> first = metrics.take_row(sim);
  EXPECT_EQ(value(metrics, first, "iterations"), 0);
  EXPECT_EQ(value(metrics, first, "step_ms"), 0);
  EXPECT_EQ(value(metrics, first, "min_gap"), forever);
  StepReport a, b;
  a.iterations = 3, a.residual = 0.5, a.contacts = 1, a.smallest_gap = 0.2;
  b.iterations = 7, b.residual = 0.1, b.contacts = 4, b.smallest_gap = 0.3;
  metrics.add(a, 0.002), metrics.add(b, 0.004);
  const std::vector<double> row = metrics.take_row(sim);
  EXPECT_EQ(value(metrics, row, "iterations"), 7);
  EXPECT_EQ(value(metrics, row, "residual"), 0.5);
  EXPECT_EQ(value(metrics, row, "contacts"), 4);
  EXPECT_EQ(value(metrics, row, "min_gap"), 0.2);
  EXPECT_DOUBLE_EQ(value(metrics, row, "step_ms"), 3);
  EXPECT_EQ(value(metrics, metrics.take_row(sim), "iterations"), 0);
}

// at rest the clamp carries the weight, and its moment about the clamp up to the clamp's own half segment
TEST(metrics, reaction_of_a_clamp_at_rest) {
  Chain c = cantilever();
  Load load;
  load.indices = {5}, load.force = {3, 0.2, 0};
  c.model.loads = {load};
  Simulation sim(c.model, c.state, {.time_step = 0.01}, make_dense_euler());
  ASSERT_TRUE(sim.settle({}).settled);
  for (int n = 0; n < 3; ++n) sim.step();
  Metrics metrics(c.model);
  const std::vector<double> row = metrics.take_row(sim);
  const double weight = 0.5 * 9.81;
  EXPECT_NEAR(value(metrics, row, "root.fx"), -3, 1e-6);
  EXPECT_NEAR(value(metrics, row, "root.fy"), -0.2, 1e-6);
  EXPECT_NEAR(value(metrics, row, "root.fz"), weight, 1e-6);
  Vec3d moment;
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3d force = c.model.vertices[i].mass * c.model.gravity + (i == 5 ? load.force : Vec3d{});
    moment -= cross(sim.state().x[i], force);
  }
  EXPECT_NEAR(value(metrics, row, "root.mx"), moment.x, 1e-5);
  EXPECT_NEAR(value(metrics, row, "root.my"), moment.y, 1e-5);
  EXPECT_NEAR(value(metrics, row, "root.mz"), moment.z, 1e-5);
  EXPECT_GT(std::abs(moment.y), 1);
}

// in motion the reaction is what changes the momentum: d(total)/dt = reaction + weight - damping
TEST(metrics, reaction_balances_the_momentum_in_motion) {
  Chain c = cantilever();
  Motion shake;
  shake.sine_amplitude = {0, 0, 0.05}, shake.sine_frequency = 3;
  c.model.bodies[0].motions = {shake};
  const double h = 0.005;
  Simulation sim(c.model, c.state, {.time_step = h}, make_dense_euler());
  Metrics metrics(c.model);
  std::vector<double> before = metrics.take_row(sim);
  double largest = 0;
  for (int n = 0; n < 30; ++n) {
    sim.step();
    const std::vector<double> row = metrics.take_row(sim);
    const double rate = (value(metrics, row, "momentum_z") - value(metrics, before, "momentum_z")) / h;
    const double damping = -0.5 * value(metrics, row, "momentum_z");
    EXPECT_NEAR(value(metrics, row, "root.fz"), rate + 0.5 * 9.81 - damping, 1e-6);
    largest = std::max(largest, std::abs(rate));
    before = row;
  }
  EXPECT_GT(largest, 1);
}

// Before the first step the support carries what acts on its vertex, and nothing is accelerated: a drive begins with
// its velocity.
TEST(metrics, a_driven_clamp_has_no_blow_at_the_start) {
  Chain c = cantilever();
  Motion shake;
  shake.sine_amplitude = {0, 0, 0.05}, shake.sine_frequency = 3;
  c.model.bodies[0].motions = {shake};
  for (Vec3d& v : c.state.v) v = {0, 0, 0.05 * 2 * std::numbers::pi * 3};
  c.state.body_v[0] = c.state.v[0];
  Simulation sim(c.model, c.state, {.time_step = 1e-4}, make_dense_euler());
  Metrics metrics(c.model);
  const std::vector<double> start = metrics.take_row(sim);
  const double speed = c.state.v[0].z, weight = 9.81 * c.model.vertices[0].mass;
  const double damping = 0.5 * c.model.vertices[0].mass * speed;
  EXPECT_NEAR(value(metrics, start, "root.fz"), weight + damping, 1e-9);
  for (const char* column : {"root.fx", "root.fy", "root.mx", "root.my", "root.mz"})
    EXPECT_EQ(value(metrics, start, column), 0) << column;
  sim.step();
  EXPECT_NEAR(value(metrics, metrics.take_row(sim), "root.fz"), weight + damping, 0.05 * weight);
}

TEST(metrics, total_energy_is_the_sum) {
  const Chain c = cantilever();
  Simulation sim(c.model, c.state, {.time_step = 0.01}, make_dense_euler());
  for (int n = 0; n < 5; ++n) sim.step();
  Metrics metrics(c.model);
  const std::vector<double> row = metrics.take_row(sim);
  EXPECT_DOUBLE_EQ(value(metrics, row, "total_energy"),
                   value(metrics, row, "kinetic") + value(metrics, row, "elastic") + value(metrics, row, "gravity"));
}

TEST(metrics, infinity_stops_the_run) {
  Chain c = cantilever();
  c.state.v[2] = {1e200, 0, 0};
  const Simulation sim(c.model, c.state, {.time_step = 0.01}, make_dense_euler());
  try {
    Metrics(c.model).take_row(sim);
    FAIL();
  } catch (const SimulationFailed& failure) {
    EXPECT_NE(std::string(failure.what()).find("kinetic is inf at t = 0 s"), std::string::npos) << failure.what();
  }
}

TEST(metrics, numbers_keep_all_their_digits) {
  EXPECT_EQ(csv_line(std::vector<double>{0.1, 1, forever}), "0.10000000000000001,1,inf\n");
}

}  // namespace
}  // namespace tendril::sim
