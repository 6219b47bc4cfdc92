#pragma once

#include <vector>

#include "rod/model.h"

namespace tendril::stable {

// a walk through the graph of vertices and segments, branch by branch: neighbours are met soon after each other
struct Walk {
  std::vector<int> vertex, segment;  // when each is met
  int length = 0;
};

Walk walk_through(const Model& model);

}  // namespace tendril::stable
