#include <limits>
#include <numbers>

#include "scene/curve_checks.h"
#include "scene/generators/teapot_slinky.h"

namespace tendril::scene {
namespace {

TEST(TeapotSlinky, HasTheCountsOfItsPaper) {
  const Curve slinky = teapot_slinky_curve({});
  expect_sound(slinky);
  EXPECT_TRUE(slinky.chain);
  EXPECT_FALSE(slinky.closed);
  EXPECT_EQ(slinky.edges.size(), 2880u);
  EXPECT_EQ(slinky.points.size(), 2881u);
  EXPECT_EQ(slinky.tangents.size(), 2881u);
}

// the teapot's measures in its own units: 3 high, foot 1.5, belly 2 at 0.75, rim 1.5 at 2.25
TEST(TeapotSlinky, HasTheTeapotsSilhouette) {
  TeapotSlinkyOptions options;
  options.size = 3;
  options.segments = 20'000;
  const Curve slinky = teapot_slinky_curve(options);
  EXPECT_NEAR(std::hypot(slinky.points.front().x, slinky.points.front().y), 1.5, 1e-12);
  EXPECT_NEAR(slinky.points.front().z, 0, 1e-12);
  EXPECT_NEAR(slinky.points.back().z, 3, 1e-12);
  double belly = 0, belly_height = 0, knob = 0;
  for (const Vec3d& x : slinky.points) {
    const double r = std::hypot(x.x, x.y);
    if (r > belly) belly = r, belly_height = x.z;
    if (x.z > 2.5) knob = std::max(knob, r);
    if (x.z > 2.45) {
      EXPECT_LT(r, 0.5);
    }  // above the lid there is only the knob
  }
  EXPECT_NEAR(belly, 2, 1e-3);
  EXPECT_NEAR(belly_height, 0.75, 0.1);
  EXPECT_NEAR(knob, 0.4, 0.05);
}

TEST(TeapotSlinky, IsOneRightHandedCoilThatDoesNotTouchItself) {
  const TeapotSlinkyOptions options;
  const Curve slinky = teapot_slinky_curve(options);
  double angle = 0;
  for (size_t i = 1; i < slinky.points.size(); ++i) {
    const Vec3d a = slinky.points[i - 1], b = slinky.points[i];
    const double step = std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
    EXPECT_GT(step, 0);
    angle += step;
  }
  EXPECT_NEAR(angle, 2 * std::numbers::pi * options.turns, 1e-9);

  // neighbouring coils keep their distance: no vertex near another one that is half a turn or more away
  double nearest = 1;
  for (size_t i = 0; i < slinky.points.size(); ++i)
    for (size_t j = i + 5; j < slinky.points.size(); ++j)
      nearest = std::min(nearest, norm(slinky.points[i] - slinky.points[j]));
  EXPECT_GT(nearest, 0.02 * options.size);
}

TEST(TeapotSlinky, HasEqualArcLengths) {
  TeapotSlinkyOptions options;
  options.segments = 28'800;
  const auto [low, high] = edge_range(teapot_slinky_curve(options));
  EXPECT_GT(low / high, 0.999);  // chords fall short of arcs by h² kappa² / 24
}

TEST(TeapotSlinky, RefusesBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const char* key, auto change) {
    TeapotSlinkyOptions options;
    change(options);
    expect_refused(key, [&] { teapot_slinky_curve(options); });
  };
  refused("size", [](auto& o) { o.size = 0; });
  refused("turns", [&](auto& o) { o.turns = nan; });
  refused("turns", [](auto& o) { o.turns = 0; });
  refused("axis", [](auto& o) { o.axis = {}; });
  refused("center", [&](auto& o) { o.center.x = nan; });
  refused("", [](auto& o) { o.segments = 0; });
}

}  // namespace
}  // namespace tendril::scene
