#pragma once

#include <array>
#include <vector>

#include "math/bounds.h"
#include "math/vec3.h"

namespace tendril::scene {

// a point of a triangle mesh
struct SurfacePoint {
  int triangle = 0;
  Vec3d weights;  // of its three corners; they add up to 1
  Vec3d x;        // [m]
  Vec3d normal;   // unit, outwards, smooth over the mesh
};

// A triangle mesh as skin: places on it, and the nearest one to a point. Faces go round counter-clockwise seen from
// outside.
class GroomSurface {
 public:
  GroomSurface(std::vector<Vec3d> vertices, std::vector<std::array<int, 3>> triangles);

  int vertex_count() const { return static_cast<int>(vertices_.size()); }
  int triangle_count() const { return static_cast<int>(triangles_.size()); }
  const std::array<int, 3>& triangle(int t) const { return triangles_[t]; }
  double area(int triangle) const;  // [m²]

  SurfacePoint at(int triangle, const Vec3d& weights) const;
  SurfacePoint nearest(const Vec3d& p) const;
  double height(const Vec3d& p, const SurfacePoint& nearest) const;  // above the surface, negative inside [m]

 private:
  // boxes within boxes: a leaf holds a few triangles of `order_`
  struct Node {
    Bounds box;
    int begin = 0, end = 0;
    int left = -1, right = -1;
  };
  int build(int begin, int end);
  void search(int node, const Vec3d& p, double& best, SurfacePoint& found) const;
  Vec3d nearest_weights(int triangle, const Vec3d& p) const;

  std::vector<Vec3d> vertices_, normals_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace tendril::scene
