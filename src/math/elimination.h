#pragma once

#include <span>
#include <utility>
#include <vector>

#include "layers.h"

namespace tendril::math {

// The order in which the unknowns of a sparse symmetric matrix of blocks are eliminated, and where its blocks stand.
// Rows are numbered in this order. A row keeps one block for each later row that it is coupled with when its turn
// comes; a tree has an order in which no coupling arises that was not there before, other graphs get few.
struct Elimination {
  std::vector<int> row;           // of each unknown; nothing below needs it
  std::vector<int> first;         // coupling of each row (row, and the end)
  std::vector<int> later;         // row that it couples with, ascending within a row (coupling)
  std::vector<int> first_target;  // of each row in `target` (row)
  std::vector<int> target;        // for each two couplings (j, k) of a row, j < k: the coupling of their rows

  int row_count() const { return static_cast<int>(first_target.size()); }
  int coupling_count() const { return static_cast<int>(later.size()); }

  // of the two rows that row n couples with by j and k, j < k
  int coupling_of(int n, int j, int k) const {
    const int count = first[n + 1] - first[n], before = j - first[n];
    return target[first_target[n] + before * (2 * count - before - 1) / 2 + k - j - 1];
  }
  // of two rows, the first eliminated before the second
  int coupling(int earlier, int later_row) const;
};

Elimination plan_elimination(int unknowns, std::span<const std::pair<int, int>> couplings);

}  // namespace tendril::math
