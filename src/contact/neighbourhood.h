#pragma once

#include <span>
#include <vector>

#include "contact/broad_phase.h"
#include "rod/model.h"
#include "rod/state.h"

namespace tendril::contact {

// Pairs of segments that never count as touching. The way between two segments runs along the rods, from nearest end to
// nearest end, through shared vertices, in rest lengths; where there are several, the shortest counts.
//   (a) they share a vertex: the way is zero
//   (b) the way is shorter than pi (r_a + r_b) / 2: a rod bent as sharply as its thickness allows
//   (c) the way passes a branching, a vertex of three or more segments, and the two overlap at the start: grown
//   together
class Neighbourhood {
 public:
  Neighbourhood() = default;  // of no segments
  Neighbourhood(const Model& model, const State& start);

  // in any order; asked for every pair of overlapping boxes
  bool contains(int a, int b) const { return lists(a, b) || lists(b, a); }

  // how many pairs are excused by (c) alone
  int overlapping_branches() const { return overlapping_branches_; }

 private:
  // segments first … last
  struct Range {
    int first, last;
  };

  // numbers along a rod are consecutive, so a list is short even when a segment is much shorter than thick
  bool lists(int a, int b) const {
    for (int k = start_[a]; k < start_[a + 1]; ++k)
      if (ranges_[k].first <= b && b <= ranges_[k].last) return true;
    return false;
  }

  void append(int a, int b);
  void insert(std::span<const IndexPair> pairs);

  std::vector<int> start_;     // where a segment's ranges begin (segment + 1)
  std::vector<Range> ranges_;  // a pair stands in the list of one of its two
  int overlapping_branches_ = 0;
};

}  // namespace tendril::contact
