#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "layers.h"

namespace tendril::math {

// sets of numbers that grow together; the smallest of a set leads it
class UnionFind {
 public:
  explicit UnionFind(int count) : leader_(count) { std::iota(leader_.begin(), leader_.end(), 0); }
  int find(int i) {
    while (leader_[i] != i) i = leader_[i] = leader_[leader_[i]];
    return i;
  }
  void unite(int i, int j) {
    i = find(i), j = find(j);
    leader_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<int> leader_;
};

}  // namespace tendril::math
