#pragma once

#include <vector>

#include "rod/model.h"
#include "solvers/stable/traversal.h"

namespace tendril::solvers::stable {

// The traversal of the graph in parts, one for each worker. They are about equally long, so that all are done
// together, and begin where few segments lead to another part, since what another worker has written is slow to read.
class Partition {
 public:
  Partition(const Model& model, const Traversal& traversal, int parts);

  int part_of(int place) const;
  int part_count() const { return static_cast<int>(begin_.size()); }

 private:
  std::vector<int> begin_;  // the first place of each
};

}  // namespace tendril::solvers::stable
