#pragma once

#include <utility>
#include <vector>

#include "layers.h"

namespace tendril::solvers::stable {

// who stands beside whom
class Graph {
 public:
  Graph(int node_count, const std::vector<std::pair<int, int>>& edges);
  int node_count() const { return static_cast<int>(first_.size()) - 1; }
  const int* begin(int node) const { return neighbours_.data() + first_[node]; }
  const int* end(int node) const { return neighbours_.data() + first_[node + 1]; }

 private:
  std::vector<int> first_;  // of each node's neighbours
  std::vector<int> neighbours_;
};

// numbers from 0 up so that no two neighbours have the same: breadth first, the least that is free. Chains, trees and
// all other bipartite graphs get two. A function of the graph only.
std::vector<int> colour(const Graph& graph);

}  // namespace tendril::solvers::stable
