#include <limits>

#include "scene/curve_checks.h"
#include "scene/curves/polyline.h"
#include "scene/curves/share.h"

namespace tendril::scene {
namespace {

const std::vector<Vec3d> corner = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}};

TEST(Polyline, KeepsItsPointsWithoutSegments) {
  const Curve path = polyline_curve({corner, false}, 0);
  expect_sound(path);
  EXPECT_EQ(path.points, corner);
  EXPECT_FALSE(path.closed);
  const double h = std::sqrt(0.5);
  EXPECT_NEAR(norm(path.tangents[0] - Vec3d{1, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(path.tangents[1] - Vec3d{h, h, 0}), 0, 1e-15);  // bisector
  EXPECT_NEAR(norm(path.tangents[2] - Vec3d{0, 1, 0}), 0, 1e-15);
}

TEST(Polyline, ClosesItself) {
  const Curve loop = polyline_curve({corner, true}, 0);
  expect_sound(loop);
  EXPECT_TRUE(loop.closed);
  EXPECT_EQ(loop.edges.size(), 3u);
  EXPECT_EQ(loop.edges.back(), (std::array<int, 2>{2, 0}));
  const Vec3d in = normalized(Vec3d{-1, -2, 0}), out{1, 0, 0};
  EXPECT_NEAR(norm(loop.tangents[0] - normalized(in + out)), 0, 1e-15);
}

TEST(Polyline, IsCutIntoEqualLengthsAlongItself) {
  const Curve path = polyline_curve({corner, false}, 6);  // of length 3
  expect_sound(path);
  ASSERT_EQ(path.points.size(), 7u);
  for (int i = 0; i <= 6; ++i) {
    const double s = 0.5 * i;
    EXPECT_NEAR(norm(path.points[i] - (s < 1 ? Vec3d{s, 0, 0} : Vec3d{1, s - 1, 0})), 0, 1e-14) << i;
  }
  const Curve loop = polyline_curve({{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, true}, 8);
  ASSERT_EQ(loop.points.size(), 8u);
  EXPECT_NEAR(norm(loop.points[7] - Vec3d{0, 0.5, 0}), 0, 1e-15);
}

TEST(Polyline, RefusesBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused("points", [] { polyline_curve({{}, false}, 0); });
  expect_refused("points", [] { polyline_curve({{{0, 0, 0}}, false}, 0); });
  expect_refused("points", [] { polyline_curve({{{0, 0, 0}, {1, 0, 0}}, true}, 0); });
  expect_refused("points", [] { polyline_curve({{{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, false}, 0); });
  expect_refused("points", [] { polyline_curve({{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}}, true}, 0); });
  expect_refused("points", [&] { polyline_curve({{{0, 0, 0}, {nan, 0, 0}}, false}, 0); });
  expect_refused("", [] { polyline_curve({{{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}}, false}, 0); });  // straight back
  expect_refused("", [] { polyline_curve({corner, true}, 2); });
  expect_refused("", [] { polyline_curve({corner, false}, -1); });
  expect_refused("", [] { polyline_curve({corner, false}, 1'000'000'000); });
}

TEST(ShareOut, GivesTheTotalByWeightAboveTheLeast) {
  EXPECT_EQ(share_out(10, {1, 1, 3}, {1, 1, 1}), (std::vector<int>{2, 2, 6}));
  EXPECT_EQ(share_out(10, {0, 0, 3}, {1, 3, 1}), (std::vector<int>{1, 3, 6}));
  EXPECT_EQ(share_out(3, {5, 1, 1}, {1, 1, 1}), (std::vector<int>{1, 1, 1}));
  const std::vector<int> odd = share_out(1001, {1, 2, 3, 4, 5, 6, 7}, std::vector<int>(7, 0));
  EXPECT_EQ(std::accumulate(odd.begin(), odd.end(), 0), 1001);
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(odd[k], 1001 * (k + 1) / 28.0, 1);
}

}  // namespace
}  // namespace tendril::scene
