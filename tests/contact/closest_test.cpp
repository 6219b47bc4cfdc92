#include "contact/closest.h"

#include <gtest/gtest.h>

#include <array>

#include "math/random.h"

namespace tendril::contact {
namespace {

struct TwoSegments {
  Vec3d a0, a1, b0, b1;

  Vec3d a(double s) const { return a0 + s * (a1 - a0); }
  Vec3d b(double t) const { return b0 + t * (b1 - b0); }
};

Vec3d random_vector(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }

// any two, two nearly parallel side by side, or two of very different lengths
TwoSegments random_segments(Random& random, int kind) {
  TwoSegments x{random_vector(random), random_vector(random), random_vector(random), random_vector(random)};
  if (kind % 3 == 1) {
    const double tilt = std::pow(10, random.uniform(-12, -1));
    x.b1 = x.b0 + random.uniform(-2, 2) * (x.a1 - x.a0) + tilt * random_vector(random);
  }
  if (kind % 3 == 2) x.a1 = x.a0 + std::pow(10, random.uniform(-9, 0)) * random_vector(random);
  return x;
}

// the distance of a(s) from the segment b is convex in s: cut the bracket in thirds
double searched_distance(const TwoSegments& x) {
  const auto from_b = [&](double s) {
    const Vec3d v = x.b1 - x.b0;
    const double t = std::clamp(dot(x.a(s) - x.b0, v) / dot(v, v), 0.0, 1.0);
    return norm(x.a(s) - x.b(t));
  };
  double low = 0, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (from_b(left) < from_b(right) ? high : low) = from_b(left) < from_b(right) ? right : left;
  }
  return from_b(0.5 * (low + high));
}

// that the fields agree with each other
void expect_consistent(const TwoSegments& x, const Nearest& n) {
  EXPECT_GE(n.s, 0);
  EXPECT_LE(n.s, 1);
  EXPECT_GE(n.t, 0);
  EXPECT_LE(n.t, 1);
  const Vec3d between = x.a(n.s) - x.b(n.t);
  EXPECT_NEAR(norm(between), n.distance, 1e-15);
  if (n.distance > 1e-12) {
    EXPECT_NEAR(norm(n.normal), 1, 1e-14);
    EXPECT_NEAR(norm(n.distance * n.normal - between), 0, 1e-15);
  }
}

TEST(Closest, NearestPointsAreWhatASearchFinds) {
  Random random(1);
  for (int i = 0; i < 30000; ++i) {
    const TwoSegments x = random_segments(random, i);
    const Nearest n = nearest_points(x.a0, x.a1, x.b0, x.b1);
    expect_consistent(x, n);
    ASSERT_NEAR(n.distance, searched_distance(x), 1e-14) << "case " << i;
  }
}

// lines that cross at the angle θ, one a height above the other: nothing is lost however small the angle is
TEST(Closest, NearlyParallelSegmentsKeepAllDigits) {
  const double height = 1e-6;
  for (double angle = 1; angle > 1e-15; angle *= 0.1) {
    const Vec3d tilted{std::cos(angle), std::sin(angle), 0}, up{0, 0, height};
    const Nearest n = nearest_points({-0.3, 0, 0}, {0.7, 0, 0}, -0.6 * tilted + up, 0.4 * tilted + up);
    EXPECT_NEAR(n.distance, height, 2e-16) << angle;
    EXPECT_NEAR(n.normal.z, -1, 1e-9) << angle;
  }
}

TEST(Closest, ParallelSegments) {
  const Vec3d o{0, 0, 0}, e{1, 0, 0}, up{0, 0, 0.5};
  EXPECT_EQ(nearest_points(o, e, o + up, e + up).distance, 0.5);
  EXPECT_EQ(nearest_points(o, e, e + up, o + up).distance, 0.5);
  EXPECT_EQ(nearest_points(o, e, Vec3d{0.8, 0, 0.5}, Vec3d{5, 0, 0.5}).distance, 0.5);
  // one ahead of the other: end to end, side by side or on one line
  EXPECT_EQ(nearest_points(o, e, Vec3d{4, 0, 4}, Vec3d{9, 0, 4}).distance, 5);
  EXPECT_EQ(nearest_points(o, e, Vec3d{9, 0, 0}, Vec3d{3, 0, 0}).distance, 2);
  const Nearest overlapping = nearest_points(o, e, Vec3d{0.5, 0, 0}, Vec3d{2, 0, 0});
  EXPECT_EQ(overlapping.distance, 0);
  EXPECT_EQ(overlapping.normal, Vec3d{});
}

TEST(Closest, SegmentsWithoutLengthArePoints) {
  const Vec3d p{0.25, 3, 4}, q{0.25, 0, 0}, o{0, 0, 0}, e{1, 0, 0};
  EXPECT_EQ(steady_nearest_points(p, p, q, q, 1).gap, 4);
  EXPECT_EQ(steady_nearest_points(p, p, p, p, 1).gap, -1);
  const Nearest first = nearest_points(p, p, o, e), second = nearest_points(o, e, p, p);
  EXPECT_EQ(first.distance, 5);
  EXPECT_EQ(first.t, 0.25);
  EXPECT_EQ(second.distance, 5);
  EXPECT_EQ(second.s, 0.25);
  EXPECT_EQ(first.normal, -second.normal);
}

TEST(Closest, SegmentsThatMeetHaveNoNormal) {
  const Nearest n = nearest_points({-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 3, 0});
  EXPECT_EQ(n.distance, 0);
  EXPECT_EQ(n.normal, Vec3d{});
  EXPECT_EQ(n.s, 0.5);
  EXPECT_EQ(n.t, 0.25);
}

// no other points have a smaller product of gap and factor, and it is at most c/2 more than the true gap
TEST(Closest, SteadyPointsAreTheLeastOfGapTimesFactor) {
  Random random(2);
  double largest = 0;  // excess over the true gap
  for (int i = 0; i < 30000; ++i) {
    const TwoSegments x = random_segments(random, i);
    const double distance = nearest_points(x.a0, x.a1, x.b0, x.b1).distance;
    const double gap = distance * std::pow(10, random.uniform(-8, -0.01)), radius = distance - gap;
    if (!(gap > 1e-12)) continue;
    const Steady steady = steady_nearest_points(x.a0, x.a1, x.b0, x.b1, radius);
    expect_consistent(x, steady);
    const double rounding = 1e-15 * (norm(x.a0) + norm(x.a1) + norm(x.b0) + norm(x.b1));
    ASSERT_GE(steady.gap, gap - rounding);
    ASSERT_LE(steady.gap, 1.3 * gap + 2 * rounding) << "case " << i;
    ASSERT_NEAR(steady.gap, steady.slope * (steady.distance - radius), rounding);
    largest = std::max(largest, steady.gap / gap - 1);
    const closest::Quadratic f(x.a0, x.a1, x.b0, x.b1);
    for (const auto& [ds, dt] :
         {std::pair{0.1, 0.0}, {-0.1, 0.0}, {0.0, 0.1}, {0.0, -0.1}, {0.01, 0.01}, {-0.01, 0.01}}) {
      const double s = std::clamp(steady.s + ds, 0.0, 1.0), t = std::clamp(steady.t + dt, 0.0, 1.0);
      const double factor = 1 + steadiness * ((s - 0.5) * (s - 0.5) + (t - 0.5) * (t - 0.5));
      ASSERT_GE(factor * (closest::at(f, s, t).distance - radius), steady.gap - 2 * rounding) << "case " << i;
    }
  }
  EXPECT_GT(largest, 0.2);
}

// the largest jump of (s, t) while one segment turns through parallel to the other in so many steps
std::array<double, 2> largest_jumps(bool steady, int steps) {
  std::array<double, 2> jumps{};
  Nearest before;
  for (int i = 0; i <= steps; ++i) {
    const double angle = 0.2 * (double(i) / steps - 0.43);
    const Vec3d along{std::cos(angle), 0.1 * std::sin(angle), std::sin(angle)}, middle{0.1, 0.02, 0.1};
    const Vec3d a0{-0.5, 0, 0}, a1{0.5, 0, 0}, b0 = middle - 0.4 * along, b1 = middle + 0.4 * along;
    const Nearest now = steady ? steady_nearest_points(a0, a1, b0, b1, 0.02) : nearest_points(a0, a1, b0, b1);
    if (i > 0) jumps[0] = std::max(jumps[0], std::abs(now.s - before.s));
    if (i > 0) jumps[1] = std::max(jumps[1], std::abs(now.t - before.t));
    before = now;
  }
  return jumps;
}

TEST(Closest, SteadyPointsPassThroughParallelWithoutAJump) {
  EXPECT_GT(largest_jumps(false, 100000)[0], 0.5);  // the true ones jump from end to end
  EXPECT_GT(largest_jumps(false, 100000)[1], 0.5);
  for (int k = 0; k < 2; ++k) {
    const double coarse = largest_jumps(true, 40000)[k], fine = largest_jumps(true, 400000)[k];
    EXPECT_NEAR(coarse / fine, 10, 0.5);  // proportional to the step: a bounded slope
  }
}

TEST(Closest, ParallelSegmentsHaveTheirMiddlesForSteadyPoints) {
  const Nearest n = steady_nearest_points({0, 0, 0}, {1, 0, 0}, {0, 0, 0.1}, {1, 0, 0.1}, 0.09);
  EXPECT_NEAR(n.s, 0.5, 1e-12);
  EXPECT_NEAR(n.t, 0.5, 1e-12);
}

}  // namespace
}  // namespace tendril::contact
