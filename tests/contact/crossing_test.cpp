#include "contact/crossing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/random.h"

namespace tendril::contact {
namespace {

Vec3d random_vector(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }

MovingSegment random_motion(Random& random) {
  return {{random_vector(random), random_vector(random)}, {random_vector(random), random_vector(random)}};
}

Vec3d place(const MovingSegment& a, int i, double time) { return (1 - time) * a.x0[i] + time * a.x1[i]; }
Vec3d point(const MovingSegment& a, double s, double time) {
  return (1 - s) * place(a, 0, time) + s * place(a, 1, time);
}

void shift(MovingSegment& a, const Vec3d& by) {
  for (int i = 0; i < 2; ++i) a.x0[i] += by, a.x1[i] += by;
}

// the volume of the four ends at many instants; where it changes its sign, whether the lines cross within both segments
bool crosses_by_sampling(const MovingSegment& a, const MovingSegment& b) {
  const auto volume = [&](double t) {
    return dot(cross(place(a, 1, t) - place(a, 0, t), place(b, 1, t) - place(b, 0, t)),
               place(a, 0, t) - place(b, 0, t));
  };
  constexpr int samples = 1000;
  for (int i = 0; i < samples; ++i) {
    double low = double(i) / samples, high = double(i + 1) / samples;
    if (volume(low) * volume(high) > 0) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (volume(low) * volume(middle) <= 0 ? high : low) = middle;
    }
    const Vec3d u = place(a, 1, low) - place(a, 0, low), v = place(b, 1, low) - place(b, 0, low);
    const Vec3d w = place(b, 0, low) - place(a, 0, low), n = cross(u, v);
    const double s = dot(cross(w, v), n) / dot(n, n), t = dot(cross(w, u), n) / dot(n, n);
    if (std::min(s, t) >= 0 && std::max(s, t) <= 1) return true;
  }
  return false;
}

TEST(Crossing, RandomMotionsAgreeWithTheSampledCubic) {
  Random random(1);
  int crossings = 0;
  for (int i = 0; i < 3000; ++i) {
    const MovingSegment a = random_motion(random), b = random_motion(random);
    const bool expected = crosses_by_sampling(a, b);
    ASSERT_EQ(cross(a, b), expected) << "case " << i;
    crossings += expected;
  }
  EXPECT_GT(crossings, 300);
  EXPECT_LT(crossings, 2700);
}

TEST(Crossing, MotionsBuiltToMeetDo) {
  Random random(2);
  for (int i = 0; i < 3000; ++i) {
    const MovingSegment a = random_motion(random);
    MovingSegment b = random_motion(random);
    const double s = random.uniform(0.001, 0.999), t = random.uniform(0.001, 0.999),
                 time = random.uniform(0.001, 0.999);
    shift(b, point(a, s, time) - point(b, t, time));
    EXPECT_TRUE(cross(a, b)) << "case " << i;
    EXPECT_TRUE(cross(b, a)) << "case " << i;
  }
}

// b moves without turning, so it meets a's line once: at a place and time that we choose
TEST(Crossing, MeetsOrMissesByOneBillionth) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    MovingSegment a = random_motion(random), b = random_motion(random);
    for (int k = 0; k < 2; ++k) a.x1[k] = a.x0[k];
    b.x1[1] = b.x0[1] + (b.x1[0] - b.x0[0]);
    // a pair of nearly equal directions would make 1e-9 along one of them less across
    const Vec3d along_a = normalized(a.x0[1] - a.x0[0]), along_b = normalized(b.x0[1] - b.x0[0]);
    const Vec3d way = normalized(b.x1[0] - b.x0[0]);
    if (std::abs(dot(along_a, cross(along_b, way))) < 0.1) continue;
    for (const double miss : {1e-9, -1e-9}) {
      const auto crosses_at = [&](double s, double t, double time) {
        MovingSegment moved = b;
        shift(moved, point(a, s, time) - point(b, t, time));
        return cross(a, moved);
      };
      EXPECT_EQ(crosses_at(1 + miss, 0.3, 0.4), miss < 0);
      EXPECT_EQ(crosses_at(0.2, -miss, 0.4), miss < 0);
      EXPECT_EQ(crosses_at(0.2, 0.6, 1 + miss), miss < 0);
      EXPECT_EQ(crosses_at(0.2, 0.6, -miss), miss < 0);
    }
  }
}

