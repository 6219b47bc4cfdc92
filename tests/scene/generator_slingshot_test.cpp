#include <limits>

#include "scene/curve_checks.h"
#include "scene/generators/slingshot.h"

namespace tendril::scene {
namespace {

TEST(Slingshot, HasTheCountsOfItsPaper) {
  const Curve slingshot = slingshot_curve({});
  expect_sound(slingshot);
  EXPECT_EQ(slingshot.points.size(), 44u);
  EXPECT_EQ(slingshot.edges.size(), 46u);
  EXPECT_EQ(component_count(slingshot), 1);
  EXPECT_EQ(loop_count(slingshot), 3);
  EXPECT_EQ(slingshot.part_names, (std::vector<std::string>{"handle", "band", "pouch"}));
}

TEST(Slingshot, CountsFollowFromItsKeys) {
  SlingshotOptions o;
  o.grip_segments = 3;
  o.arm_segments = 2;
  o.band_segments = 20;
  o.pouch_segments = 6;
  const Curve slingshot = slingshot_curve(o);
  expect_sound(slingshot);
  EXPECT_EQ(slingshot.edges.size(), 3u + 2 * 2 + 2 * 20 + 2 * 6 + 2);
  EXPECT_EQ(slingshot.points.size(), slingshot.edges.size() - 2);
}

// left and right are mirror images, and the pouch is the only way between the bands behind the handle
TEST(Slingshot, IsSymmetric) {
  const SlingshotOptions o;
  const Curve slingshot = slingshot_curve(o);
  for (const Vec3d& x : slingshot.points)
    EXPECT_TRUE(std::any_of(slingshot.points.begin(), slingshot.points.end(), [&](const Vec3d& y) {
      return norm(y - Vec3d{-x.x, x.y, x.z}) < 1e-15;
    }));
  double behind = 0, top = 0;
  for (const Vec3d& x : slingshot.points) behind = std::min(behind, x.y), top = std::max(top, x.z);
  EXPECT_EQ(behind, -o.draw);
  EXPECT_NEAR(top, o.height + 0.5 * o.pouch_height, 1e-15);
}

TEST(Slingshot, LeadsAwayFromItsGrip) {
  const Curve slingshot = slingshot_curve({});
  std::vector<char> reached(slingshot.points.size(), false);
  reached[0] = true;
  for (const auto& [a, b] : slingshot.edges) {
    ASSERT_TRUE(reached[a]);
    reached[b] = true;
  }
}

TEST(Slingshot, RefusesBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const char* key, auto change) {
    SlingshotOptions options;
    change(options);
    expect_refused(key, [&] { slingshot_curve(options); });
  };
  refused("base", [&](auto& o) { o.base.z = nan; });
  refused("height", [](auto& o) { o.height = 0; });
  refused("draw", [&](auto& o) { o.draw = nan; });
  refused("pouch_height", [](auto& o) { o.pouch_height = 0; });
  refused("band_segments", [](auto& o) { o.band_segments = 0; });
  refused("pouch_segments", [](auto& o) { o.pouch_segments = 5; });
  refused("grip_segments", [](auto& o) { o.grip_segments = 2'000'000'000; });
}

}  // namespace
}  // namespace tendril::scene
