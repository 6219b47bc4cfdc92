#include "solvers/newton/islands.h"

#include <algorithm>

#include "math/union_find.h"

namespace tendril::solvers::newton {
namespace {

// Limits of friction follow from forces, which follow from them: Newton's method may go around the solution for ever,
// step by step as far as before. Half of such steps lead to it: what only turns shrinks when it is averaged with where
// it was (Krasnoselskii's iteration).
constexpr int most_circles = 10;
constexpr double smaller = 0.7;  // than the least so far: such a step gets nearer

}  // namespace

void Islands::begin_step(int parts) {
  progress_.assign(parts, {});
  island_.assign(parts, 0);
}

void Islands::find(const ContactTerms& contact_terms) {
  const int parts = static_cast<int>(progress_.size());
  UnionFind together(parts);
  for (int t : contact_terms.couplings())
    together.unite(contact_terms.terms()[t].part[0], contact_terms.terms()[t].part[1]);
  is_open_.clear(), in_circles_.clear();
  for (int p = 0; p < parts; ++p) {
    const int leader = together.find(p);
    island_[p] = leader == p ? count() : island_[leader];
    if (leader == p) is_open_.push_back(false), in_circles_.push_back(false);
    if (!progress_[p].done) is_open_[island_[p]] = true;
    if (progress_[p].in_circles >= most_circles) in_circles_[island_[p]] = true;
  }
}

void Islands::note_step(int part, double size, bool is_whole) {
  Progress& p = progress_[part];
  p.in_circles = !is_whole ? p.in_circles : size < smaller * p.least ? 0 : p.in_circles + 1;
  p.least = std::min(p.least, size);
}

int Islands::open_part_count() const {
  return static_cast<int>(std::count_if(island_.begin(), island_.end(), [&](int i) { return is_open_[i]; }));
}

bool Islands::all_done() const {
  return std::all_of(progress_.begin(), progress_.end(), [](const Progress& p) { return p.done; });
}

bool Islands::any_failed() const {
  return std::any_of(progress_.begin(), progress_.end(), [](const Progress& p) { return p.failed; });
}

std::vector<double> Islands::sum(const std::vector<double>& of_parts) const {
  std::vector<double> sums(count(), 0);
  for (std::size_t p = 0; p < of_parts.size(); ++p) sums[island_[p]] += of_parts[p];
  return sums;
}

std::vector<double> Islands::largest(const std::vector<double>& of_parts) const {
  std::vector<double> most(count(), 0);
  for (std::size_t p = 0; p < of_parts.size(); ++p) most[island_[p]] = std::max(most[island_[p]], of_parts[p]);
  return most;
}

}  // namespace tendril::solvers::newton