// far from the origin only the coordinates themselves round
TEST(Crossing, ATranslationChangesNothing) {
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    MovingSegment a = random_motion(random), b = random_motion(random);
    const bool before = cross(a, b);
    shift(a, {1024, -4096, 2048}), shift(b, {1024, -4096, 2048});
    ASSERT_EQ(cross(a, b), before);
  }
}

TEST(Crossing, SizeIsThatOfTheThingsNotTheirPlace) {
  const auto falls_past_the_end = [](double x) {
    MovingSegment a{{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}};
    MovingSegment b{{{x, -1, 1}, {x, 1, 1}}, {{x, -1, -1}, {x, 1, -1}}};
    shift(a, {0, 0x1p25, 0}), shift(b, {0, 0x1p25, 0});
    return !cross(a, b);
  };
  EXPECT_TRUE(falls_past_the_end(1 + 1e-9));
  EXPECT_FALSE(falls_past_the_end(1 - 1e-9));
}

MovingSegment reversed(const MovingSegment& a) { return {{a.x0[1], a.x0[0]}, {a.x1[1], a.x1[0]}}; }

// all in the plane z = 0, where the cubic says nothing
TEST(Crossing, MotionInAPlane) {
  const MovingSegment still{{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}};
  const auto falls = [&](double x, double until) {
    const MovingSegment falling{{{x, 1, 0}, {x, 2, 0}}, {{x, until, 0}, {x, 1 + until, 0}}};
    const bool meets = cross(still, falling);
    EXPECT_EQ(meets, cross(still, reversed(falling)));
    EXPECT_EQ(meets, cross(falling, still));
    EXPECT_EQ(meets, cross(reversed(falling), reversed(still)));
    return meets;
  };
  EXPECT_TRUE(falls(0.5, -1));
  EXPECT_TRUE(falls(0.5, -1e-9));
  EXPECT_FALSE(falls(0.5, 1e-9));
  EXPECT_TRUE(falls(1 - 1e-9, -1));
  EXPECT_FALSE(falls(1 + 1e-9, -1));
  EXPECT_FALSE(falls(-1e-9, -1));
}

TEST(Crossing, ParallelSegments) {
  const MovingSegment still{{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}};
  // side by side, through each other and not
  EXPECT_TRUE(cross(still, {{{0.2, 0, 1}, {0.8, 0, 1}}, {{0.2, 0, -1}, {0.8, 0, -1}}}));
  EXPECT_FALSE(cross(still, {{{0.2, 0, 1}, {0.8, 0, 1}}, {{0.2, 0, 1e-9}, {0.8, 0, 1e-9}}}));
  EXPECT_FALSE(cross(still, {{{1 + 1e-9, 0, 1}, {2, 0, 1}}, {{1 + 1e-9, 0, -1}, {2, 0, -1}}}));
  // along it at hardly any distance
  EXPECT_FALSE(cross(still, {{{-3, 0, 1e-9}, {-2, 0, 1e-9}}, {{3, 0, 1e-9}, {4, 0, 1e-9}}}));
  // on one line, end to end
  EXPECT_TRUE(cross(still, {{{2, 0, 0}, {3, 0, 0}}, {{1 - 1e-9, 0, 0}, {2, 0, 0}}}));
  EXPECT_FALSE(cross(still, {{{2, 0, 0}, {3, 0, 0}}, {{1 + 1e-9, 0, 0}, {2, 0, 0}}}));
}

// one turns above the other while it sinks: the middles are at height - 1e-3 at the end
TEST(Crossing, TurningAndSinking) {
  const MovingSegment still{{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}};
  const auto sinks = [&](double height) {
    const double from = height + 1e-3, to = height - 1e-3;
    return cross(still, {{{-1, -1, from}, {1, 1, from}}, {{1, -1, to}, {-1, 1, to}}});
  };
  EXPECT_TRUE(sinks(0));
  EXPECT_TRUE(sinks(1e-3 - 1e-9));
  EXPECT_FALSE(sinks(1e-3 + 1e-9));
}

// one goes a quarter round the axis of the other at a billionth of its length, or cuts through to the far side
TEST(Crossing, TurningRoundTheAxisAtHardlyAnyDistance) {
  const MovingSegment axis{{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}};
  const auto goes_to = [&](const Vec3d& middle) {
    const Vec3d start{0, 0, 1e-9}, first{1, 1, 0}, last{1, 0, 1};
    return cross(axis, {{start - first, start + first}, {middle - last, middle + last}});
  };
  EXPECT_FALSE(goes_to({0, -1e-9, 0}));
  EXPECT_TRUE(goes_to({0, 1e-9, 0}));
}

