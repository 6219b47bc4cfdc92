#include "contact/edges.h"

#include <gtest/gtest.h>

#include <random>

namespace tendril::contact {
namespace {

Solid only_solid(const Shape& shape) { return solids_of(shape, 3).front(); }

double total_length(const std::vector<Solid>& edges) {
  double sum = 0;
  for (const Solid& edge : edges) sum += norm(edge.p[1] - edge.p[0]);
  return sum;
}

TEST(edges, of_round_solids_are_the_solids) {
  const std::vector<Solid> ball = edges_of(only_solid(Sphere{{1, 2, 3}, 0.5}));
  ASSERT_EQ(ball.size(), 1u);
  EXPECT_EQ(ball[0].p[0], (Vec3d{1, 2, 3}));
  EXPECT_EQ(ball[0].radius, 0.5);
  EXPECT_EQ(ball[0].body, 3);
  const std::vector<Solid> capsule = edges_of(only_solid(Capsule{{0, 0, 0}, {0, 0, 2}, 0.1}));
  EXPECT_NEAR(total_length(capsule), 2, 1e-14);
  EXPECT_EQ(capsule.front().p[0], (Vec3d{0, 0, 0}));
  EXPECT_EQ(capsule.back().p[1], (Vec3d{0, 0, 2}));
}

// twelve edges, four along each axis; every point of them has two coordinates at the walls
TEST(edges, of_a_box) {
  const Vec3d size{1, 2, 3}, centre{0.3, 0.1, -0.2};
  const Quatd turn = quaternion_exp(Vec3d{0.3, -0.5, 0.2});
  const std::vector<Solid> edges = edges_of(only_solid(Box{centre, size, turn}));
  EXPECT_NEAR(total_length(edges), 4 * (1 + 2 + 3), 1e-13);
  for (const Solid& edge : edges)
    for (double s : {0.0, 0.37, 1.0}) {
      const Vec3d p = rotate(conjugate(turn), edge.p[0] + s * (edge.p[1] - edge.p[0]) - centre);
      int walls = 0;
      for (int k = 0; k < 3; ++k) {
        EXPECT_LE(std::abs(p[k]), 0.5 * size[k] + 1e-14);
        walls += std::abs(std::abs(p[k]) - 0.5 * size[k]) < 1e-14;
      }
      EXPECT_GE(walls, 2);
    }
}

// They reach at least as far as the solid along every direction, so that nothing passes a rim, and hardly farther.
TEST(edges, of_a_cylinder_hold_it_and_little_more) {
  const Solid cylinder = only_solid(Cylinder{{0, 0, 0}, {0.3, 0.4, 1.2}, 0.5});
  const std::vector<Solid> edges = edges_of(cylinder);
  std::mt19937 dice(1);
  std::normal_distribution<double> any;
  for (int n = 0; n < 300; ++n) {
    const Vec3d direction = normalized(Vec3d{any(dice), any(dice), any(dice)});
    double farthest = -1e9;
    for (const Solid& edge : edges) farthest = std::max(farthest, support(edge, direction));
    EXPECT_GE(farthest, support(cylinder, direction) - 1e-12);
    EXPECT_LE(farthest, support(cylinder, direction) + 0.0104 * 0.5);
  }
}

TEST(edges, a_half_space_has_none) { EXPECT_TRUE(edges_of(only_solid(Plane{})).empty()); }

}  // namespace
}  // namespace tendril::contact
