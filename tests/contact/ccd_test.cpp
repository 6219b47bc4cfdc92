#include "contact/ccd.h"

#include <gtest/gtest.h>

#include <functional>

#include "contact/closest.h"
#include "math/random.h"

namespace tendril::contact {
namespace {

Vec3d random_vector(Random& random, double size = 1) {
  return size * Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

MovingSegment random_motion(Random& random, double length, double way) {
  MovingSegment a;
  a.x0[0] = random_vector(random), a.x0[1] = a.x0[0] + random_vector(random, length);
  for (int i = 0; i < 2; ++i) a.x1[i] = a.x0[i] + random_vector(random, way);
  return a;
}

Vec3d place(const MovingSegment& a, int i, double time) { return (1 - time) * a.x0[i] + time * a.x1[i]; }

// gap as a function of time
using Gap = std::function<double(double)>;

Gap gap_of(const MovingSegment& a, const MovingSegment& b, double radius_sum) {
  return [=](double t) {
    return nearest_points(place(a, 0, t), place(a, 1, t), place(b, 0, t), place(b, 1, t)).distance - radius_sum;
  };
}

Gap gap_of(const MovingSegment& a, const Solid& solid, const Pose& from, const Pose& to, double radius) {
  return [=](double t) {
    const Pose pose = pose_between(from, to, t);
    const auto seen = [&](int i) { return rotate(conjugate(pose.q), place(a, i, t) - pose.x); };
    return nearest_points(solid, seen(0), seen(1)).distance - solid.radius - radius;
  };
}

// samples the motion: up to the fraction the gap is above the goal; and there it is near the goal unless all is safe
void expect_safe_and_not_early(const Gap& gap, double fraction, double share, int samples = 2000) {
  const double at_start = gap(0), goal = share * at_start;
  ASSERT_GE(fraction, 0);
  ASSERT_LE(fraction, 1);
  for (int i = 0; i <= samples; ++i) ASSERT_GE(gap(fraction * i / samples), goal) << "at " << fraction * i / samples;
  if (fraction < 1) {
    ASSERT_LE(gap(fraction), goal + 0.011 * (1 - share) * at_start);
  }
}

struct Tally {
  int all = 0, some = 0;
  void count(double fraction) { ++(fraction < 1 ? some : all); }
  void expect_both() const {
    EXPECT_GT(all, 50);
    EXPECT_GT(some, 50);
  }
};

TEST(Ccd, CapsulesHeadOn) {
  // the gap 0.8 closes at speed 2: a quarter of it is left after 0.8 (1 - 1/4) / 2
  const MovingSegment a{{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}};
  const MovingSegment b{{{0.5, -1, 1}, {0.5, 1, 1}}, {{0.5, -1, -1}, {0.5, 1, -1}}};
  const double fraction = safe_fraction(a, b, 0.2, 0.25);
  EXPECT_LE(fraction, 0.3);
  EXPECT_GT(fraction, 0.3 * 0.99);
}

TEST(Ccd, CapsulesThatSlideOrPartMayGoAllTheWay) {
  const MovingSegment a{{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}};
  const MovingSegment sliding{{{0, 0, 0.2001}, {2, 0, 0.2001}}, {{90, 0, 0.2001}, {92, 0, 0.2001}}};
  EXPECT_EQ(safe_fraction(a, sliding, 0.2, 0.5), 1);
  const MovingSegment parting{{{0, 0, 0.2001}, {1, 0, 0.2001}}, {{0, 0, 9}, {1, 0, 2}}};
  EXPECT_EQ(safe_fraction(a, parting, 0.2, 0.5), 1);
}

TEST(Ccd, CapsulesThatTouchMayNotMove) {
  const MovingSegment a{{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}};
  const MovingSegment b{{{0, 0, 0.25}, {1, 0, 0.25}}, {{0, 0, 0}, {1, 0, 0}}};
  EXPECT_EQ(safe_fraction(a, b, 0.25, 0.1), 0);
  EXPECT_EQ(safe_fraction(a, b, 0.26, 0.1), 0);
}

TEST(Ccd, RandomCapsules) {
  Random random(1);
  Tally tally;
  for (int i = 0; i < 1500; ++i) {
    const MovingSegment a = random_motion(random, 1, 1), b = random_motion(random, 1, 1);
    const double share = i % 4 ? random.uniform(0, 0.9) : 0;
    const Gap distance = gap_of(a, b, 0);
    const double radius_sum = distance(0) * (1 - std::pow(10, random.uniform(-4, 0)));
    const double fraction = safe_fraction(a, b, radius_sum, share);
    expect_safe_and_not_early(gap_of(a, b, radius_sum), fraction, share);
    ASSERT_FALSE(HasFatalFailure()) << "case " << i;
    tally.count(fraction);
  }
  tally.expect_both();
}

// far from the origin the gap is no more than a few thousand roundings of the coordinates
TEST(Ccd, RoundingIsOnTheSafeSide) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    MovingSegment a = random_motion(random, 1, 0.1), b = random_motion(random, 1, 0.1);
    const Vec3d far = random_vector(random, 1e4);
    for (MovingSegment* x : {&a, &b})
      for (int k = 0; k < 2; ++k) x->x0[k] += far, x->x1[k] += far;
    const double radius_sum = gap_of(a, b, 0)(0) - 1e-8;
    if (radius_sum <= 0) continue;
    const double fraction = safe_fraction(a, b, radius_sum, 0.1);
    const Gap gap = gap_of(a, b, radius_sum);
    for (int k = 0; k <= 500; ++k) ASSERT_GE(gap(fraction * k / 500), 0.1e-8) << "case " << i;
  }
}

TEST(Ccd, APoseBetweenTurnsAtAConstantRateTheShorterWay) {
  const Pose from{{1, 0, 0}, quaternion_exp({0, 0, 0.3})}, to{{3, 0, 0}, -quaternion_exp({0, 0, 1.3})};
  const Pose pose = pose_between(from, to, 0.25);
  EXPECT_NEAR(pose.x.x, 1.5, 1e-15);
  EXPECT_NEAR(std::abs(dot(pose.q, quaternion_exp({0, 0, 0.55}))), 1, 1e-15);
  EXPECT_NEAR(std::abs(dot(pose_between(from, to, 1).q, to.q)), 1, 1e-15);
}

std::vector<Solid> one_of_each() {
  Mesh mesh;
  mesh.vertices = {{-0.4, 0, 0.1}, {0.5, 0.1, 0}, {0.1, 0.6, 0.2}}, mesh.triangles = {{0, 1, 2}};
  const Shape shapes[] = {Sphere{{0.1, 0.2, -0.1}, 0.1},
                          Capsule{{-0.3, 0.1, 0}, {0.4, 0.2, 0.3}, 0.1},
                          mesh,
                          Plane{{0.1, -0.3, 0.2}, {1, 2, 2}},
                          Cylinder{{0, -0.3, 0.1}, {0.3, 0.4, 0.2}, 0.15},
                          Box{{0.1, 0, -0.2}, {0.8, 0.4, 0.6}, quaternion_exp({0.4, 0.7, -0.3})}};
  std::vector<Solid> solids;
  for (const Shape& shape : shapes) solids.push_back(solids_of(shape, 0).at(0));
  return solids;
}

TEST(Ccd, RandomSolidsThatMoveAndTurn) {
  Random random(3);
  for (const Solid& solid : one_of_each()) {
    Tally tally;
    for (int i = 0; i < 400; ++i) {
      const MovingSegment a = random_motion(random, 0.5, i % 3 ? 1 : 0);
      const Pose from{random_vector(random, 0.3), quaternion_exp(random_vector(random, 3))};
      const Quatd turn = quaternion_exp(random_vector(random, i % 2 ? 1.5 : 0));
      const Pose to{from.x + random_vector(random, 0.5), normalized(turn * from.q)};
      const double share = i % 4 ? random.uniform(0, 0.9) : 0, start = gap_of(a, solid, from, to, 0)(0);
      if (start < 1e-3) continue;
      const double radius = start * (1 - std::pow(10, random.uniform(-3, 0)));
      const double fraction = safe_fraction(a, solid, from, to, radius, share);
      expect_safe_and_not_early(gap_of(a, solid, from, to, radius), fraction, share, 500);
      ASSERT_FALSE(HasFatalFailure()) << "core " << int(solid.core) << " case " << i;
      tally.count(fraction);
    }
    tally.expect_both();
  }
}

// a bat of length 1 sweeps a right angle about its end and stops at a rod across its way: at the angle where its side
// reaches the rod's surface, asin((radius + side + what is left) / distance from the pivot) before it
TEST(Ccd, ATurningBodyStopsAtARod) {
  const Solid bat = solids_of(Capsule{{0, 0, 0}, {1, 0, 0}, 0.05}, 0)[0];
  const MovingSegment rod{{{0, 0.8, -0.1}, {0, 0.8, 0.1}}, {{0, 0.8, -0.1}, {0, 0.8, 0.1}}};
  const Pose from, to{{}, quaternion_exp({0, 0, std::acos(0.0)})};
  const double gap = 0.8 - 0.05 - 0.02, left = 0.1 * gap;
  const double exact = 1 - std::asin((0.05 + 0.02 + left) / 0.8) / std::acos(0.0);
  const double fraction = safe_fraction(rod, bat, from, to, 0.02, 0.1);
  EXPECT_LE(fraction, exact);
  EXPECT_GT(fraction, exact - 0.01);
}

TEST(Ccd, ARodThatRestsOnThePlaneOfARotatingTableMayStay) {
  const Solid table = solids_of(Plane{}, 0)[0];
  const MovingSegment rod{{{5, 0, 0.101}, {6, 0, 0.101}}, {{5, 0, 0.101}, {6, 0, 0.101}}};
  EXPECT_EQ(safe_fraction(rod, table, {}, {{}, quaternion_exp({0, 0, 1})}, 0.1, 0.5), 1);
}

}  // namespace
}  // namespace tendril::contact
