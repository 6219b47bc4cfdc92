#pragma once

#include <vector>

#include "rod/model.h"

namespace tendril::solvers::alpha {

// a bend between two neighbours of a chain, or between one of its segments and a kinematic body
struct ChainBend {
  int bend = 0;        // of the Model
  int a = -1, b = -1;  // places of its segments along the chain, -1: a body's frame
  int later() const { return a > b ? a : b; }
};

// A rod without branches and loops: vertices in order, and the segments between them, of either direction; rods that
// are welded end to end are one chain.
struct Chain {
  std::vector<int> vertices, segments;
  std::vector<ChainBend> bends;  // in the order of later()
  std::vector<int> first_bend;   // of those whose later() is this segment; one more entry at the end (segment)
  bool is_free = true;           // nothing holds it
  int number = 0;                // among the chains

  int segment_count() const { return static_cast<int>(segments.size()); }
};

// in the order of their first vertices; a vertex without segments is a chain of its own
std::vector<Chain> chains_of(const Model& model);

}  // namespace tendril::solvers::alpha
