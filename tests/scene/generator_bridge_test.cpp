#include <limits>

#include "scene/curve_checks.h"
#include "scene/generators/bridge.h"

namespace tendril::scene {
namespace {

enum { pylon, deck, cable };

TEST(Bridge, HasTheCountsOfItsPaper) {
  const Curve bridge = bridge_curve({});
  expect_sound(bridge);
  EXPECT_EQ(bridge.points.size(), 2208u);
  EXPECT_EQ(bridge.edges.size(), 2298u);
  EXPECT_EQ(component_count(bridge), 1);
  EXPECT_FALSE(bridge.chain);
  EXPECT_EQ(bridge.part_names, (std::vector<std::string>{"pylon", "deck", "cable"}));
}

TEST(Bridge, CountsFollowFromItsKeys) {
  BridgeOptions o;
  o.cables = 10;
  o.cable_segments = 5;
  o.arch_segments = 30;
  o.bays = 6;
  o.bay_segments = 3;
  o.beam_segments = 2;
  const Curve bridge = bridge_curve(o);
  expect_sound(bridge);
  EXPECT_EQ(bridge.edges.size(), 30u + 3 * 18 + 2 * 7 * 2 + 10 * 5);
  EXPECT_EQ(bridge.points.size(), bridge.edges.size() - 2 * 6 - 10 + 2);
  EXPECT_EQ(component_count(bridge), 1);
}

TEST(Bridge, HasItsMeasures) {
  const BridgeOptions o;
  const Curve bridge = bridge_curve(o);
  double top = 0, foot = 1, length = 0, width = 0;
  for (size_t e = 0; e < bridge.edges.size(); ++e)
    for (int i : bridge.edges[e]) {
      const Vec3d& x = bridge.points[i];
      if (bridge.part[e] == pylon) {
        EXPECT_EQ(x.x, 0);
        EXPECT_NEAR(x.z, o.height * (1 - std::pow(x.y / (0.5 * o.arch_width), 2)), 1e-10);
        top = std::max(top, x.z);
        foot = std::min(foot, x.z);
      } else if (bridge.part[e] == deck) {
        EXPECT_EQ(x.z, o.clearance);
        length = std::max(length, 2 * std::abs(x.x));
        width = std::max(width, 2 * std::abs(x.y));
      }
    }
  EXPECT_NEAR(top, o.height, 1e-9);
  EXPECT_NEAR(foot, 0, 1e-9);
  EXPECT_NEAR(length, o.span, 1e-9);
  EXPECT_NEAR(width, o.width, 1e-9);
}

// every stay is straight, leads down from the arch to the spine, and the whole turned by pi about the vertical is
// itself
TEST(Bridge, HangsOnTwoEqualFans) {
  const BridgeOptions o;
  const Curve bridge = bridge_curve(o);
  std::vector<std::array<Vec3d, 2>> stays;
  int run = 0;
  for (size_t e = 0; e < bridge.edges.size(); ++e) {
    if (bridge.part[e] != cable) continue;
    const Vec3d a = bridge.points[bridge.edges[e][0]], b = bridge.points[bridge.edges[e][1]];
    EXPECT_LT(b.z, a.z);
    if (run++ % o.cable_segments == 0) stays.push_back({a, b});
    EXPECT_NEAR(norm(cross(normalized(stays.back()[1] - stays.back()[0]), normalized(b - a))), 0, 1e-12);
    stays.back()[1] = b;
  }
  ASSERT_EQ(static_cast<int>(stays.size()), o.cables);
  for (const auto& [from, to] : stays) {
    EXPECT_EQ(from.x, 0);
    EXPECT_EQ(to.y, 0);
    EXPECT_NEAR(to.z, o.clearance, 1e-12);
    const bool has_twin = std::any_of(stays.begin(), stays.end(), [&, f = from, t = to](const auto& other) {
      return norm(other[0] - Vec3d{-f.x, -f.y, f.z}) < 1e-9 && norm(other[1] - Vec3d{-t.x, -t.y, t.z}) < 1e-9;
    });
    EXPECT_TRUE(has_twin);
  }
}

TEST(Bridge, RefusesBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const char* key, auto change) {
    BridgeOptions options;
    change(options);
    expect_refused(key, [&] { bridge_curve(options); });
  };
  refused("span", [](auto& o) { o.span = 0; });
  refused("width", [&](auto& o) { o.width = nan; });
  refused("height", [](auto& o) { o.height = -1; });
  refused("clearance", [](auto& o) { o.clearance = 200; });
  refused("arch_width", [](auto& o) { o.arch_width = 20; });
  refused("anchorage", [](auto& o) { o.anchorage = 0; });
  refused("cables", [](auto& o) { o.cables = 57; });
  refused("cables", [](auto& o) { o.cables = 68; });
  refused("cables", [](auto& o) { o.arch_segments = 10; });
  refused("bays", [](auto& o) { o.bays = 0; });
  refused("cable_segments", [](auto& o) { o.cable_segments = 2'000'000'000; });
  refused("", [](auto& o) { o.bays = 100'000, o.bay_segments = 100'000; });
}

}  // namespace
}  // namespace tendril::scene
