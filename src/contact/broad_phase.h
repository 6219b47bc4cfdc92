#pragma once

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "contact/box_tree.h"
#include "math/bounds.h"
#include "math/thread_team.h"

namespace tendril::contact {

struct IndexPair {
  int a, b;
  auto operator<=>(const IndexPair&) const = default;
};

// Which boxes overlap. The lists are sorted and a function of the boxes alone, on any number of threads.
// Keeps its memory from search to search.
class BroadPhase {
 public:
  // pairs a < b for which allowed(a, b) is true; it is asked on the team's threads, once for every overlapping pair
  template <class Allowed>
  void find_pairs(std::span<const Bounds> boxes, ThreadTeam& team, const Allowed& allowed,
                  std::vector<IndexPair>& pairs);

  // pairs of a box a of the first set and a box b of the second
  void find_pairs_between(std::span<const Bounds> movers, std::span<const Bounds> others, ThreadTeam& team,
                          std::vector<IndexPair>& pairs);

 private:
  static constexpr int batch_size = 32;               // leaves that a worker takes at a time
  static constexpr std::size_t worth_sharing = 1000;  // fewer boxes are searched sooner than a team has met

  // appends the pairs of a batch of leaves with those that follow
  void search(std::span<const Bounds> boxes, int batch, std::vector<IndexPair>& found) const;

  template <class Search>
  void search_all(ThreadTeam& team, const Search& search);
  void sort_found(int mover_count, ThreadTeam& team, std::vector<IndexPair>& pairs);

  BoxTree tree_;                               // of one set
  BoxTree other_tree_;                         // of the second of two
  std::vector<std::vector<IndexPair>> found_;  // by each worker in no order, or by each chunk
  std::vector<std::size_t> place_;             // in the sorted list, after the pairs of each a
};

template <class Allowed>
void BroadPhase::find_pairs(std::span<const Bounds> boxes, ThreadTeam& team, const Allowed& allowed,
                            std::vector<IndexPair>& pairs) {
  ThreadTeam alone(1);
  ThreadTeam& workers = boxes.size() < worth_sharing ? alone : team;
  tree_.build(boxes, Grid::around(boxes), workers);
  search_all(workers, [&](int batch, std::vector<IndexPair>& found) {
    const std::size_t begin = found.size();
    search(boxes, batch, found);
    const auto refused = [&](IndexPair pair) { return !allowed(pair.a, pair.b); };
    found.erase(std::remove_if(found.begin() + begin, found.end(), refused), found.end());
  });
  sort_found(static_cast<int>(boxes.size()), workers, pairs);
}

template <class Search>
void BroadPhase::search_all(ThreadTeam& team, const Search& search) {
  found_.resize(team.size());
  for (auto& found : found_) found.clear();
  const int batches = (tree_.leaf_count() + batch_size - 1) / batch_size;
  team.run(batches, [&](int batch, int worker) { search(batch, found_[worker]); });
}

}  // namespace tendril::contact
