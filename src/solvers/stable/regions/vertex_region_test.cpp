#include "solvers/stable/regions/vertex_region.h"

#include <gtest/gtest.h>

#include <random>

namespace tendril::solvers::stable {
namespace {

std::mt19937 engine(7);
Vec3d random_vector(double size) {
  std::uniform_real_distribution<double> u(-size, size);
  return {u(engine), u(engine), u(engine)};
}

// around the origin, which is inside
std::vector<HalfSpace> random_half_spaces(int count) {
  std::vector<HalfSpace> all;
  for (int k = 0; k < count; ++k) all.push_back({normalized(random_vector(1)), -0.1 - std::abs(random_vector(0.5).x)});
  return all;
}

const Bounds box{{-1, -1, -1}, {1, 1, 1}};

TEST(vertex_region, what_goes_towards_a_point_stays_inside) {
  int stopped = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::vector<HalfSpace> half_spaces = random_half_spaces(6);
    const VertexRegion region{half_spaces, box, {1, 1, 1}};
    const Vec3d to = random_vector(2), end = region.towards({}, to);
    for (const HalfSpace& half : half_spaces) EXPECT_GE(dot(half.normal, end), half.bound - 1e-12);
    if (region.contains(to)) {
      EXPECT_EQ(end, to);
    }
    stopped += end == to ? 0 : 1;
  }
  EXPECT_GT(stopped, 1000);  // the test has seen walls
}

TEST(vertex_region, what_meets_one_wall_slides_along_it) {
  const std::vector<HalfSpace> floor{{{0, 0, 1}, -0.1}};
  const VertexRegion region{floor, box, {1, 1, 1}};
  const Vec3d end = region.towards({}, {0.5, 0.2, -0.7});
  EXPECT_NEAR(end.x, 0.5, 1e-12);
  EXPECT_NEAR(end.y, 0.2, 1e-12);
  EXPECT_NEAR(end.z, -0.1, 1e-12);
}

TEST(vertex_region, pulls_in_what_is_outside) {
  for (int round = 0; round < 500; ++round) {
    const std::vector<HalfSpace> half_spaces = random_half_spaces(5);
    const VertexRegion region{half_spaces, box, {1, 1, 1}};
    Vec3d d = random_vector(2);
    ASSERT_TRUE(region.pull_in(d));
    EXPECT_TRUE(region.contains(d));
  }
}

TEST(vertex_region, says_when_there_is_no_room) {
  const std::vector<HalfSpace> vice{{{0, 0, 1}, 0.1}, {{0, 0, -1}, 0.1}};
  Vec3d d{0.3, 0, 0};
  EXPECT_FALSE((VertexRegion{vice, box, {1, 1, 1}}.pull_in(d)));
  EXPECT_EQ(d, (Vec3d{0.3, 0, 0}));
}

TEST(vertex_region, leaves_held_axes_alone) {
  const std::vector<HalfSpace> slope{{normalized(Vec3d{1, 0, 1}), 0.2}};
  Vec3d d{0, 0, 0.05};
  EXPECT_TRUE((VertexRegion{slope, box, {1, 1, 0}}.pull_in(d)));
  EXPECT_EQ(d.z, 0.05);
}

TEST(vertex_region, its_room_is_a_ball_inside) {
  for (int round = 0; round < 500; ++round) {
    const std::vector<HalfSpace> half_spaces = random_half_spaces(6);
    const VertexRegion region{half_spaces, box, {1, 1, 1}};
    const double room = region.room({});
    EXPECT_GT(room, 0);
    EXPECT_TRUE(region.contains((1 - 1e-9) * room * normalized(random_vector(1))));
    bool meets_a_wall = false;  // and no larger one is
    for (const HalfSpace& half : half_spaces) meets_a_wall |= !region.contains((1 + 1e-6) * room * -half.normal);
    EXPECT_TRUE(meets_a_wall || room > 0.999);
  }
}

}  // namespace
}  // namespace tendril::solvers::stable
