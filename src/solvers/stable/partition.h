#pragma once

#include <vector>

#include "rod/model.h"
#include "solvers/stable/traversal.h"

namespace tendril::solvers::stable {

// The traversal of the graph in parts that follow each other.
class Partition {
 public:
  // One for each worker. They are about equally long, so that all are done together, and begin where few segments lead
  // to another part, since what another worker has written is slow to read.
  static Partition for_workers(const Model& model, const Traversal& traversal, int workers);
  // As many as there are between which nothing leads, each the shortest of at least so many vertices.
  static Partition apart(const Model& model, const Traversal& traversal, int vertices);

  int part_of(int place) const;
  int part_count() const { return static_cast<int>(begin_.size()); }

 private:
  std::vector<int> begin_{0};  // the first place of each
};

}  // namespace tendril::solvers::stable
