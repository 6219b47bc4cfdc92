#include "contact/solid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "contact/closest.h"
#include "math/random.h"

namespace tendril::contact {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vec3d random_vector(Random& random, double size = 1) {
  return size * Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

Quatd random_turn(Random& random) { return quaternion_exp(random_vector(random, 3)); }

Mesh one_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  Mesh mesh;
  mesh.vertices = {a, b, c};
  mesh.triangles = {{0, 1, 2}};
  return mesh;
}

// one solid of each kind of core
std::vector<Solid> one_of_each() {
  const Shape shapes[] = {Sphere{{0.1, 0.2, -0.1}, 0.3},
                          Capsule{{-0.3, 0.1, 0}, {0.4, 0.2, 0.3}, 0.2},
                          one_triangle({-0.4, 0, 0.1}, {0.5, 0.1, 0}, {0.1, 0.6, 0.2}),
                          Plane{{0.1, -0.3, 0.2}, {1, 2, 2}},
                          Cylinder{{0, -0.3, 0.1}, {0.3, 0.4, 0.2}, 0.35},
                          Box{{0.1, 0, -0.2}, {0.8, 0.4, 0.6}, quaternion_exp({0.4, 0.7, -0.3})}};
  std::vector<Solid> solids;
  for (const Shape& shape : shapes) solids.push_back(solids_of(shape, 7).at(0));
  return solids;
}

// a point of the core, from its definition
Vec3d random_in_core(const Solid& solid, Random& random) {
  const Vec3d* p = solid.p;
  const double u = random.uniform(), v = random.uniform();
  switch (solid.core) {
    case Solid::Core::point:
      return p[0];
    case Solid::Core::segment:
      return p[0] + u * (p[1] - p[0]);
    case Solid::Core::triangle:
      return p[0] + (1 - std::sqrt(u)) * (p[1] - p[0]) + v * std::sqrt(u) * (p[2] - p[0]);
    case Solid::Core::half_space: {
      const Vec3d any = p[0] + random_vector(random, 2);
      return any - (dot(any - p[0], p[1]) + 2 * u) * p[1];
    }
    case Solid::Core::cylinder: {
      const Vec3d axis = normalized(p[1] - p[0]), out = any_perpendicular(axis);
      const double angle = 2 * std::numbers::pi * random.uniform();
      return p[0] + u * (p[1] - p[0]) +
             solid.breadth.x * std::sqrt(v) * (std::cos(angle) * out + std::sin(angle) * cross(axis, out));
    }
    case Solid::Core::box:
      break;
  }
  return p[0] + rotate(solid.rotation, scale(solid.breadth, random_vector(random)));
}

TEST(Solid, ShapesBecomeConvexSolids) {
  EXPECT_TRUE(solids_of({}, 0).empty());
  const std::vector<Solid> solids = one_of_each();
  const double radii[] = {0.3, 0.2, 0, 0, 0, 0};
  for (std::size_t k = 0; k < solids.size(); ++k) {
    EXPECT_EQ(int(solids[k].core), int(k));
    EXPECT_EQ(solids[k].radius, radii[k]);
    EXPECT_EQ(solids[k].body, 7);
  }
}

TEST(Solid, AMeshIsItsTrianglesWithoutTheDegenerateOnes) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0.5, 0}, {1e-5, 0, 0}, {0, 1e-5, 0}};
  mesh.triangles = {{0, 1, 2}, {1, 2, 3}, {0, 0, 1}, {0, 4, 5}};  // {1, 2, 3} has no area, {0, 4, 5} is only small
  const std::vector<Solid> solids = solids_of(mesh, 3);
  ASSERT_EQ(solids.size(), 2u);
  EXPECT_EQ(solids[0].p[1], mesh.vertices[1]);
  EXPECT_EQ(solids[1].p[1], mesh.vertices[4]);
}

// c is the nearest point of a convex set to p exactly when it belongs to it and (p - c)·(x - c) <= 0 for all x of it
TEST(Solid, NearestInCoreIsTheProjection) {
  Random random(1);
  for (const Solid& solid : one_of_each()) {
    for (int i = 0; i < 300; ++i) {
      const Vec3d p = random_vector(random, i % 2 ? 2 : 0.6), c = nearest_in_core(solid, p);
      EXPECT_NEAR(norm(nearest_in_core(solid, c) - c), 0, 1e-15);
      for (int k = 0; k < 300; ++k) ASSERT_LE(dot(p - c, random_in_core(solid, random) - c), 1e-14);
    }
    for (int k = 0; k < 100; ++k) {
      const Vec3d inside = random_in_core(solid, random);
      EXPECT_NEAR(norm(nearest_in_core(solid, inside) - inside), 0, 1e-15);
    }
  }
}

