#include "solvers/stable/regions/body_region.h"

#include <gtest/gtest.h>

#include <random>

#include "contact/ccd.h"

namespace tendril::solvers::stable {
namespace {

// a box between two planes, one before it and one askew below
struct Between {
  std::vector<Solid> solids = solids_of(Box{{0.1, 0, 0}, {0.4, 0.3, 0.2}, {}}, 0);
  BodyRegion region;

  Between() {
    region.from = {{1, 2, 3}, quaternion_exp(Vec3d{0.2, 0.1, -0.3})};
    region.centre = {0.1, 0, 0};
    region.size = 0.5 * norm(Vec3d{0.4, 0.3, 0.2});
    region.range = {region.from.x + rotate(region.from.q, region.centre), region.from.q, 0.5};
    for (const Vec3d& outward : {Vec3d{1, 0, 0}, normalized(Vec3d{0.3, -0.2, -1})})
      region.planes.push_back({&solids[0], outward, surface(region.from, outward) + 0.02, 0.02});
  }
  double surface(const Pose& pose, const Vec3d& outward) const {
    return dot(outward, pose.x) + support(solids[0], rotate(conjugate(pose.q), outward));
  }
  // the centre goes straight
  Pose on_the_way(const Pose& to, double fraction) const {
    const Quatd q = pose_between(region.from, to, fraction).q;
    const Vec3d begin = region.from.x + rotate(region.from.q, region.centre), end = to.x + rotate(to.q, region.centre);
    return {begin + fraction * (end - begin) - rotate(q, region.centre), q};
  }
};

struct Dice {
  std::mt19937 engine{7};
  Vec3d vector(double size) {
    std::uniform_real_distribution<double> any(-size, size);
    return {any(engine), any(engine), any(engine)};
  }
};

// wherever the region lets it go, on its whole way there it stays behind the planes
TEST(body_region, no_way_into_it_passes_a_plane) {
  const Between b;
  Dice dice;
  int inside = 0;
  for (int n = 0; n < 2000; ++n) {
    const Pose to{b.region.from.x + dice.vector(0.15), quaternion_exp(dice.vector(1.0)) * b.region.from.q};
    if (!b.region.contains(to)) continue;
    ++inside;
    for (double fraction : {0.0, 0.02, 0.05, 0.1, 0.25, 0.5, 0.6, 0.9, 1.0})
      for (const BodyPlane& plane : b.region.planes)
        ASSERT_LE(b.surface(b.on_the_way(to, fraction), plane.outward), plane.limit + 1e-12) << n;
  }
  EXPECT_GT(inside, 100);
}

TEST(body_region, keeps_within_its_search_range) {
  const Between b;
  const Pose far{b.region.from.x + Vec3d{-0.6, 0, 0}, b.region.from.q};
  EXPECT_FALSE(b.region.contains(far));
  EXPECT_TRUE(b.region.contains({b.region.from.x + Vec3d{-0.4, 0, 0}, b.region.from.q}));
}

TEST(body_region, shifts_poses_in) {
  const Between b;
  Dice dice;
  for (int n = 0; n < 200; ++n) {
    const Pose wish{b.region.from.x + dice.vector(0.3), quaternion_exp(dice.vector(0.5)) * b.region.from.q};
    Pose pose = wish;
    ASSERT_TRUE(b.region.shift_in(pose)) << n;
    EXPECT_TRUE(b.region.contains(pose));
    EXPECT_EQ(pose.q, wish.q);
    if (b.region.contains(wish)) {
      EXPECT_LT(norm(pose.x - wish.x), 1e-15);
    }
  }
}

// a vertex that it carries has a region of its own: here it may not go below where it is by more than a centimetre
TEST(body_region, what_it_carries_counts) {
  Between b;
  const Vec3d offset{0, 0, 1};
  const HalfSpace floor{{0, 0, 1}, -0.01};
  b.region.followers.push_back(
      {offset, b.region.from.x + rotate(b.region.from.q, offset), {{&floor, 1}, {{-9, -9, -9}, {9, 9, 9}}, {0, 0, 0}}});
  EXPECT_TRUE(b.region.contains({b.region.from.x + Vec3d{-0.1, 0, -0.009}, b.region.from.q}));
  EXPECT_FALSE(b.region.contains({b.region.from.x + Vec3d{-0.1, 0, -0.011}, b.region.from.q}));
  EXPECT_NEAR(b.region.share(b.region.from, {-0.1, 0, -0.1}), 0.1, 1e-12);
}

TEST(body_region, share_ends_at_a_plane) {
  const Between b;
  EXPECT_NEAR(b.region.share(b.region.from, {0.08, 0, 0}), 0.25, 1e-12);
  EXPECT_EQ(b.region.share(b.region.from, {-0.2, 0, 0}), 1);
}

}  // namespace
}  // namespace tendril::solvers::stable
