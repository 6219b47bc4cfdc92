// equilibria that settle must find, or say that there are none: contact, loads that follow the shape, moments,
// instability

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/crossed_rods.h"
#include "rod/chain.h"
#include "rod/strain.h"
#include "sim/simulation.h"

namespace tendril::sim {
namespace {

using std::numbers::pi;

struct Settled {
  SettleReport report;
  State state;

  Vec3d tip() const { return state.x.back(); }
};

Settled settle(const Chain& c, double h, bool contact = false, double tolerance = 1e-10) {
  Simulation simulation(c.model, c.state, {.time_step = h, .contact = {.enabled = contact}},
                        find_solver("block")->make({{"tolerance", tolerance}}));
  const SettleReport report = simulation.settle({});
  return {report, simulation.state()};
}

Load tip_load(const Chain& c, const Vec3d& force, const Vec3d& moment = {}) {
  Load load;
  load.indices = {int(c.model.vertices.size()) - 1}, load.force = force, load.moment = moment;
  return load;
}

void pin(Chain& c, int vertex) {
  c.model.holds.push_back({});
  add_clamp(c, vertex, {}, int(c.model.holds.size()) - 1);
}

void raise(Chain& c, double height) {
  for (Vec3d& x : c.state.x) x.z += height;
}

// ---- what may come to lie on something

// of rubber, with a radius of 3 mm
Chain soft_rod(int segments, double length, double friction) {
  const double radius = 3e-3, area = pi * radius * radius, I = area * radius * radius / 4, E = 1e7;
  Chain c = make_chain({.segments = segments,
                        .length = length,
                        .EA = E * area,
                        .GA = E * area / 3,
                        .EI1 = E * I,
                        .EI2 = E * I,
                        .GJ = E * I / 1.4,
                        .linear_density = 1100 * area,
                        .radius = radius});
  for (Segment& s : c.model.segments) s.friction = friction;
  return c;
}

TEST(equilibria, a_free_rod_lies_on_the_floor) {
  for (double friction : {0.0, 0.4}) {
    Chain c = soft_rod(20, 0.4, friction);
    for (Vec3d& x : c.state.x) x.z = 0.005 + 0.03 * x.x;
    for (Quatd& q : c.state.q) q = rotation_between({1, 0, 0}, normalized(Vec3d{1, 0, 0.03})) * q;
    add_obstacle(c, Plane{}, "floor");
    const Settled end = settle(c, 1e-3, true);
    EXPECT_TRUE(end.report.settled) << end.report.message;
    EXPECT_LT(end.report.steps, 100);
    for (const Vec3d& x : end.state.x) EXPECT_NEAR(x.z, 3.2e-3, 2e-4);
    EXPECT_LT(norm(end.tip() - Vec3d{0.4, 0, 0.0032}), 2e-3);
  }
}

TEST(equilibria, a_rod_lies_on_others) {
  Chain c = stacked_rods({0, 0.05, 0});  // the second across the others, its middle at y = -0.05
  for (int i = 0; i <= 10; ++i) c.state.x[i].y = -0.3, c.state.x[22 + i].y = 0.2;
  c.model.holds.push_back({});
  add_clamp(c, 0, {0}, 0), add_clamp(c, 10, {9}, 0), add_clamp(c, 22, {20}, 0), add_clamp(c, 32, {29}, 0);
  for (Segment& s : c.model.segments) s.friction = 0.3;
  const Settled end = settle(c, 1e-3, true);
  EXPECT_TRUE(end.report.settled) << end.report.message;
  for (int i : {5, 27}) EXPECT_NEAR(end.state.x[16].z - end.state.x[i].z, 0.04, 0.02);
}

TEST(equilibria, what_falls_past_an_obstacle_has_none) {
  Chain c = soft_rod(10, 0.4, 0.4);
  add_obstacle(c, Sphere{{2, 2, 0}, 0.5}, "ball");
  const Settled end = settle(c, 1e-3, true);
  EXPECT_FALSE(end.report.settled);
  EXPECT_NE(end.report.message.find("there is no equilibrium"), std::string::npos) << end.report.message;
  EXPECT_LT(end.report.steps, 50);
}

// what sticks and slides on its way has come to rest
TEST(equilibria, a_clamped_rod_lies_on_a_floor_with_friction) {
  Chain c = soft_rod(60, 0.8, 1);
  c.model.holds.push_back({});
  raise(c, 0.1);
  add_clamp(c, 0, {0}, 0);
  add_obstacle(c, Plane{}, "floor");
  const Settled end = settle(c, 1e-3, true);
  EXPECT_TRUE(end.report.settled) << end.report.message;
  EXPECT_NEAR(end.tip().z, 3.3e-3, 1e-4);
}

// ---- loads that follow the shape

// A force P normal to the tip, EI = L = 1. In the frame of the tip it does not turn, so from there back to the root
//   theta' = -P x,  x' = -cos(theta),  y' = -sin(theta)
// gives the shape at once
Vec3d tip_under_follower(double P) {
  constexpr int steps = 10'000;
  constexpr double h = 1.0 / steps;
  double x = 0, z = 0, theta = 0;
  for (int n = 0; n < steps; ++n) {
    const double middle = theta + 0.5 * h * P * x, x_middle = x - 0.5 * h * std::cos(middle);
    theta += h * P * x_middle, x -= h * std::cos(middle), z -= h * std::sin(middle);
  }
  const double c = std::cos(theta), s = std::sin(theta);
  return {-x * c - z * s, 0, x * s - z * c};
}

TEST(equilibria, a_force_follows_the_tip) {
  EXPECT_LT(norm(tip_under_follower(3) - Vec3d{0.5516, 0, 0.7267}), 1e-4);
  for (double P : {3.0, 10.0}) {
    Chain c = make_chain({.segments = 80, .EA = 1e6, .GA = 1e6, .linear_density = 0.1, .clamped = true});
    c.model.gravity = {};
    Load load = tip_load(c, rotate(conjugate(c.state.q[0]), {0, 0, P}));
    load.in_material_frame = true;
    c.model.loads = {load};
    const Settled end = settle(c, 1e-2);
    EXPECT_TRUE(end.report.settled) << end.report.message;
    EXPECT_LT(norm(end.tip() - tip_under_follower(P)), 5e-4) << P;
  }
}

// A string without stiffness is straight: across it, w sin(a) = D cos²(a), D = rho Cd r U²
TEST(equilibria, a_string_leans_with_the_wind) {
  const double r = 5e-3, U = 6, D = 1.225 * 1.2 * r * U * U, w = 0.01 * 9.81;
  Chain c = make_chain({.segments = 50,
                        .EA = 1e4,
                        .GA = 1e4,
                        .EI1 = 1e-8,
                        .EI2 = 1e-8,
                        .GJ = 1e-8,
                        .linear_density = 0.01,
                        .radius = r});
  for (Vec3d& x : c.state.x) x = {0, 0, -x.x};
  for (Quatd& q : c.state.q) q = rotation_between({1, 0, 0}, {0, 0, -1}) * q;
  pin(c, 0);
  Field wind;
  wind.velocity = {U, 0, 0};
  c.model.fields = {wind};
  const Settled end = settle(c, 1e-2);
  EXPECT_TRUE(end.report.settled) << end.report.message;
  const double sine = (std::sqrt(1 + 4 * D * D / (w * w)) - 1) * w / (2 * D);
  EXPECT_NEAR(end.tip().x, sine, 1e-3);
  EXPECT_NEAR(end.tip().z, -std::sqrt(1 - sine * sine), 1e-3);
}

TEST(equilibria, a_force_that_turns_a_pinned_rod_for_ever_has_none) {
  Chain c = make_chain({.segments = 10, .EA = 1e4, .GA = 1e4});
  c.model.gravity = {};
  pin(c, 0);
  Load load = tip_load(c, rotate(conjugate(c.state.q[0]), {0, 0, 1}));
  load.in_material_frame = true;
  c.model.loads = {load};
  const Settled end = settle(c, 1e-2);
  EXPECT_FALSE(end.report.settled);
  EXPECT_NE(end.report.message.find("no equilibrium is found"), std::string::npos) << end.report.message;
  EXPECT_LT(end.report.steps, 2000);
}

// ---- moments that nothing balances

TEST(equilibria, a_moment_about_the_pins_has_none) {
  const auto message = [](const std::vector<int>& pins, const Vec3d& moment) -> std::string {
    Chain c = make_chain({.segments = 10});
    c.model.gravity = {};
    for (int vertex : pins) pin(c, vertex);
    c.model.loads = {tip_load(c, {}, moment)};
    const Settled end = settle(c, 1e-2);
    return end.report.steps > 0 ? "after a while" : end.report.message;
  };
  EXPECT_NE(message({}, {0, 1, 0}).find("rod \"beam\" is turned by 1 N m about [0, 1, 0]"), std::string::npos);
  EXPECT_NE(message({0}, {1, 0, 0}).find("about [1, 0, 0]"), std::string::npos);
  EXPECT_NE(message({0, 10}, {1, 1, 0}).find("about [1, 0, 0]"), std::string::npos);
  EXPECT_EQ(message({0, 10}, {0, 1, 0}), "after a while");
}

// the deflection of a beam on two supports with a moment in its middle, at a quarter of its length: M x (L² - 4 x²)/24
// EI L = M L²/128 EI
TEST(equilibria, a_moment_between_supports_bends_a_beam) {
  constexpr double M = 0.1;
  Chain c = make_chain({.segments = 100, .EA = 1e6, .GA = 1e6, .linear_density = 0.1, .radius = 1e-3});
  c.model.gravity = {};
  pin(c, 0), pin(c, 100);
  c.model.ties[1].held[0] = false;
  Load load;
  load.indices = {50}, load.moment = {0, M, 0};
  c.model.loads = {load};
  const Settled end = settle(c, 1e-2, false, 1e-7);
  EXPECT_TRUE(end.report.settled) << end.report.message;
  EXPECT_NEAR(std::abs(end.state.x[25].z), M / 128, 1e-2 * M / 128);
}

// the weight has a lever, but too short a one
TEST(equilibria, a_moment_greater_than_the_weight_can_hold_has_none) {
  Chain c = make_chain({.segments = 20, .EA = 1e6, .GA = 1e6, .linear_density = 0.1});
  pin(c, 0);
  c.model.loads = {tip_load(c, {}, {0, 3, 0})};
  const Settled end = settle(c, 1e-2);
  EXPECT_FALSE(end.report.settled);
  EXPECT_NE(end.report.message.find("no equilibrium is found"), std::string::npos) << end.report.message;
  EXPECT_LT(end.report.steps, 500);
}

// ---- inertia that is in the way

// H = w a, 2 a sinh(1/2a) = length; the steps end when they are long, not when forces are lost in the last digits
TEST(equilibria, a_limp_chain_hangs_as_a_catenary) {
  constexpr int n = 5000;
  constexpr double length = 1.5, w = 0.981, EA = 1e5;
  Chain c = make_chain({.segments = n,
                        .length = length,
                        .EA = EA,
                        .GA = EA,
                        .EI1 = 1e-8,
                        .EI2 = 1e-8,
                        .GJ = 1e-8,
                        .linear_density = 0.1,
                        .radius = 1e-3});
  const double drop = std::sqrt(0.75 * 0.75 - 0.25);
  const Vec3d down = normalized(Vec3d{0.5, 0, -drop}), up = normalized(Vec3d{0.5, 0, drop});
  for (Vec3d& x : c.state.x) x = x.x < 0.75 ? x.x * down : 0.75 * down + (x.x - 0.75) * up;
  for (int s = 0; s < n; ++s) c.state.q[s] = rotation_between({1, 0, 0}, s < n / 2 ? down : up) * c.state.q[s];
  pin(c, 0), pin(c, n);
  Simulation simulation(c.model, c.state, {.time_step = 1e-2}, find_solver("block")->make({}));
  const SettleReport report = simulation.settle({});
  EXPECT_TRUE(report.settled) << report.message;
  double low = 0.1, high = 5;
  for (int k = 0; k < 100; ++k) {
    const double a = 0.5 * (low + high);
    (2 * a * std::sinh(0.5 / a) > length ? low : high) = a;
  }
  const State& state = simulation.state();
  const Vec3d gamma = stretch_shear_strain(state.x[0], state.x[1], state.q[0], length / n);
  EXPECT_NEAR(rotate(state.q[0], EA * gamma).x, w * low, 2e-5 * w * low);  // it stretches by 5e-6
}

// ---- instability

Chain column(double load_over_critical, double perturbation) {
  Chain c = make_chain({.segments = 50, .EA = 1e6, .GA = 1e6, .linear_density = 0.1, .clamped = true});
  c.model.gravity = {};
  for (Vec3d& x : c.state.x) x.y += perturbation * std::sin(0.5 * pi * x.x);
  c.model.loads = {tip_load(c, {-load_over_critical * pi * pi / 4, 0, 0})};
  return c;
}

// Close to P = pi²/4 EI/L² a clamped column leans by (2/pi) A (1 - A²/64 ...), A² = 8 (P/P_c - 1) [rad]
TEST(equilibria, a_column_buckles) {
  for (double perturbation : {1e-5, 0.0}) {
    const Settled end = settle(column(1.02, perturbation), 1e-2);
    EXPECT_TRUE(end.report.settled) << end.report.message;
    EXPECT_NEAR(std::hypot(end.tip().y, end.tip().z), 2 / pi * std::sqrt(8 * 0.02), 0.01) << perturbation;
    EXPECT_LT(end.report.steps, 100);
  }
  EXPECT_LT(std::hypot(settle(column(0.98, 1e-5), 1e-2).tip().y, 0), 1e-6);
}

TEST(equilibria, a_pendulum_does_not_stand_on_its_head) {
  Chain c = make_chain({.segments = 20, .EA = 1e5, .GA = 1e5});
  for (Vec3d& x : c.state.x) x = {0, 0, x.x};
  for (Quatd& q : c.state.q) q = rotation_between({1, 0, 0}, {0, 0, 1}) * q;
  pin(c, 0);
  const Settled end = settle(c, 1e-2);
  EXPECT_TRUE(end.report.settled) << end.report.message;
  EXPECT_NEAR(end.tip().z, -1, 1e-3);
}

// what is stable is found where it was without the push
TEST(equilibria, a_push_leaves_no_trace) {
  Chain c = make_chain({.segments = 10});
  c.model.gravity = {};
  const Settled end = settle(c, 1e-2);
  EXPECT_TRUE(end.report.settled);
  for (std::size_t i = 0; i < c.state.x.size(); ++i) EXPECT_LT(norm(end.state.x[i] - c.state.x[i]), 1e-13);
}

}  // namespace
}  // namespace tendril::sim
