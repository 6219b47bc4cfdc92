#pragma once

#include <string>
#include <vector>

#include "contact/near_pairs.h"

namespace tendril::sim {

// What a scene's start holds that contact cannot undo: pairs whose surfaces touch or reach into each other. A gap, be
// it ever so small, is fine.
struct Overlaps {
  std::vector<NearPair> pairs;  // the deepest first
  int grown_together = 0;       // pairs of branches that overlap and are excused, see Neighbourhood

  bool empty() const { return pairs.empty(); }
};

Overlaps find_overlaps(const Model& model, const State& start, const ContactOptions& options);

// for the user: how many there are, and the deepest few by name
std::string describe(const Overlaps& overlaps, const Model& model);

}  // namespace tendril::sim
