#pragma once

#include <algorithm>
#include <vector>

#include "contact/contact.h"

namespace tendril::solvers::stable {

// How far groups may go, each a share of its way as a whole, so that no pair meets: go() leads to where the shares lead
// and says where that is, group_of(pair, side) is whose way moves that side, -1: nothing does.
template <class GroupOf, class Go>
void find_safe_shares(Contact& contact, std::vector<double>& shares, GroupOf group_of, Go go) {
  constexpr int most_cuts = 20, exact_cuts = 3;
  for (int cut = 0;; ++cut) {
    const State& to = go();
    contact.cover(to);
    std::vector<double> allowed(shares.size(), 1);
    bool all = true;
    for (const Pair& pair : contact.pairs()) {
      const int group[2] = {group_of(pair, 0), group_of(pair, 1)};
      if (group[0] < 0 && group[1] < 0) continue;
      const double fraction = contact.safe_fraction(pair, to);
      if (fraction >= 1) continue;
      all = false;
      for (int k : group)
        if (k >= 0) allowed[k] = std::min(allowed[k], fraction);
    }
    if (all || cut == most_cuts) return;
    const bool is_last = cut == most_cuts - 1;  // where all are is free
    const double more = cut < exact_cuts ? 1 : cut < most_cuts - 2 ? 0.7 : 0;
    for (std::size_t k = 0; k < shares.size(); ++k)
      if (is_last || allowed[k] < 1) shares[k] *= is_last ? 0 : more * allowed[k];
  }
}

}  // namespace tendril::solvers::stable
