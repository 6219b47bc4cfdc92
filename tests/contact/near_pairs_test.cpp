#include "contact/near_pairs.h"

#include <gtest/gtest.h>

#include "rod/chain.h"

namespace tendril::contact {
namespace {

constexpr double radius = 0.02;

// the signed distance of a straight chain along x at height z, after `shape` has become an obstacle
std::vector<NearPair> pairs_with(const Shape& shape, double z) {
  Chain c = make_chain({.segments = 1, .length = 1, .radius = radius});
  for (Vec3d& x : c.state.x) x.z = z;
  Body body;
  body.shape = shape, body.is_obstacle = true;
  c.model.bodies.push_back(body);
  c.state.body_x.resize(1), c.state.body_q.resize(1);
  NearPairs near(c.model, c.state, {});
  return near.find(c.state);
}

void expect_gap(const Shape& shape, double z, double gap, const Vec3d& normal) {
  const std::vector<NearPair> pairs = pairs_with(shape, z);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_NEAR(pairs[0].gap, gap, 1e-14);
  EXPECT_NEAR(norm(pairs[0].normal - normal), 0, 1e-12);
  EXPECT_EQ(pairs[0].overlaps(), gap <= 0);
}

TEST(near_pairs, measures_from_surface_to_surface) {
  const Vec3d up{0, 0, 1};
  expect_gap(Plane{}, 0.021, 0.001, up);
  expect_gap(Sphere{{0.5, 0, 0}, 0.3}, 0.321, 0.001, up);
  const double reach =
      0.01;  // a hundredth of the segment's length, which is between a tenth of its radius and all of it
  EXPECT_FALSE(pairs_with(Plane{}, radius + 0.99 * reach).empty());
  EXPECT_TRUE(pairs_with(Plane{}, radius + 1.01 * reach).empty()) << "beyond the reach of the barrier";
}

// the depth is how far the rod has to go, also when its middle line is in the solid
TEST(near_pairs, knows_the_way_out) {
  const Vec3d up{0, 0, 1};
  expect_gap(Plane{}, 0.015, -0.005, up);
  expect_gap(Plane{}, -0.5, -0.52, up);
  expect_gap(Sphere{{0.5, 0, 0}, 0.3}, 0.1, -0.22, up);
  expect_gap(Box{{0.5, 0, 0}, {4, 4, 1}, {}}, 0.2, -0.32, up);
  expect_gap(Box{{0.5, 0, 0}, {4, 4, 1}, {}}, -0.2, -0.32, -up);
  expect_gap(Cylinder{{-3, 0, 0}, {3, 0, 0}, 0.4}, 0.1, -0.32, up);
  expect_gap(Cylinder{{0.5, 0, -0.2}, {0.5, 0, 0.2}, 5}, 0.1, -0.12, up);
  Mesh mesh;
  mesh.vertices = {{-5, -5, 0}, {5, -5, 0}, {0, 9, 0}}, mesh.triangles = {{0, 1, 2}};
  expect_gap(mesh, 0.01, -0.01, up);
}

TEST(near_pairs, segments_that_meet_have_a_normal) {
  const auto crossing_at = [](double z) {
    Chain c = make_chain({.segments = 1, .length = 1, .radius = radius});
    c.model.vertices.resize(4);
    Segment other = c.model.segments[0];
    other.vertex[0] = 2, other.vertex[1] = 3;
    c.model.segments.push_back(other);
    c.state.x.insert(c.state.x.end(), {{0.3, -0.5, z}, {0.3, 0.5, z}});
    NearPairs near(c.model, c.state, {});
    return near.find(c.state).at(0);
  };
  EXPECT_NEAR(crossing_at(0.03).gap, -0.01, 1e-15);
  EXPECT_NEAR(crossing_at(0.03).s, 0.3, 1e-14);
  EXPECT_NEAR(crossing_at(0.03).normal.z, -1, 1e-14) << "from b to a";
  EXPECT_NEAR(crossing_at(0).gap, -0.04, 1e-15);
  EXPECT_NEAR(std::abs(crossing_at(0).normal.z), 1, 1e-14);
}

}  // namespace
}  // namespace tendril::contact
