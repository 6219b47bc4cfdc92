#include "scene/grooms/surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tendril::scene {
namespace {

constexpr int most_in_a_leaf = 4;

double squared_distance(const Bounds& box, const Vec3d& p) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double beyond = std::max({box.low[k] - p[k], p[k] - box.high[k], 0.0});
    sum += beyond * beyond;
  }
  return sum;
}

// faces count by their angle at a vertex, so that the normal does not depend on how they are cut
std::vector<Vec3d> vertex_normals(const std::vector<Vec3d>& x, const std::vector<std::array<int, 3>>& triangles) {
  std::vector<Vec3d> normals(x.size());
  for (const auto& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const Vec3d a = x[t[(k + 1) % 3]] - x[t[k]], b = x[t[(k + 2) % 3]] - x[t[k]], n = cross(a, b);
      if (const double length = norm(n); length > 0) normals[t[k]] += (std::atan2(length, dot(a, b)) / length) * n;
    }
  for (Vec3d& n : normals)
    if (const double length = norm(n); length > 0) n = n / length;
  return normals;
}

}  // namespace

GroomSurface::GroomSurface(std::vector<Vec3d> vertices, std::vector<std::array<int, 3>> triangles)
    : vertices_(std::move(vertices)), normals_(vertex_normals(vertices_, triangles)), triangles_(std::move(triangles)) {
  order_.resize(triangles_.size());
  std::iota(order_.begin(), order_.end(), 0);
  if (!order_.empty()) build(0, triangle_count());
}

double GroomSurface::area(int triangle) const {
  const auto& [a, b, c] = triangles_[triangle];
  return 0.5 * norm(cross(vertices_[b] - vertices_[a], vertices_[c] - vertices_[a]));
}

SurfacePoint GroomSurface::at(int triangle, const Vec3d& w) const {
  const auto& [a, b, c] = triangles_[triangle];
  const Vec3d normal = w.x * normals_[a] + w.y * normals_[b] + w.z * normals_[c];
  const double length = norm(normal);
  return {triangle, w, w.x * vertices_[a] + w.y * vertices_[b] + w.z * vertices_[c],
          length > 0 ? normal / length : Vec3d{0, 0, 1}};
}

SurfacePoint GroomSurface::nearest(const Vec3d& p) const {
  double best = std::numeric_limits<double>::infinity();
  SurfacePoint found;
  search(0, p, best, found);
  return at(found.triangle, found.weights);
}

double GroomSurface::height(const Vec3d& p, const SurfacePoint& nearest) const {
  return std::copysign(norm(p - nearest.x), dot(p - nearest.x, nearest.normal));
}

// halves by the middle of the longest side
int GroomSurface::build(int begin, int end) {
  const auto middle = [&](int t) {
    const auto& [a, b, c] = triangles_[t];
    return vertices_[a] + vertices_[b] + vertices_[c];
  };
  Node node;
  node.begin = begin, node.end = end;
  for (int k = begin; k < end; ++k)
    for (int i : triangles_[order_[k]]) node.box.take(vertices_[i]);
  const int number = static_cast<int>(nodes_.size());
  nodes_.push_back(node);
  if (end - begin <= most_in_a_leaf) return number;
  const Vec3d size = node.box.high - node.box.low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const int half = (begin + end) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end, [&](int a, int b) {
    const double x = middle(a)[axis], y = middle(b)[axis];
    return x != y ? x < y : a < b;
  });
  const int left = build(begin, half), right = build(half, end);
  nodes_[number].left = left, nodes_[number].right = right;
  return number;
}

void GroomSurface::search(int number, const Vec3d& p, double& best, SurfacePoint& found) const {
  const Node& node = nodes_[number];
  if (squared_distance(node.box, p) >= best) return;
  if (node.left < 0) {
    for (int k = node.begin; k < node.end; ++k) {
      const Vec3d w = nearest_weights(order_[k], p);
      const auto& [a, b, c] = triangles_[order_[k]];
      const double far = norm_squared(w.x * vertices_[a] + w.y * vertices_[b] + w.z * vertices_[c] - p);
      if (far < best) best = far, found.triangle = order_[k], found.weights = w;
    }
    return;
  }
  const bool left_first = squared_distance(nodes_[node.left].box, p) <= squared_distance(nodes_[node.right].box, p);
  search(left_first ? node.left : node.right, p, best, found);
  search(left_first ? node.right : node.left, p, best, found);
}

// of the foot of the perpendicular, or of the nearest point of the edge beyond which it lies
Vec3d GroomSurface::nearest_weights(int triangle, const Vec3d& p) const {
  const auto& t = triangles_[triangle];
  const Vec3d &a = vertices_[t[0]], &b = vertices_[t[1]], &c = vertices_[t[2]];
  const Vec3d n = cross(b - a, c - a);
  if (const double nn = norm_squared(n); nn > 0) {
    const Vec3d w{dot(cross(c - b, p - b), n) / nn, dot(cross(a - c, p - c), n) / nn, dot(cross(b - a, p - a), n) / nn};
    if (w.x >= 0 && w.y >= 0 && w.z >= 0) return w;
  }
  Vec3d best{1, 0, 0};
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec3d &from = vertices_[t[k]], along = vertices_[t[(k + 1) % 3]] - from;
    const double length = norm_squared(along), s = length > 0 ? std::clamp(dot(p - from, along) / length, 0.0, 1.0) : 0;
    const double far = norm_squared(from + s * along - p);
    if (far >= least) continue;
    least = far, best = {};
    best[k] = 1 - s, best[(k + 1) % 3] = s;
  }
  return best;
}

}  // namespace tendril::scene
