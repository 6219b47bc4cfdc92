#pragma once

#include <vector>

#include "rod/model.h"

namespace tendril::solvers::stable {

// a traversal of the graph of vertices and segments, branch by branch: neighbours are met soon after each other
struct Traversal {
  std::vector<int> vertex, segment;  // when each is met
  int length = 0;
};

Traversal traverse(const Model& model);

}  // namespace tendril::solvers::stable
