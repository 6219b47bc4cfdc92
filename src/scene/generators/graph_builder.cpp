#include "scene/generators/graph_builder.h"

#include <cassert>

#include "scene/curves/chain.h"

namespace tendril::scene {

GraphBuilder::GraphBuilder(std::vector<std::string> part_names) {
  curve_.part_names = std::move(part_names);
  curve_.chain = false;
}

int GraphBuilder::add_point(const Vec3d& x) {
  curve_.points.push_back(x);
  return static_cast<int>(curve_.points.size()) - 1;
}

void GraphBuilder::add_edge(int a, int b, int part) {
  curve_.edges.push_back({a, b});
  curve_.part.push_back(part);
}

std::vector<int> GraphBuilder::add_path(int a, int b, int segments, int part) {
  assert(segments >= 1);
  const Vec3d from = point(a), to = point(b);
  std::vector<int> path{a};
  for (int k = 1; k <= segments; ++k) {
    const double f = double(k) / segments;
    path.push_back(k < segments ? add_point((1 - f) * from + f * to) : b);
    add_edge(path[k - 1], path[k], part);
  }
  return path;
}

std::vector<int> GraphBuilder::add_path(const std::vector<Vec3d>& points, int part) {
  std::vector<int> path;
  for (const Vec3d& x : points) {
    path.push_back(add_point(x));
    if (path.size() > 1) add_edge(path[path.size() - 2], path.back(), part);
  }
  return path;
}

Curve GraphBuilder::finish() {
  check_edges(curve_);
  return std::move(curve_);
}

}  // namespace tendril::scene
