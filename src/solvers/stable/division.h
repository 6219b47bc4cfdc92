#pragma once

#include <vector>

#include "math/thread_team.h"
#include "solvers/stable/layout.h"

namespace tendril::stable {

// Who sweeps which packs. A worker takes its stretch of the walk through the graph, so that it has written itself most
// of what it reads; and about its share of every group, whatever the stretch holds, so that all are done together.
class Division {
 public:
  Division() = default;
  Division(const std::vector<Group>& groups, const Places& places, int workers);

  Share of(int group, int worker) const { return shares_[group * workers_ + worker]; }
  int worker_count() const { return workers_; }

 private:
  int workers_ = 0;
  std::vector<Share> shares_;  // packs (group, worker)
};

}  // namespace tendril::stable
