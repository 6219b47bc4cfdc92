#include "contact/broad_phase.h"

#include <utility>

namespace tendril {

void BroadPhase::find_pairs_between(std::span<const Bounds> movers, std::span<const Bounds> others, ThreadTeam& team,
                                    std::vector<IndexPair>& pairs) {
  pairs.clear();
  if (movers.empty() || others.empty()) return;
  ThreadTeam alone(1);
  ThreadTeam& crew = movers.size() + others.size() < worth_sharing ? alone : team;
  const Grid grid = Grid::around(movers);
  tree_.build(movers, grid, crew);
  other_tree_.build(others, grid, crew);
  search_all(crew,
             [&](int batch, std::vector<IndexPair>& found) { search(movers, others, other_tree_, batch, found); });
  sort_found(static_cast<int>(movers.size()), crew, pairs);
}

// leaf against leaf: the boxes of the second that meet the hull of the first, each against the eight boxes of the
// first; within one set the second is the first itself or one that comes later
void BroadPhase::search(std::span<const Bounds> movers, std::span<const Bounds> others, const BoxTree& tree, int batch,
                        std::vector<IndexPair>& found) const {
  const bool one_set = &tree == &tree_;
  const int end = std::min((batch + 1) * batch_size, tree_.leaf_count());
  for (int number = batch * batch_size; number < end; ++number) {
    const BoxTree::Node& mine = tree_.leaf(number);
    tree.visit(BoxTree::hull_of(mine), one_set ? number : 0, [&](const BoxTree::Node& leaf, unsigned lanes) {
      for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        unsigned partners = BoxTree::overlapping(mine, BoxTree::box_below(leaf, lane), 0);
        if (&leaf == &mine) partners &= (1u << lane) - 1;
        for (; partners != 0; partners &= partners - 1) {
          const int a = mine.below[std::countr_zero(partners)], b = leaf.below[lane];
          if (!overlap(movers[a], others[b])) continue;
          found.push_back(one_set && b < a ? IndexPair{b, a} : IndexPair{a, b});
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

}  // namespace tendril
