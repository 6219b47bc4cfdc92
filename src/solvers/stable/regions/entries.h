#pragma once

#include <span>
#include <vector>

#include "contact/pair.h"
#include "math/thread_team.h"

namespace tendril::solvers::stable {

// Which half spaces bound which vertex: those of a vertex stand together, in the order of the pairs, so that a region
// is a stretch of one array.
struct Entries {
  std::vector<int> first;    // (vertex, and the end)
  std::vector<int> of_pair;  // of each vertex of a pair, its first (4 pair)

  int count() const { return first.empty() ? 0 : first.back(); }

  // planes[p] is how many planes pair p may have
  void list(std::span<const Pair> pairs, std::span<const char> planes, std::size_t vertices, ThreadTeam& team);
};

}  // namespace tendril::solvers::stable
