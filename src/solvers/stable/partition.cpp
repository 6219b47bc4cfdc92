#include "solvers/stable/partition.h"

#include <algorithm>
#include <cmath>

namespace tendril::solvers::stable {

namespace {

// how far a border may be from an even one, as a part of a part
constexpr double unevenness = 0.03;

// the segments and bends that lead from before each place to it or beyond
std::vector<int> links_across(const Model& model, const Traversal& traversal) {
  std::vector<int> across(traversal.length + 1, 0);
  const auto count = [&](int a, int b) { ++across[std::min(a, b) + 1], --across[std::max(a, b) + 1]; };
  for (const Segment& s : model.segments) count(traversal.vertex[s.vertex[0]], traversal.vertex[s.vertex[1]]);
  for (const Bend& bend : model.bends)
    if (!bend.a.is_body && !bend.b.is_body) count(traversal.segment[bend.a.index], traversal.segment[bend.b.index]);
  for (int place = 0; place < traversal.length; ++place) across[place + 1] += across[place];
  return across;
}

}  // namespace

Partition Partition::for_workers(const Model& model, const Traversal& traversal, int workers) {
  const std::vector<int> across = links_across(model, traversal);
  const double length = double(traversal.length) / workers;
  Partition parts;
  for (int part = 1; part < workers; ++part) {
    const auto low = across.begin() + std::lround((part - unevenness) * length),
               high = across.begin() + std::lround((part + unevenness) * length);
    parts.begin_.push_back(static_cast<int>(std::min_element(low, high + 1) - across.begin()));
  }
  return parts;
}

Partition Partition::apart(const Model& model, const Traversal& traversal, int vertices) {
  const std::vector<int> across = links_across(model, traversal);
  Partition parts;
  for (int place = vertices; place + vertices <= traversal.length; ++place)
    if (across[place] == 0 && place - parts.begin_.back() >= vertices) parts.begin_.push_back(place);
  return parts;
}

int Partition::part_of(int place) const {
  return static_cast<int>(std::upper_bound(begin_.begin(), begin_.end(), place) - begin_.begin()) - 1;
}

}  // namespace tendril::solvers::stable
