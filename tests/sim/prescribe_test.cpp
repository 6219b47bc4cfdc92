#include "sim/prescribe.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "rod/chain.h"
#include "sim/gust.h"

namespace tendril::sim {
namespace {

Instant at(const Chain& c, double time, bool step_ends = true) {
  std::vector<Pose> start;
  for (std::size_t b = 0; b < c.model.bodies.size(); ++b) start.push_back({c.state.body_x[b], c.state.body_q[b]});
  return Prescription(c.model, 5).at({time, step_ends}, c.state, start);
}

Vec3d sum(const std::vector<Vec3d>& a) {
  Vec3d total;
  for (const Vec3d& x : a) total += x;
  return total;
}

TEST(prescribe, weight_is_mass_times_gravity) {
  Chain c = make_chain({.length = 2, .linear_density = 0.5});
  EXPECT_LT(norm(sum(at(c, 0).force) - Vec3d{0, 0, -9.81}), 1e-14);
}

// a step that ends when a load begins does not feel it, one that begins there does
TEST(prescribe, loads_have_windows_ramps_and_keys) {
  Load load;
  load.from = 0.3, load.until = 0.7;
  EXPECT_EQ(load_factor(load, {3 * 0.1, true}), 0);
  EXPECT_EQ(load_factor(load, {3 * 0.1, false}), 1);
  EXPECT_EQ(load_factor(load, {7 * 0.1, true}), 1);
  EXPECT_EQ(load_factor(load, {7 * 0.1, false}), 0);
  load.ramp = 0.2;
  EXPECT_DOUBLE_EQ(load_factor(load, {0.4, true}), 0.5);
  EXPECT_DOUBLE_EQ(load_factor(load, {0.6, true}), 1);
  load.factor_keys = {{0, {1, 0, 0}}, {1, {3, 0, 0}}};
  EXPECT_DOUBLE_EQ(load_factor(load, {0.4, true}), 0.5 * 1.8);
  EXPECT_EQ(load_factor(Load{}, {0, false}), 1) << "a load without a window acts at the start";
}

TEST(prescribe, line_load_goes_half_to_each_end) {
  Chain c = make_chain({.segments = 4, .length = 2});
  c.model.gravity = {};
  Load load;
  load.target = LoadTarget::segment_line, load.indices = {0, 1, 2, 3}, load.force = {0, 0, 3};
  c.model.loads = {load};
  const Instant now = at(c, 1);
  EXPECT_DOUBLE_EQ(now.force[0].z, 0.75);
  EXPECT_DOUBLE_EQ(now.force[2].z, 1.5);
  EXPECT_DOUBLE_EQ(sum(now.force).z, 6);
}

TEST(prescribe, moment_is_shared_by_the_segments_that_meet) {
  Chain c = make_chain({.segments = 3});
  Load load;
  load.moment = {0, 6, 0};
  load.indices = {3};
  c.model.loads = {load};
  EXPECT_EQ(at(c, 1).moment[2], (Vec3d{0, 6, 0}));
  c.model.loads[0].indices = {1};
  EXPECT_EQ(at(c, 1).moment[0], (Vec3d{0, 3, 0}));
  EXPECT_EQ(at(c, 1).moment[1], (Vec3d{0, 3, 0}));
  c.model.segments[2].vertex[1] = 1;  // a junction of three
  EXPECT_EQ(at(c, 1).moment[2], (Vec3d{0, 2, 0}));
}

TEST(prescribe, material_frame_turns_with_the_rod) {
  Chain c = make_chain({.segments = 2});
  c.model.gravity = {};
  Load end;
  end.indices = {2}, end.force = {0, 0, 5}, end.moment = {0, 0, 1}, end.in_material_frame = true;
  Load middle = end;
  middle.indices = {1}, middle.moment = {};
  c.model.loads = {end, middle};
  const double phi = 0.6;
  c.state.q[1] = quaternion_exp({0, phi, 0}) * c.state.q[1];
  const Instant now = at(c, 1);
  EXPECT_LT(norm(now.force[2] - 5.0 * Vec3d{std::cos(phi), 0, -std::sin(phi)}), 1e-14);
  EXPECT_LT(norm(now.moment[1] - Vec3d{std::cos(phi), 0, -std::sin(phi)}), 1e-14);
  EXPECT_LT(norm(now.force[1] - 5.0 * Vec3d{std::cos(phi / 2), 0, -std::sin(phi / 2)}), 1e-14);
}

// F = rho/2 Cd 2r L |u|² across the rod, nothing along it
TEST(prescribe, wind_pushes_across) {
  Chain c = make_chain({.segments = 5, .length = 2, .radius = 0.01});
  c.model.gravity = {};
  Field wind;
  wind.velocity = {7, 3, 0}, wind.drag = 1.1, wind.air_density = 1.3;
  c.model.fields = {wind};
  for (Vec3d& v : c.state.v) v = {0, -1, 0};
  const Vec3d force = sum(at(c, 1).force);
  EXPECT_LT(norm(force - Vec3d{0, 0.5 * 1.3 * 1.1 * 0.02 * 2 * 16, 0}), 1e-14);
  c.model.fields[0].factor_keys = {{0, {0, 0, 0}}, {1, {0, 0, 0}}};
  EXPECT_NEAR(sum(at(c, 1).force).y, 0.5 * 1.3 * 1.1 * 0.02 * 2 * 1, 1e-14) << "still air brakes the moving rod";
}

// Instant::drag bounds -dF/dv in every direction
TEST(prescribe, drag_bounds_the_derivative) {
  Chain c = make_chain({.segments = 3});
  Field wind, medium;
  wind.velocity = {7, 3, -2};
  medium.kind = FieldKind::drag, medium.coefficient = 0.2;
  c.model.fields = {wind, medium};
  Random random(2);
  const Instant now = at(c, 1);
  double largest = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3d d = normalized(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    Chain moved = c;
    moved.state.v[1] += 1e-6 * d;
    const double slope = -dot(d, at(moved, 1).force[1] - now.force[1]) / 1e-6;
    EXPECT_LE(slope, now.drag[1] * (1 + 1e-6));
    largest = std::max(largest, slope);
  }
  EXPECT_GT(largest, 0.9 * now.drag[1]);
}

TEST(prescribe, linear_drag) {
  Chain c = make_chain({.length = 3});
  c.model.gravity = {};
  Field medium;
  medium.kind = FieldKind::drag, medium.coefficient = 0.2;
  c.model.fields = {medium};
  for (Vec3d& v : c.state.v) v = {1, 2, 0};
  EXPECT_LT(norm(sum(at(c, 1).force) + 0.2 * 3 * Vec3d{1, 2, 0}), 1e-14);
}

TEST(prescribe, kinematic_bodies_follow_their_motions) {
  Chain c = make_chain({.clamped = true});
  Motion lift;
  lift.velocity = {0, 0, 2};
  c.model.bodies[0].motions = {lift};
  const Instant now = at(c, 0.5);
  EXPECT_LT(norm(now.body_pose[0].x - Vec3d{0, 0, 1}), 1e-15);
  EXPECT_EQ(now.body_twist[0].v, (Vec3d{0, 0, 2}));
}

// rms amplitude, no divergence, the same for the same seed, and different for another
TEST(gust, is_a_random_smooth_field) {
  Field field;
  field.gust_amplitude = 2, field.gust_frequency = 0.5, field.gust_scale = 3;
  const Gust gust(field, 1), again(field, 1), other(field, 2);
  Random random(9);
  double square = 0;
  const int samples = 20000;
  for (int k = 0; k < samples; ++k) {
    const Vec3d x{random.uniform(-200, 200), random.uniform(-200, 200), random.uniform(-200, 200)};
    square += norm_squared(gust.velocity(x, random.uniform(0, 100))) / samples;
  }
  EXPECT_NEAR(std::sqrt(square), 2, 0.1);
  const Vec3d x{0.3, -0.7, 2};
  EXPECT_EQ(gust.velocity(x, 1.5), again.velocity(x, 1.5));
  EXPECT_GT(norm(gust.velocity(x, 1.5) - other.velocity(x, 1.5)), 0.01);
  double divergence = 0, slope = 0;
  for (int k = 0; k < 3; ++k) {
    Vec3d step;
    step[k] = 1e-5;
    const Vec3d change = gust.velocity(x + step, 1.5) - gust.velocity(x - step, 1.5);
    divergence += change[k] / 2e-5;
    slope += norm(change) / 2e-5;
  }
  EXPECT_GT(slope, 0.1);
  EXPECT_NEAR(divergence, 0, 1e-8);
}

}  // namespace
}  // namespace tendril::sim