TEST(Crossing, PointsWithoutLengthMeetToo) {
  const MovingSegment a{{{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}};
  const auto meets = [&](double y) { return cross(a, {{{1, y, 0}, {1, y, 0}}, {{0, y, 0}, {0, y, 0}}}); };
  EXPECT_TRUE(meets(0));
  EXPECT_FALSE(meets(1e-9));
}

MovingTriangle random_triangle(Random& random) {
  MovingTriangle b;
  for (int k = 0; k < 3; ++k) b.x0[k] = random_vector(random), b.x1[k] = random_vector(random);
  return b;
}

Vec3d point(const MovingTriangle& b, double u, double v, double time) {
  const auto waypoint = [&](int k) { return (1 - time) * b.x0[k] + time * b.x1[k]; };
  return (1 - u - v) * waypoint(0) + u * waypoint(1) + v * waypoint(2);
}

TEST(Crossing, APointBuiltToMeetATriangleDoes) {
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    const MovingTriangle b = random_triangle(random);
    const double u = random.uniform(0.001, 0.5), v = random.uniform(0.001, 0.499), time = random.uniform(0.001, 0.999);
    const Vec3d way = random_vector(random), there = point(b, u, v, time);
    EXPECT_TRUE(crosses_triangle(MovingPoint{there - time * way, there + (1 - time) * way}, b)) << "case " << i;
  }
}

TEST(Crossing, APointMeetsOrMissesATriangleByOneBillionth) {
  const MovingTriangle b{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}};
  const auto falls = [&](double x, double y, double until) {
    return crosses_triangle(MovingPoint{{x, y, 2}, {x, y, until}}, b);
  };
  EXPECT_TRUE(falls(0.25, 0.25, 0));
  EXPECT_TRUE(falls(0.25, 0.25, 1 - 1e-9));
  EXPECT_FALSE(falls(0.25, 0.25, 1 + 1e-9));
  EXPECT_TRUE(falls(0.5, 0.5 - 1e-9, 0));
  EXPECT_FALSE(falls(0.5, 0.5 + 1e-9, 0));
  EXPECT_FALSE(falls(-1e-9, 0.5, 0));
  EXPECT_FALSE(falls(0.5, -1e-9, 0));
  // in the plane of the triangle
  const MovingTriangle still{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  EXPECT_TRUE(crosses_triangle(MovingPoint{{-1, 0.5, 0}, {2, 0.5, 0}}, still));
  EXPECT_FALSE(crosses_triangle(MovingPoint{{-1, 1 + 1e-9, 0}, {2, 1 + 1e-9, 0}}, still));
}

TEST(Crossing, ASegmentMeetsATriangleByItsEndsByAnEdgeOrFromTheStart) {
  const MovingTriangle b{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  // end first, from above
  EXPECT_TRUE(crosses_triangle(MovingSegment{{{0.2, 0.2, 1}, {0.2, 0.2, 2}}, {{0.2, 0.2, -1}, {0.2, 0.2, 0}}}, b));
  EXPECT_FALSE(crosses_triangle(MovingSegment{{{0.2, 0.2, 1}, {0.2, 0.2, 2}}, {{0.2, 0.2, 1e-9}, {0.2, 0.2, 1}}}, b));
  // upright, from the side, through an edge
  EXPECT_TRUE(crosses_triangle(MovingSegment{{{-1, 0.2, -1}, {-1, 0.2, 1}}, {{0.1, 0.2, -1}, {0.1, 0.2, 1}}}, b));
  EXPECT_FALSE(crosses_triangle(MovingSegment{{{-1, 0.2, -1}, {-1, 0.2, 1}}, {{-1e-9, 0.2, -1}, {-1e-9, 0.2, 1}}}, b));
  // lying flat, longer than the triangle
  EXPECT_TRUE(crosses_triangle(MovingSegment{{{-1, 0.2, 1}, {2, 0.2, 1}}, {{-1, 0.2, -1}, {2, 0.2, -1}}}, b));
  // through it and at rest
  EXPECT_TRUE(crosses_triangle(MovingSegment{{{0.2, 0.2, -1}, {0.2, 0.2, 1}}, {{0.2, 0.2, -1}, {0.2, 0.2, 1}}}, b));
  EXPECT_FALSE(crosses_triangle(MovingSegment{{{0.6, 0.6, -1}, {0.6, 0.6, 1}}, {{0.6, 0.6, -1}, {0.6, 0.6, 1}}}, b));
}

}  // namespace
}  // namespace tendril::contact
