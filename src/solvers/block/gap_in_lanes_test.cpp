#include "solvers/block/gap_in_lanes.h"

#include <gtest/gtest.h>

#include <random>

#include "contact/gap_curvature.h"

namespace tendril::solvers::block {
namespace {

using T = StrandLanes;

Vec3<T> lanes(const Vec3d& v) { return {T(v.x), T(v.y), T(v.z)}; }
Vec3d first(const Vec3<T>& v) { return {v.x[0], v.y[0], v.z[0]}; }

CoreInLanes core_of(const Solid& solid, double radius) {
  CoreInLanes core;
  core.kind = solid.core, core.radius = T(radius);
  for (int k = 0; k < 3; ++k) core.p[k] = lanes(solid.p[k]);
  core.up = lanes({0, 0, 1}), core.knows_side = T(0) < T(1);
  return core;
}

// on the side on which the segment is
CoreInLanes core_seen_from(const Solid& solid, const NearestToSolid& nearest, double radius) {
  CoreInLanes core = core_of(solid, radius);
  if (solid.core != Solid::Core::triangle) return core;
  const Vec3d up = normalized(cross(solid.p[1] - solid.p[0], solid.p[2] - solid.p[0]));
  core.up = lanes((dot(up, nearest.normal) < 0 ? -1.0 : 1.0) * up);
  return core;
}

class OfCores : public ::testing::TestWithParam<Solid::Core> {};
INSTANTIATE_TEST_SUITE_P(Gap, OfCores, ::testing::Values(Solid::Core::point, Solid::Core::triangle));

// wherever surfaces do not overlap
TEST_P(OfCores, IsTheGapOfTheContactModule) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1, 1);
  const auto somewhere = [&] { return Vec3d{place(random), place(random), place(random)}; };
  int seen = 0;
  for (int n = 0; n < 3000; ++n) {
    Solid solid;
    solid.core = GetParam();
    for (Vec3d& p : solid.p) p = somewhere();
    const Vec3d a0 = somewhere(), a1 = a0 + 0.3 * somewhere();
    const SteadyToSolid expected = steady_nearest_points(solid, a0, a1, 0.05);
    if (!(expected.distance > 0.06)) continue;
    ++seen;
    const GapInLanes gap = gap_of(core_seen_from(solid, expected, 0.05), lanes(a0), lanes(a1), T(0.5));
    EXPECT_NEAR(gap.gap[0], expected.gap, 1e-11) << n;
    EXPECT_NEAR(gap.s[0], expected.s, 1e-6) << n;
    EXPECT_NEAR(gap.slope[0], expected.slope, 1e-6) << n;
    EXPECT_LT(norm(first(gap.normal) - expected.normal), 1e-6) << n;
    // where it slides from one part of the surface to another the curvature jumps
    if (std::min(gap.s[0], 1 - gap.s[0]) < 1e-4 && gap.s[0] > 0 && gap.s[0] < 1) continue;
    const GapCurvature c = gap_curvature(solid, a0, a1, 0.05);
    const Vec3d probe = somewhere();
    const Mat3<T> slide = full(gap.bend.slide);
    const Vec3d slid = first(slide * lanes(probe));
    const double tolerance = 2e-3 * (1 / expected.distance + c.aa);
    EXPECT_LT(norm(slid - c.slide * probe), tolerance) << n;
    EXPECT_LT(norm(first(gap.bend.a) - c.a), tolerance) << n;
    EXPECT_NEAR(gap.bend.aa[0], c.aa, tolerance) << n;
  }
  EXPECT_GT(seen, 1500);
}

Solid triangle() {
  Solid solid;
  solid.core = Solid::Core::triangle;
  solid.p[0] = {-1, -1, 0}, solid.p[1] = {1, -1, 0}, solid.p[2] = {0, 1, 0};
  return solid;
}

TEST(Gap, BelowATriangleTheWayOutIsUp) {
  const GapInLanes gap = gap_of(core_of(triangle(), 0.01), lanes({-0.3, 0, 0.1}), lanes({0.2, 0, -0.02}), T(0.5));
  EXPECT_NEAR(gap.gap[0], -0.03, 1e-12);
  EXPECT_EQ(gap.s[0], 1);
  EXPECT_EQ(first(gap.normal), (Vec3d{0, 0, 1}));
}
TEST(Gap, OnlyWhatIsOverTheTriangleCounts) {
  const GapInLanes gap = gap_of(core_of(triangle(), 0.01), lanes({0, 0, 0.1}), lanes({2, 0, -0.3}), T(0.5));
  EXPECT_NEAR(gap.s[0], 0.25, 1e-12) << "it leaves the triangle at x = 0.5";
  EXPECT_NEAR(gap.gap[0], -0.01, 1e-12);
}
TEST(Gap, WhatIsBesideATriangleAndBelowIsForItsNeighbours) {
  const GapInLanes gap = gap_of(core_of(triangle(), 0.01), lanes({-0.5, -1.1, -0.1}), lanes({0.5, -1.1, -0.1}), T(0.5));
  EXPECT_GT(gap.gap[0], 1e6);
}
TEST(Gap, WhatBeganBehindATriangleIsNotPushedThrough) {
  CoreInLanes core = core_of(triangle(), 0.01);
  core.knows_side = T(1) < T(0);
  EXPECT_GT(gap_of(core, lanes({-0.2, 0, -0.1}), lanes({0.2, 0, -0.1}), T(0.5)).gap[0], 1e6);
}

TEST(Gap, OfWhatIsFarIsNotMoreThanItIs) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-1, 1);
  for (int n = 0; n < 300; ++n) {
    Solid solid = triangle();
    CoreInLanes core = core_of(solid, 0.01);
    core.middle = lanes({0, -1.0 / 3, 0}), core.extent = T(4.0 / 3);
    const Vec3d a0 = 3.0 * Vec3d{place(random), place(random), place(random)}, a1 = a0 + Vec3d{0.3, 0, place(random)};
    EXPECT_LE(distant_gap(core, lanes(a0), lanes(a1)).gap[0], nearest_points(solid, a0, a1).distance - 0.01);
  }
}

}  // namespace
}  // namespace tendril::solvers::block
