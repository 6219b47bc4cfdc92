#include "contact/broad_phase.h"

#include <utility>

namespace tendril::contact {

// Movers go one by one through the tree of the others, which are few: obstacles and bodies.
void BroadPhase::find_pairs_between(std::span<const Bounds> movers, std::span<const Bounds> others, ThreadTeam& team,
                                    std::vector<IndexPair>& pairs) {
  pairs.clear();
  if (movers.empty() || others.empty()) return;
  ThreadTeam alone(1);
  ThreadTeam& workers = movers.size() + others.size() < worth_sharing ? alone : team;
  const Grid grid = Grid::around(movers);
  other_tree_.build(others, grid, workers);
  const int count = static_cast<int>(movers.size()), chunks = workers.chunks_of(count);
  found_.resize(std::max<std::size_t>(found_.size(), chunks));
  workers.run(chunks, [&](int chunk, int) {
    std::vector<IndexPair>& found = found_[chunk];
    found.clear();
    const Share share = share_of(count, chunk, chunks);
    for (int a = share.begin; a < share.end; ++a) {
      const std::size_t first = found.size();
      other_tree_.visit(BoxTree::query(movers[a], grid.origin), 0, [&](const BoxTree::Node& leaf, unsigned lanes) {
        for (; lanes != 0; lanes &= lanes - 1)
          if (const int b = leaf.below[std::countr_zero(lanes)]; overlap(movers[a], others[b])) found.push_back({a, b});
      });
      std::sort(found.begin() + first, found.end());
    }
  });
  for (int chunk = 0; chunk < chunks; ++chunk) pairs.insert(pairs.end(), found_[chunk].begin(), found_[chunk].end());
}

// Leaf against leaf, the second being the first itself or one that comes later: the boxes of the second that meet the
// hull of the first, each against the eight boxes of the first.
void BroadPhase::search(std::span<const Bounds> boxes, int batch, std::vector<IndexPair>& found) const {
  const int end = std::min((batch + 1) * batch_size, tree_.leaf_count());
  for (int number = batch * batch_size; number < end; ++number) {
    const BoxTree::Node& mine = tree_.leaf(number);
    tree_.visit(BoxTree::hull_of(mine), number, [&](const BoxTree::Node& leaf, unsigned lanes) {
      for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        unsigned partners = BoxTree::overlapping(mine, BoxTree::box_below(leaf, lane), 0);
        if (&leaf == &mine) partners &= (1u << lane) - 1;
        for (; partners != 0; partners &= partners - 1) {
          const int a = mine.below[std::countr_zero(partners)], b = leaf.below[lane];
          if (overlap(boxes[a], boxes[b])) found.push_back({std::min(a, b), std::max(a, b)});
        }
      }
    });
  }
}

// Each pair goes to the part of the list that belongs to its a; there the pairs are sorted by b.
void BroadPhase::sort_found(int mover_count, ThreadTeam& team, std::vector<IndexPair>& pairs) {
  place_.assign(mover_count + 1, 0);
  const auto count_at = [&](int a) { return std::atomic_ref<std::size_t>(place_[a]); };
  team.run(team.size(), [&](int finder, int) {
    for (const IndexPair& pair : found_[finder]) count_at(pair.a).fetch_add(1, std::memory_order_relaxed);
  });
  std::size_t before = 0;
  for (std::size_t& place : place_) before += std::exchange(place, before);
  pairs.resize(before);
  team.run(team.size(), [&](int finder, int) {
    for (const IndexPair& pair : found_[finder]) pairs[count_at(pair.a).fetch_add(1, std::memory_order_relaxed)] = pair;
  });
  team.for_each(mover_count,
                [&](int a, int) { std::sort(pairs.begin() + (a > 0 ? place_[a - 1] : 0), pairs.begin() + place_[a]); });
}

}  // namespace tendril::contact
