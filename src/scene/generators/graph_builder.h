#pragma once

#include "scene/curve.h"

namespace tendril::scene {

// puts a graph together from points and paths of edges
class GraphBuilder {
 public:
  explicit GraphBuilder(std::vector<std::string> part_names);

  int add_point(const Vec3d& x);
  const Vec3d& point(int i) const { return curve_.points[i]; }
  void add_edge(int a, int b, int part);

  // a straight path of `segments` equal edges from point a to point b; gives all its points, both ends included
  std::vector<int> add_path(int a, int b, int segments, int part);

  // edges from each point to the next; gives the points
  std::vector<int> add_path(const std::vector<Vec3d>& points, int part);

  // the graph, checked
  Curve finish();

 private:
  Curve curve_;
};

}  // namespace tendril::scene
