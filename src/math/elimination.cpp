#include "math/elimination.h"

#include <algorithm>
#include <cassert>

#include "math/ordered_elimination.h"

namespace tendril::math {
namespace {

using Neighbours = std::vector<std::vector<int>>;  // sorted

Neighbours neighbours_of(int unknowns, std::span<const std::pair<int, int>> couplings) {
  Neighbours near(unknowns);
  for (const auto& [a, b] : couplings)
    if (a != b) near[a].push_back(b), near[b].push_back(a);
  for (auto& list : near) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return near;
}

// The next unknown is one whose neighbours are all neighbours of each other, which costs nothing: a tree has always
// one. Else it is the one with the fewest neighbours, and these become neighbours of each other.
class MinimumDegree {
 public:
  explicit MinimumDegree(Neighbours& near) : near_(near), place_(near.size()) {
    for (std::size_t i = 0; i < near.size(); ++i) put(static_cast<int>(i)), loose_.push_back(static_cast<int>(i));
  }

  // in the order of elimination; `near` of each is left as those that come later
  std::vector<int> order() {
    std::vector<int> order;
    while (order.size() < near_.size()) {
      const int pivot = take();
      order.push_back(pivot);
      for (int i : near_[pivot]) connect(i, pivot);
    }
    return order;
  }

 private:
  void put(int i) {
    const std::size_t degree = near_[i].size();
    if (degree >= buckets_.size()) buckets_.resize(degree + 1);
    buckets_[degree].push_back(i);
    place_[i] = static_cast<int>(degree);
    least_ = std::min(least_, degree);
  }
  int take() {
    while (!loose_.empty()) {
      const int i = loose_.back();
      loose_.pop_back();
      if (place_[i] >= 0 && closes_ranks(i)) return place_[i] = -1, i;
    }
    for (;;) {
      while (buckets_[least_].empty()) ++least_;
      const int i = buckets_[least_].back();
      buckets_[least_].pop_back();
      if (place_[i] == static_cast<int>(least_)) return place_[i] = -1, i;  // else it has moved on
    }
  }
  void connect(int i, int pivot) {
    std::vector<int> merged;
    merged.reserve(near_[i].size() + near_[pivot].size());
    std::set_union(near_[i].begin(), near_[i].end(), near_[pivot].begin(), near_[pivot].end(),
                   std::back_inserter(merged));
    std::erase_if(merged, [&](int k) { return k == i || k == pivot; });
    near_[i] = std::move(merged);
    if (static_cast<int>(near_[i].size()) != place_[i]) put(i);
    loose_.push_back(i);
  }
  bool closes_ranks(int i) const {
    const std::vector<int>& near = near_[i];
    if (near.size() > most_checked) return false;
    for (std::size_t a = 0; a < near.size(); ++a)
      for (std::size_t b = a + 1; b < near.size(); ++b)
        if (!std::binary_search(near_[near[a]].begin(), near_[near[a]].end(), near[b])) return false;
    return true;
  }

  static constexpr std::size_t most_checked = 64;

  Neighbours& near_;
  std::vector<int> place_;                 // bucket of each unknown, -1: eliminated
  std::vector<std::vector<int>> buckets_;  // by the number of neighbours; may hold some that have moved on
  std::size_t least_ = 0;
  std::vector<int> loose_;  // whose neighbours have changed
};

// The same elimination with each branch done in one go, which keeps what is needed together in memory: a walk through
// the tree in which the parent of a row is the first later row that it is coupled with.
std::vector<int> branch_by_branch(const std::vector<int>& order, const Neighbours& later) {
  const int n = static_cast<int>(order.size());
  std::vector<int> rank(n), parent(n, -1), child(n, -1), sibling(n, -1);
  for (int r = 0; r < n; ++r) rank[order[r]] = r;
  std::vector<int> roots;
  for (int r = n - 1; r >= 0; --r) {
    const int i = order[r];
    for (int k : later[i])
      if (parent[i] < 0 || rank[k] < rank[parent[i]]) parent[i] = k;
    if (parent[i] < 0)
      roots.push_back(i);
    else
      sibling[i] = child[parent[i]], child[parent[i]] = i;
  }
  std::vector<int> walk, open(roots.rbegin(), roots.rend());
  while (!open.empty()) {  // parents first, then turned round
    const int i = open.back();
    open.pop_back();
    walk.push_back(i);
    for (int c = child[i]; c >= 0; c = sibling[c]) open.push_back(c);
  }
  std::reverse(walk.begin(), walk.end());
  return walk;
}

}  // namespace

int Elimination::coupling(int earlier, int later_row) const {
  assert(earlier < later_row);
  const auto begin = later.begin() + first[earlier], end = later.begin() + first[earlier + 1];
  const auto found = std::lower_bound(begin, end, later_row);
  assert(found != end && *found == later_row);
  return static_cast<int>(found - later.begin());
}

namespace {

// `later` of each unknown: those that come after it in the order and that it is coupled with when its turn comes
Elimination plan_of(const std::vector<int>& order, const Neighbours& later) {
  const int unknowns = static_cast<int>(order.size());
  Elimination plan;
  plan.row.resize(unknowns);
  for (int r = 0; r < unknowns; ++r) plan.row[order[r]] = r;
  for (int r = 0; r < unknowns; ++r) {
    plan.first.push_back(plan.coupling_count());
    for (int k : later[order[r]]) plan.later.push_back(plan.row[k]);
    std::sort(plan.later.begin() + plan.first.back(), plan.later.end());
  }
  plan.first.push_back(plan.coupling_count());
  for (int r = 0; r < unknowns; ++r) {
    plan.first_target.push_back(static_cast<int>(plan.target.size()));
    for (int j = plan.first[r]; j < plan.first[r + 1]; ++j)
      for (int k = j + 1; k < plan.first[r + 1]; ++k)
        plan.target.push_back(plan.coupling(plan.later[j], plan.later[k]));
  }
  for (std::vector<int>* list : {&plan.first, &plan.later, &plan.first_target, &plan.target}) list->shrink_to_fit();
  return plan;
}

}  // namespace

Elimination plan_elimination(int unknowns, std::span<const std::pair<int, int>> couplings) {
  Neighbours near = neighbours_of(unknowns, couplings);
  const std::vector<int> order = branch_by_branch(MinimumDegree(near).order(), near);
  return plan_of(order, near);
}

Elimination plan_elimination_in_order(std::span<const int> order, std::span<const std::pair<int, int>> couplings) {
  const int unknowns = static_cast<int>(order.size());
  Neighbours near = neighbours_of(unknowns, couplings);
  std::vector<int> rank(unknowns);
  for (int r = 0; r < unknowns; ++r) rank[order[r]] = r;
  for (int pivot : order) {
    std::erase_if(near[pivot], [&](int k) { return rank[k] < rank[pivot]; });
    for (int i : near[pivot]) {
      std::vector<int> merged;
      std::set_union(near[i].begin(), near[i].end(), near[pivot].begin(), near[pivot].end(),
                     std::back_inserter(merged));
      std::erase(merged, i);
      near[i] = std::move(merged);
    }
  }
  return plan_of({order.begin(), order.end()}, near);
}

}  // namespace tendril::math
