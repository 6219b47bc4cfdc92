// lines, arcs, circles and helices against their closed forms

#include <limits>
#include <numbers>

#include "scene/curve_checks.h"
#include "scene/curves/arc.h"
#include "scene/curves/arc_length.h"
#include "scene/curves/helix.h"
#include "scene/curves/line.h"

namespace tendril::scene {
namespace {

using std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Line, HasEqualEdgesAndItsEnds) {
  const Curve line = line_curve({{1, 2, 3}, {4, 6, 3}}, 7);
  expect_sound(line);
  EXPECT_EQ(line.points.size(), 8u);
  EXPECT_EQ(line.edges.size(), 7u);
  EXPECT_TRUE(line.chain);
  EXPECT_EQ(line.points.front(), (Vec3d{1, 2, 3}));
  EXPECT_EQ(line.points.back(), (Vec3d{4, 6, 3}));
  for (size_t e = 0; e < 7; ++e) EXPECT_NEAR(edge_length(line, e), 5.0 / 7, 1e-14);
  for (const Vec3d& t : line.tangents) EXPECT_NEAR(norm(t - Vec3d{0.6, 0.8, 0}), 0, 1e-15);
}

TEST(Line, RefusesBadInput) {
  expect_refused("to", [] { line_curve({{1, 0, 0}, {1, 0, 0}}, 5); });
  expect_refused("to", [] { line_curve({{0, 0, 0}, {nan, 0, 0}}, 5); });
  expect_refused("from", [] { line_curve({{infinity, 0, 0}, {0, 0, 0}}, 5); });
  expect_refused("", [] { line_curve({{0, 0, 0}, {1, 0, 0}}, 0); });
  expect_refused("", [] { line_curve({{0, 0, 0}, {1, 0, 0}}, -3); });
  expect_refused("", [] { line_curve({{0, 0, 0}, {1, 0, 0}}, 2'000'000'000); });
  expect_refused("", [] { line_curve({{1e20, 0, 0}, {1e20 + 1e5, 0, 0}}, 1000); });  // vertices coincide by round-off
}

TEST(Arc, LiesOnItsCircle) {
  ArcOptions options;
  options.center = {1, 2, 3};
  options.from = {1, 4, 3.5};  // the half metre along the axis only shifts the plane
  options.axis = {0, 0, 2};
  options.angle = -1.2;
  const Curve arc = arc_curve(options, 12);
  expect_sound(arc);
  EXPECT_EQ(arc.points.front(), options.from);
  for (size_t i = 0; i < arc.points.size(); ++i) {
    const double phi = -1.2 * i / 12;
    EXPECT_NEAR(norm(arc.points[i] - Vec3d{1 - 2 * std::sin(phi), 2 + 2 * std::cos(phi), 3.5}), 0, 1e-14);
    EXPECT_NEAR(norm(arc.tangents[i] - Vec3d{std::cos(phi), std::sin(phi), 0}), 0, 1e-14);
  }
  for (size_t e = 0; e < 12; ++e) EXPECT_NEAR(edge_length(arc, e), 2 * 2 * std::sin(0.05), 1e-14);  // 2 r sin(φ/2)
}

TEST(Arc, RefusesBadInput) {
  const ArcOptions good{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 1};
  const auto refused = [&](const char* key, auto change) {
    ArcOptions options = good;
    change(options);
    expect_refused(key, [&] { arc_curve(options, 4); });
  };
  EXPECT_NO_THROW(arc_curve(good, 1));
  refused("axis", [](auto& o) { o.axis = {}; });
  refused("axis", [](auto& o) { o.axis = {nan, 0, 1}; });
  refused("angle", [](auto& o) { o.angle = 0; });
  refused("angle", [](auto& o) { o.angle = nan; });
  refused("angle", [](auto& o) { o.angle = 2 * pi; });
  refused("from", [](auto& o) { o.from = o.center; });
  refused("from", [](auto& o) { o.from = {0, 0, 3}; });
  refused("center", [](auto& o) { o.center = {0, nan, 0}; });
}

TEST(Circle, IsClosedAndStartsOnTheNormalsSide) {
  const Vec3d normal{0, 5, 1};
  const Curve circle = circle_curve({{1, 1, 1}, {0, 0, 3}, 0.5}, 10, &normal);
  expect_sound(circle);
  EXPECT_TRUE(circle.closed);
  EXPECT_EQ(circle.points.size(), 10u);
  EXPECT_EQ(circle.edges.back(), (std::array<int, 2>{9, 0}));
  EXPECT_NEAR(norm(circle.points[0] - Vec3d{1, 1.5, 1}), 0, 1e-15);
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(edge_length(circle, i), 2 * 0.5 * std::sin(pi / 10), 1e-15);
    // right-handed about the axis: (x - c) x t = r axis
    EXPECT_NEAR(norm(cross(circle.points[i] - Vec3d{1, 1, 1}, circle.tangents[i]) - Vec3d{0, 0, 0.5}), 0, 1e-15);
  }
}

TEST(Circle, RefusesBadInput) {
  expect_refused("", [] { circle_curve({{}, {0, 0, 1}, 1}, 2); });
  expect_refused("radius", [] { circle_curve({{}, {0, 0, 1}, 0}, 8); });
  expect_refused("radius", [] { circle_curve({{}, {0, 0, 1}, nan}, 8); });
  expect_refused("axis", [] { circle_curve({{}, {0, 0, 0}, 1}, 8); });
}

TEST(Helix, WithOneRadiusIsExact) {
  HelixOptions options;
  options.center = {1, 0, 0};
  options.axis = {0, 0, 2};
  options.radius = {{0, 0.3}};
  options.pitch = 0.1;
  options.turns = 2.5;
  const Vec3d normal{0, 1, 0};
  const int n = 40;
  const Curve helix = helix_curve(options, n, &normal);
  expect_sound(helix);
  const double slope = 0.1 / (2 * pi), speed = std::hypot(0.3, slope);  // per radian
  for (int i = 0; i <= n; ++i) {
    const double phi = 2 * pi * 2.5 * i / n;
    const Vec3d expected{1 - 0.3 * std::sin(phi), 0.3 * std::cos(phi), slope * phi};
    const Vec3d tangent = Vec3d{-0.3 * std::cos(phi), -0.3 * std::sin(phi), slope} / speed;
    EXPECT_NEAR(norm(helix.points[i] - expected), 0, 1e-14);
    EXPECT_NEAR(norm(helix.tangents[i] - tangent), 0, 1e-14);
  }
}

TEST(Helix, StartsOnTheDefaultSideWithoutNormal) {
  HelixOptions options;
  options.axis = {0, 0, 1};
  options.radius = {{0, 1}};
  options.pitch = 1;
  EXPECT_NEAR(norm(helix_curve(options, 4).points[0] - Vec3d{1, 0, 0}), 0, 1e-15);
  options.axis = {1, 0.1, 0};  // least aligned: z
  EXPECT_NEAR(norm(helix_curve(options, 4).points[0] - Vec3d{0, 0, 1}), 0, 1e-15);
}

// a flat spiral r = a phi has the length a/2 (phi sqrt(1 + phi²) + asinh phi)
TEST(Helix, CutsASpiralIntoEqualArcLengths) {
  const double a = 0.02, end = 2 * pi * 5;
  const auto length = [&](double phi) { return a / 2 * (phi * std::sqrt(1 + phi * phi) + std::asinh(phi)); };
  HelixOptions options;
  options.radius = {{0, 0}, {1, a * end}};
  options.turns = 5;
  const int n = 300;
  const Curve spiral = helix_curve(options, n);
  expect_sound(spiral);
  for (int i = 0; i <= n; ++i) {
    const double phi = norm(spiral.points[i]) / a;
    EXPECT_NEAR(length(phi), length(end) * i / n, 1e-11 * length(end)) << i;
    // tangent: dr/dphi along the arm, r across it
    const Vec3d arm{std::cos(phi), std::sin(phi), 0}, across{-std::sin(phi), std::cos(phi), 0};
    EXPECT_NEAR(norm(spiral.tangents[i] - (arm + phi * across) / std::hypot(1.0, phi)), 0, 1e-9);
  }
}

TEST(Helix, FollowsItsProfileAcrossKinks) {
  HelixOptions options;
  options.radius = {{0.2, 1.0}, {0.5, 2.0}, {0.6, 0.5}};
  options.pitch = 0.4;
  options.turns = 3;
  for (const Vec3d& x : helix_curve(options, 500).points) {
    const double f = x.z / (3 * 0.4);
    const double radius = f < 0.2 ? 1 : f < 0.5 ? 1 + (f - 0.2) / 0.3 : f < 0.6 ? 2 - 15 * (f - 0.5) : 0.5;
    EXPECT_NEAR(std::hypot(x.x, x.y), radius, 1e-12);
  }
}

TEST(Helix, RefusesBadInput) {
  HelixOptions good;
  good.radius = {{0, 1}};
  good.pitch = 0.5;
  good.turns = 2;
  const auto refused = [&](const char* key, auto change) {
    HelixOptions options = good;
    change(options);
    expect_refused(key, [&] { helix_curve(options, 16); });
  };
  EXPECT_NO_THROW(helix_curve(good, 16));
  refused("radius", [](auto& o) { o.radius = {}; });
  refused("radius", [](auto& o) { o.radius = {{0, 0}}; });
  refused("radius", [](auto& o) { o.radius = {{0, nan}}; });
  refused("radius", [](auto& o) { o.radius = {{0, 1}, {0, 2}}; });
  refused("radius", [](auto& o) { o.radius = {{0, 1}, {1.5, 2}}; });
  refused("radius", [](auto& o) { o.radius = {{0, 1}, {1, -2}}; });
  refused("axis", [](auto& o) { o.axis = {}; });
  refused("turns", [](auto& o) { o.turns = 0; });
  refused("pitch", [](auto& o) { o.pitch = nan; });
  refused("pitch", [](auto& o) { o.pitch = 0; });  // two turns over each other
  refused("pitch", [](auto& o) { o.pitch = 0, o.radius = {{0, 1}, {1, 1}}; });
  expect_refused("", [&] { helix_curve(good, 0); });
}

// an ellipse: the quarter length a E(e²), here with b/a = 1/2 (E to 15 digits)
TEST(ArcLength, MatchesTheEllipticIntegral) {
  ParametricCurve quarter;
  quarter.point = [](double u) { return Vec3d{2 * std::cos(u), std::sin(u), 0}; };
  quarter.derivative = [](double u) { return Vec3d{-2 * std::sin(u), std::cos(u), 0}; };
  quarter.breaks = {0, pi / 2};
  EXPECT_NEAR(arc_length(quarter), 2 * std::comp_ellint_2(std::sqrt(0.75)), 1e-13);
}

}  // namespace
}  // namespace tendril::scene
