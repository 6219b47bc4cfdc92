#pragma once

#include <vector>

#include "solvers/direct/structure.h"

namespace tendril::solvers::direct {

// a constraint that closes a loop: the stretch of a segment, and a bend of its frame
struct Closing {
  int stretch = -1;  // element of the part; -1: only the bend
  int bend = -1;     // likewise
};

// The constraints that close the loops of a part: without them it is an acyclic structure. The ground is one segment
// more: a second support closes a loop, too. Bends between siblings close none, they are one rigid joint; neither does
// anything in a part with bodies, which is solved all at once.
std::vector<Closing> closings_of(const Structure& structure, const Part& part, const Problem& problem);

}  // namespace tendril::solvers::direct