TEST(Solid, NearestInCoreOfKnownPlaces) {
  const Solid triangle = solids_of(one_triangle({0, 0, 0}, {4, 0, 0}, {0, 4, 0}), 0)[0];
  EXPECT_EQ(nearest_in_core(triangle, {1, 1, 5}), (Vec3d{1, 1, 0}));
  EXPECT_EQ(nearest_in_core(triangle, {1, -2, 5}), (Vec3d{1, 0, 0}));
  EXPECT_EQ(nearest_in_core(triangle, {-2, 1, 5}), (Vec3d{0, 1, 0}));
  EXPECT_EQ(nearest_in_core(triangle, {3, 3, 5}), (Vec3d{2, 2, 0}));
  EXPECT_EQ(nearest_in_core(triangle, {9, 2, 5}), (Vec3d{4, 0, 0}));
  EXPECT_EQ(nearest_in_core(triangle, {-1, -1, 0}), (Vec3d{0, 0, 0}));
  const Solid cylinder = solids_of(Cylinder{{0, 0, 0}, {0, 0, 2}, 1}, 0)[0];
  EXPECT_EQ(nearest_in_core(cylinder, {0.5, 0, 3}), (Vec3d{0.5, 0, 2}));
  EXPECT_EQ(nearest_in_core(cylinder, {3, 0, 1}), (Vec3d{1, 0, 1}));
  EXPECT_EQ(nearest_in_core(cylinder, {0, -3, -1}), (Vec3d{0, -1, 0}));
  EXPECT_EQ(nearest_in_core(cylinder, {0.1, 0.2, 0.3}), (Vec3d{0.1, 0.2, 0.3}));
}

// no point lies beyond the support, and the nearest point to a far one lies on it
TEST(Solid, SupportIsTheLargestReach) {
  Random random(2);
  for (const Solid& solid : one_of_each()) {
    for (int i = 0; i < 300; ++i) {
      const Vec3d p = random_vector(random, 3), c = nearest_in_core(solid, p);
      if (norm(p - c) < 1e-3) continue;
      const Vec3d n = solid.core == Solid::Core::half_space ? solid.p[1] : normalized(p - c);
      EXPECT_NEAR(support(solid, n), dot(n, c) + solid.radius, 1e-12);
      for (int k = 0; k < 100; ++k)
        ASSERT_LE(dot(n, random_in_core(solid, random)) + solid.radius, support(solid, n) + 1e-14);
    }
  }
}

TEST(Solid, AHalfSpaceEndsOnlyAlongItsNormal) {
  const Solid floor = solids_of(Plane{{0, 0, 3}, {0, 0, 2}}, 0)[0];
  EXPECT_EQ(support(floor, {0, 0, 1}), 3);
  EXPECT_EQ(support(floor, {0, 0, -1}), infinity);
  EXPECT_EQ(support(floor, normalized(Vec3d{1e-9, 0, 1})), infinity);
  const Bounds all = bounds(floor, {});
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(all.low[k], -infinity);
    EXPECT_EQ(all.high[k], infinity);
  }
}

TEST(Solid, BoundsHoldTheSolidAndAreTight) {
  Random random(3);
  for (const Solid& solid : one_of_each()) {
    if (solid.core == Solid::Core::half_space) continue;
    const Pose pose{random_vector(random, 10), random_turn(random)};
    const Bounds box = bounds(solid, pose);
    Vec3d low{infinity, infinity, infinity}, high = -low;
    for (int i = 0; i < 100000; ++i) {
      const Vec3d x = pose.x + rotate(pose.q, random_in_core(solid, random));
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], x[k] - solid.radius), high[k] = std::max(high[k], x[k] + solid.radius);
        ASSERT_GE(x[k] - solid.radius, box.low[k]);
        ASSERT_LE(x[k] + solid.radius, box.high[k]);
      }
    }
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(low[k], box.low[k], 0.04);
      EXPECT_NEAR(high[k], box.high[k], 0.04);
    }
  }
}

