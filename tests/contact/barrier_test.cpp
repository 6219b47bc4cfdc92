#include "contact/barrier.h"

#include <gtest/gtest.h>

#include "contact/pair.h"

namespace tendril::contact {
namespace {

TEST(barrier, derivatives_are_those_of_its_energy) {
  const Barrier barrier = {2e-4, 3e3};
  for (const double share : {0.01, 0.1, 0.3, 0.5, 0.9, 0.99}) {
    const double gap = share * barrier.reach, step = 1e-4 * std::min(gap, barrier.reach - gap);
    const Barrier::Value at = barrier.at(gap), more = barrier.at(gap + step), less = barrier.at(gap - step);
    EXPECT_GT(at.energy, 0);
    EXPECT_LT(at.slope, 0);
    EXPECT_GT(at.curvature, 0);
    EXPECT_NEAR((more.energy - less.energy) / (2 * step), at.slope, 1e-6 * std::abs(at.slope)) << share;
    EXPECT_NEAR((more.slope - less.slope) / (2 * step), at.curvature, 1e-5 * at.curvature) << share;
  }
}

// With x = gap / d:  E = k d²/2 (1/x - 2 + x),  E' = -k d/2 (1/x² - 1),  E'' = k / x³. At the edge, x = 1, energy and
// slope are zero and the curvature is k already.
TEST(barrier, has_the_curvature_that_was_asked_for_and_begins_smoothly) {
  const double d = 2e-4, k = 3e3;
  const Barrier barrier = {d, k};
  for (const double x : {0.05, 0.5, 0.9}) {
    const Barrier::Value at = barrier.at(x * d);
    EXPECT_NEAR(at.energy, 0.5 * k * d * d * (1 / x - 2 + x), 1e-12 * at.energy);
    EXPECT_NEAR(at.slope, -0.5 * k * d * (1 / (x * x) - 1), 1e-12 * -at.slope);
    EXPECT_NEAR(at.curvature, k / (x * x * x), 1e-12 * at.curvature);
  }
  const double e = 1e-6;  // just inside: E = k d²/2 e², E' = -k d e, E'' = k, each to first order in e
  const Barrier::Value edge = barrier.at(d * (1 - e));
  EXPECT_NEAR(edge.energy, 0.5 * k * d * d * e * e, 1e-5 * k * d * d * e * e);
  EXPECT_NEAR(edge.slope, -k * d * e, 1e-5 * k * d * e);
  EXPECT_NEAR(edge.curvature, k, 1e-5 * k);
  for (const double gap : {d, 2 * d}) {
    EXPECT_EQ(barrier.at(gap).energy, 0);
    EXPECT_EQ(barrier.at(gap).slope, 0);
    EXPECT_EQ(barrier.at(gap).curvature, 0);
  }
}

TEST(barrier, rises_without_bound) {
  const Barrier barrier = {2e-4, 3e3};
  EXPECT_GT(-barrier.at(1e-12).slope, 1e6 * -barrier.at(1e-6).slope / 2e6);
  EXPECT_GT(barrier.at(1e-12).energy, barrier.at(1e-9).energy);
}

TEST(friction, sticks_up_to_its_limit_and_then_pulls_with_it) {
  const FrictionSpring spring{1e4, 0.5};
  EXPECT_EQ(spring.secant(1e-5, 1.0), 1e4);                  // 0.1 N of 0.5 N
  EXPECT_NEAR(spring.secant(1e-3, 1.0) * 1e-3, 0.5, 1e-12);  // would be 10 N
  EXPECT_NEAR(spring.held_share(1e-3, 1.0) * 1e-3, 0.5 / 1e4, 1e-12);
  EXPECT_EQ(spring.held_share(1e-5, 1.0), 1);
}

TEST(friction, of_light_contact_gives_by_its_slack_before_it_slides) {
  const FrictionSpring spring{1e4, 0.5, 1e-6};
  const double light = 1e-4;  // slides at 5e-5 N, which would stretch the spring by 5 nm
  EXPECT_DOUBLE_EQ(spring.slip_length(light), 1e-6);
  EXPECT_DOUBLE_EQ(spring.secant(0.5e-6, light) * 0.5e-6, 2.5e-5);
  EXPECT_DOUBLE_EQ(spring.secant(3e-6, light) * 3e-6, 5e-5);
  EXPECT_DOUBLE_EQ(spring.held_share(3e-6, light) * 3e-6, 1e-6);
  EXPECT_EQ(spring.held_share(0.5e-6, light), 1);
  EXPECT_DOUBLE_EQ(spring.slip_length(1.0), 0.5 / 1e4);  // heavy: the spring alone
}

TEST(friction, has_no_hold_where_nothing_presses) {
  const FrictionSpring spring{1e4, 0.5, 1e-6};
  EXPECT_EQ(spring.secant(0.5e-6, 0), 0);
  EXPECT_EQ(spring.held_share(0.5e-6, 0), 0);
}

TEST(friction, force_is_the_slope_of_its_energy) {
  const FrictionSpring spring{1e4, 0.5, 1e-6};
  for (double normal_force : {1e-4, 1.0})
    for (double slip : {0.3, 0.99, 1.01, 7.0}) {
      const double held = spring.slip_length(normal_force), d = slip * held, e = 1e-5 * held;
      const double slope = (spring.energy(d + e, normal_force) - spring.energy(d - e, normal_force)) / (2 * e);
      EXPECT_NEAR(slope, spring.secant(d, normal_force) * d, 1e-9 * spring.friction * normal_force);
    }
}

TEST(friction, of_a_pair) {
  EXPECT_DOUBLE_EQ(friction_of_pair(0.2, 0.8), 0.4);
  EXPECT_EQ(friction_of_pair(-1, 0.3), 0.3);
  EXPECT_EQ(friction_of_pair(0.3, -1), 0.3);
  EXPECT_EQ(friction_of_pair(-1, -1), 0);
  EXPECT_EQ(friction_of_pair(0, -1), 0);
}

Pair pair_with(double gap, double friction) {
  Pair pair;
  pair.barrier = {1e-3, 1e3};
  pair.spring = {1e3, friction};
  pair.normal = normalized(Vec3d{1, 2, 3});
  pair.gap = gap;
  return pair;
}

// minus the derivative of the barrier's energy and of 1/2 k |slip|² while it sticks
TEST(pair, force_is_the_derivative_of_its_energy) {
  Pair pair = pair_with(4e-4, 10);
  pair.slope = 0.8;
  pair.slip = tangential(Vec3d{2e-5, -1e-5, 3e-5}, pair.normal);
  const auto energy = [&](const Vec3d& moved) {
    const double gap = pair.gap + pair.slope * dot(pair.normal, moved);
    const Vec3d slip = tangential(pair.slip + moved, pair.normal);
    return pair.barrier.at(gap).energy + 0.5 * pair.spring.stiffness * norm_squared(slip);
  };
  const Vec3d here{3e-5, 1e-5, -4e-5};
  const PairForce force = force_of(pair, here);
  for (int k = 0; k < 3; ++k) {
    Vec3d step;
    step[k] = 1e-8;
    EXPECT_NEAR(force.force[k], -(energy(here + step) - energy(here - step)) / 2e-8, 1e-6 * norm(force.force));
  }
}

// K is minus the derivative of the force, while it sticks
TEST(pair, stiffness_is_the_derivative_of_its_force) {
  Pair pair = pair_with(4e-4, 10);
  pair.slope = 0.8;
  const PairForce force = force_of(pair, {});
  const Vec3d &n = pair.normal, t = any_perpendicular(n);
  const double step = 1e-8;
  EXPECT_NEAR(dot(n, force_of(pair, -step * n).force - force_of(pair, step * n).force) / (2 * step),
              force.normal_stiffness, 1e-5 * force.normal_stiffness);
  EXPECT_NEAR(dot(t, force_of(pair, -step * t).force - force_of(pair, step * t).force) / (2 * step),
              force.tangent_stiffness, 1e-5 * force.tangent_stiffness);
}

TEST(pair, does_nothing_beyond_its_reach) {
  const PairForce force = force_of(pair_with(1.1e-3, 0.5), {});
  EXPECT_EQ(force.force, Vec3d{});
  EXPECT_EQ(force.normal_stiffness, 0);
}

}  // namespace
}  // namespace tendril::contact
