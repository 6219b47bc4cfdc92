#include "solvers/stable/partition.h"

#include <algorithm>
#include <cmath>

namespace tendril::solvers::stable {

namespace {

// how far a border may be from an even one, as a part of a part
constexpr double unevenness = 0.03;

// the segments that lead from before each place to it or beyond
std::vector<int> segments_across(const Model& model, const Traversal& traversal) {
  std::vector<int> across(traversal.length + 1, 0);
  for (const Segment& s : model.segments) {
    const auto [first, last] = std::minmax({traversal.vertex[s.vertex[0]], traversal.vertex[s.vertex[1]]});
    ++across[first + 1], --across[last + 1];
  }
  for (int place = 0; place < traversal.length; ++place) across[place + 1] += across[place];
  return across;
}

}  // namespace

Partition::Partition(const Model& model, const Traversal& traversal, int parts) : begin_{0} {
  const std::vector<int> across = segments_across(model, traversal);
  const double length = double(traversal.length) / parts;
  for (int part = 1; part < parts; ++part) {
    const auto low = across.begin() + std::lround((part - unevenness) * length),
               high = across.begin() + std::lround((part + unevenness) * length);
    begin_.push_back(static_cast<int>(std::min_element(low, high + 1) - across.begin()));
  }
}

int Partition::part_of(int place) const {
  return static_cast<int>(std::upper_bound(begin_.begin(), begin_.end(), place) - begin_.begin()) - 1;
}

}  // namespace tendril::solvers::stable