// by thirds: the distance is convex along the segment
double searched_distance(const Solid& solid, const Vec3d& a0, const Vec3d& a1) {
  const auto distance = [&](double s) {
    const Vec3d p = a0 + s * (a1 - a0);
    return norm(p - nearest_in_core(solid, p));
  };
  double low = 0, high = 1;
  for (int i = 0; i < 90; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (distance(left) < distance(right))
      high = right;
    else
      low = left;
  }
  return distance(0.5 * (low + high));
}

TEST(Solid, NearestPointsAreNearestAndSteadyOnesTheLeastOfGapTimesFactor) {
  Random random(4);
  for (const Solid& solid : one_of_each()) {
    int apart_count = 0;
    for (int i = 0; i < 1500; ++i) {
      const Vec3d a0 = random_vector(random, 1.5), a1 = a0 + random_vector(random, std::pow(10, random.uniform(-4, 0)));
      const double d = searched_distance(solid, a0, a1);
      const NearestToSolid n = nearest_points(solid, a0, a1);
      const Vec3d p = a0 + n.s * (a1 - a0);
      ASSERT_NEAR(n.distance, d, 1e-11) << "core " << int(solid.core) << " case " << i;
      EXPECT_NEAR(norm(p - n.point), n.distance, 1e-14);
      EXPECT_NEAR(norm(nearest_in_core(solid, n.point) - n.point), 0, 1e-14);
      if (n.distance <= 1e-6) continue;
      ++apart_count;
      EXPECT_NEAR(norm(n.distance * n.normal - (p - n.point)), 0, 1e-14);
      const double gap = d * std::pow(10, random.uniform(-5, -0.01)), radius = d - gap;
      const SteadyToSolid steady = steady_nearest_points(solid, a0, a1, radius);
      ASSERT_GE(steady.gap, gap - 1e-11);
      ASSERT_LE(steady.gap, 1.3 * gap + 1e-11);
      if (solid.core == Solid::Core::segment) continue;  // as between two segments
      for (double ds : {-0.1, -0.01, 0.01, 0.1}) {
        const double s = std::clamp(steady.s + ds, 0.0, 1.0), factor = 1 + steadiness * (s - 0.5) * (s - 0.5);
        const Vec3d other = a0 + s * (a1 - a0);
        ASSERT_GE(factor * (norm(other - nearest_in_core(solid, other)) - radius), steady.gap - 1e-12);
      }
    }
    EXPECT_GT(apart_count, 300);
  }
}

// the largest jump of s while a segment turns through parallel to a face, an edge or a side
double largest_jump(const Solid& solid, const Vec3d& middle, const Vec3d& along, const Vec3d& up, bool steady,
                    int steps) {
  double jump = 0, before = 0;
  for (int i = 0; i <= steps; ++i) {
    const double angle = 0.02 * (double(i) / steps - 0.43);
    const Vec3d half = 0.2 * (std::cos(angle) * along + std::sin(angle) * up);
    const Vec3d a0 = middle - half, a1 = middle + half;
    const double s = steady ? steady_nearest_points(solid, a0, a1, 0.099).s : nearest_points(solid, a0, a1).s;
    if (i > 0) jump = std::max(jump, std::abs(s - before));
    before = s;
  }
  return jump;
}

TEST(Solid, SteadyPointsPassThroughParallelWithoutAJump) {
  const Vec3d x{1, 0, 0}, z{0, 0, 1};
  const struct {
    Shape shape;
    Vec3d middle;
  } lying[] = {{Plane{{0, 0, 0}, {0, 0, 1}}, {0, 0, 0.1}},
               {Box{{0, 0, -0.5}, {3, 3, 1}, {}}, {0.1, 0.2, 0.1}},
               {Cylinder{{-1, 0, -0.5}, {1, 0, -0.5}, 0.5}, {0.2, 0, 0.1}},
               {Capsule{{-1, 0, 0}, {1, 0, 0}, 0.05}, {0.2, 0, 0.1}},
               {one_triangle({-2, -2, 0}, {2, -2, 0}, {0, 3, 0}), {0.1, 0.1, 0.1}}};
  for (const auto& [shape, middle] : lying) {
    const Solid solid = solids_of(shape, 0)[0];
    EXPECT_GT(largest_jump(solid, middle, x, z, false, 10000), 0.4) << shape.index();  // the true ones jump
    const double coarse = largest_jump(solid, middle, x, z, true, 10000),
                 fine = largest_jump(solid, middle, x, z, true, 40000);
    EXPECT_LT(fine, 1e-2) << shape.index();
    EXPECT_NEAR(coarse / fine, 4, 0.2) << shape.index();
  }
}

}  // namespace
}  // namespace tendril::contact
