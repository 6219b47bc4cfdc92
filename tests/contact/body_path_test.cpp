#include "contact/body_path.h"

#include <gtest/gtest.h>

#include <random>

namespace tendril::contact {
namespace {

// q q̄ is one but for rounding: what stays where it is does not move, and what moves freely is not driven
TEST(body_path, does_not_take_rounding_for_motion) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int n = 0; n < 100; ++n) {
    const Pose pose{{any(random), any(random), any(random)}, quaternion_exp({any(random), any(random), any(random)})};
    BodyPath path;
    path.centre = {0.1, 0.2, 0.3};
    path.set(pose, pose);
    EXPECT_FALSE(path.moves);
    EXPECT_EQ(path.turn, Vec3d{});
    path.set(pose, {pose.x + Vec3d{0, 0, 1e-9}, pose.q});
    EXPECT_TRUE(path.moves);
    path.is_free = true;
    path.set(pose, {pose.x + Vec3d{0, 0, 1e-9}, pose.q});
    EXPECT_FALSE(path.moves);
  }
}

TEST(body_path, ends_where_it_should) {
  BodyPath path;
  path.centre = {0.1, -0.2, 0.3};
  const Pose from{{1, 2, 3}, quaternion_exp({0.1, 0.2, 0.3})}, to{{1.1, 1.8, 3}, quaternion_exp({-0.4, 0.2, 0.9})};
  path.set(from, to);
  EXPECT_LT(norm(path.at(0).x - from.x), 1e-14);
  EXPECT_LT(norm(path.at(1).x - to.x), 1e-14);
  EXPECT_NEAR(std::abs(dot(path.at(1).q, to.q)), 1, 1e-14);
}

}  // namespace
}  // namespace tendril::contact
