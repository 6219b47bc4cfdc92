#include "contact/turning.h"

#include <gtest/gtest.h>

#include "math/random.h"

namespace tendril {
namespace {

struct Two {
  Vec3d a0, a1, b0, b1;

  // the ends of a and b moved along n
  Two moved(const Vec3d& n, const double (&by)[4]) const {
    return {a0 + by[0] * n, a1 + by[1] * n, b0 + by[2] * n, b1 + by[3] * n};
  }
};

closest::Quadratic quadratic(const Two& p) { return {p.a0, p.a1, p.b0, p.b1}; }
double distance(const Two& p) { return nearest_points(p.a0, p.a1, p.b0, p.b1).distance; }

// aa α² + 2 ab α β + bb β²
double form(const Turning& turning, double alpha, double beta) {
  return turning.aa * alpha * alpha + 2 * turning.ab * alpha * beta + turning.bb * beta * beta;
}

template <class Function>
double second_difference(Function f, double step) {
  return (f(step) - 2 * f(0) + f(-step)) / (step * step);
}

Vec3d any(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }

// Along the normal a fixed pair of points comes nearer linearly, so what the distance has of second order is all due to
// the sliding of the nearest points.
TEST(turning, is_the_second_derivative_of_the_distance) {
  Random random(1);
  int slides[3] = {};  // how many of the two points do
  for (int n = 0; n < 400; ++n) {
    const Two p{any(random), any(random), any(random) + Vec3d{0, 0, 2}, any(random) + Vec3d{0, 0, 2}};
    const Nearest at = nearest_points(p.a0, p.a1, p.b0, p.b1);
    const auto is_near_an_end = [](double s) { return (s > 0 && s < 0.05) || (s < 1 && s > 0.95); };
    if (is_near_an_end(at.s) || is_near_an_end(at.t)) continue;
    const closest::Quadratic f = quadratic(p);
    if (f.parallelogram < 0.05 * f.uu * f.vv) continue;
    ++slides[(at.s > 0 && at.s < 1) + (at.t > 0 && at.t < 1)];
    const double by[4] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const auto moved = [&](double share) {
      const double d[4] = {share * by[0], share * by[1], share * by[2], share * by[3]};
      return distance(p.moved(at.normal, d));
    };
    const double measured = second_difference(moved, 1e-4);
    EXPECT_NEAR(measured, -form(turning(f, at, 0), by[1] - by[0], by[3] - by[2]), 1e-5 * (1 + std::abs(measured)));
  }
  for (int count : slides) EXPECT_GT(count, 5);
}

// With slack the points are those of the least D²/2 + pull/2 ((s - ½)² + (t - ½)²), also where two lie along each
// other. A motion that leaves the distance of the two points as it is shows their sliding alone.
TEST(turning, of_steady_points_is_the_second_derivative_of_what_they_minimise) {
  const double pull = 0.07;
  for (double angle : {0.0, 0.01, 0.1, 0.7}) {
    const Two p{{-0.5, 0, 0}, {0.5, 0.02, 0}, {-0.4, 0, 0.3}, {0.6 * std::cos(angle), 0.6 * std::sin(angle), 0.3}};
    double s0, t0;
    closest::minimise(quadratic(p), pull, s0, t0);
    const Nearest at = closest::at(quadratic(p), s0, t0);
    const double slack = std::sqrt(at.distance * at.distance + pull / 2) - at.distance;  // pull = 2 slack (slack + 2 D)
    const double alpha = 0.7, beta = -0.4;
    // no motion of the nearest points themselves
    const double by[4] = {-at.s * alpha, (1 - at.s) * alpha, -at.t * beta, (1 - at.t) * beta};
    const auto least = [&](double share) {
      const double d[4] = {share * by[0], share * by[1], share * by[2], share * by[3]};
      const closest::Quadratic f = quadratic(p.moved(at.normal, d));
      double s, t;
      closest::minimise(f, pull, s, t);
      const double D = closest::at(f, s, t).distance;
      return 0.5 * D * D + 0.5 * pull * ((s - 0.5) * (s - 0.5) + (t - 0.5) * (t - 0.5));
    };
    const double measured = second_difference(least, 1e-4) / at.distance;
    const double expected = -form(turning(quadratic(p), at, slack), alpha, beta);
    EXPECT_LT(expected, -0.1) << angle;
    EXPECT_NEAR(measured, expected, 1e-5 * std::abs(expected)) << angle;
  }
}

TEST(turning, of_two_is_semi_definite) {
  Random random(2);
  for (int n = 0; n < 200; ++n) {
    const Two p{any(random), any(random), any(random), any(random)};
    const double slack = n % 2 ? 0.1 : 0;
    const Turning t = turning(quadratic(p), steady_nearest_points(p.a0, p.a1, p.b0, p.b1, slack), slack);
    EXPECT_GE(t.aa, 0);
    EXPECT_GE(t.bb, 0);
    EXPECT_LE(t.ab * t.ab, t.aa * t.bb * (1 + 1e-9));
  }
}

// a segment of length L at a height D over a ball: D(s) = sqrt(D² + s² L²), D'' = L²/D
TEST(turning, over_a_ball_is_the_second_derivative_of_the_distance) {
  Solid ball;
  ball.p[0] = {0.1, 0, 0}, ball.radius = 0.2;
  const Vec3d a0{-0.4, 0, 0.9}, a1{0.6, 0, 0.9};
  const NearestToSolid at = steady_nearest_points(ball, a0, a1, 0);
  const Turning found = turning(ball, a0, a1, at, 0);
  const auto moved = [&](double share) {
    const Vec3d n = at.normal;
    return steady_nearest_points(ball, a0 - (0.3 * share) * n, a1 + (0.5 * share) * n, 0).distance;
  };
  const double measured = second_difference(moved, 1e-3);
  EXPECT_NEAR(measured, -0.8 * 0.8 * 0.9, 1e-5);                // D/L² α²
  EXPECT_NEAR(-found.aa * 0.8 * 0.8, measured, 2e-3 * 0.5184);  // D'' by differences over a tenth of the segment
}

// a plane does not bend away: only the pull towards the middle keeps the point
TEST(turning, over_a_plane_is_bounded_by_the_slack) {
  Solid plane;
  plane.core = Solid::Core::half_space, plane.p[1] = {0, 0, 1};
  const Vec3d a0{-1, 0, 0.5}, a1{1, 0, 0.5};
  const double slack = 0.01;
  const NearestToSolid at = steady_nearest_points(plane, a0, a1, slack);
  EXPECT_NEAR(turning(plane, a0, a1, at, slack).aa, 1 / (8 * slack), 1e-6 / slack);
  NearestToSolid at_end = at;
  at_end.s = 1;
  EXPECT_EQ(turning(plane, a0, a1, at_end, slack).aa, 0);
}

}  // namespace
}  // namespace tendril
