#include "math/tree_layout.h"

#include <algorithm>
#include <utility>

namespace tendril::math {
namespace {

using Kind = TreeLayout::Kind;
constexpr int rows_of_turns = 3, rows_of_all = 12;

// An elimination without numbers: which couplings arise, and which of them wait in a front.
class Rehearsal {
 public:
  Rehearsal(const Elimination& plan, const TreeCourse& course)
      : kind(course.added), waits_at(plan.coupling_count(), -1), plan_(plan), course_(course) {
    is_last_.assign(plan.coupling_count(), false);
    for (int n = 0; n < plan.row_count(); ++n)
      if (plan.first[n] < plan.first[n + 1]) is_last_[plan.first[n + 1] - 1] = true;
    for (const Share& branch : course.branches) {
      open_front();
      eliminate(branch);
    }
    open_front();
    for (const Share& nodes : course.trunk) eliminate(nodes);
  }

  bool is_last(int coupling) const { return is_last_[coupling]; }

  std::vector<Kind> kind;     // in the end (coupling)
  std::vector<int> waits_at;  // number of its place among those of the fronts, -1: none (coupling)
  int waiting_places = 0;

 private:
  void open_front() { unused_.clear(); }

  void eliminate(const Share& nodes) {
    for (int n = nodes.begin; n < nodes.end; ++n) {
      const int begin = plan_.first[n], end = plan_.first[n + 1];
      if (begin == end) continue;
      const int* target = plan_.target.data() + plan_.first_target[n];
      if (course_.joint[n] >= 0) pass_on(n, course_.joint[n]);
      kind[end - 1] = Kind::full;
      for (int j = begin; j < end; ++j)
        for (int k = j + 1; k < end; ++k)
          fill(*target++, kind[j] == Kind::full || kind[k] == Kind::full ? Kind::full : Kind::turns);
      if (waits_at[end - 1] >= 0) unused_.push_back(waits_at[end - 1]);
    }
  }
  // a node that moves with its parent takes what it couples with along
  void pass_on(int n, int joint) {
    const int parent = plan_.later[joint];
    for (int c = plan_.first[n]; c < plan_.first[n + 1]; ++c) {
      if (c == joint || kind[c] == Kind::none) continue;
      fill(plan_.coupling(std::min(parent, plan_.later[c]), std::max(parent, plan_.later[c])), kind[c]);
    }
    kind[joint] = Kind::full;
  }
  void fill(int coupling, Kind by) {
    kind[coupling] = std::max(kind[coupling], by);
    if (!is_last_[coupling] || waits_at[coupling] >= 0 || course_.added[coupling] != Kind::none) return;
    if (unused_.empty()) unused_.push_back(waiting_places++);
    waits_at[coupling] = unused_.back();
    unused_.pop_back();
  }

  const Elimination& plan_;
  const TreeCourse& course_;
  std::vector<char> is_last_;  // of its node (coupling)
  std::vector<int> unused_;    // places of the front
};

}  // namespace

TreeLayout make_layout(const Elimination& plan, const TreeCourse& course) {
  const Rehearsal rehearsal(plan, course);
  TreeLayout out;
  out.place.assign(plan.coupling_count(), -1);
  for (int n = 0; n < plan.row_count(); ++n) {
    int more = 1;  // rows, of the first of turns
    for (int c = plan.first[n]; c < plan.first[n + 1]; ++c) {
      if (rehearsal.is_last(c) && course.added[c] == Kind::none) continue;
      if (rehearsal.is_last(c) || rehearsal.kind[c] == Kind::full) {
        out.place[c] = out.size;
        out.size += rows_of_all;
      } else {
        out.place[c] = std::max(out.size - rows_of_turns, 0);  // the rows that it lacks are others'
        out.size = out.place[c] + 2 * rows_of_turns + std::exchange(more, 0);
      }
    }
  }
  for (int c = 0; c < plan.coupling_count(); ++c)
    if (rehearsal.waits_at[c] >= 0) out.place[c] = out.size + rows_of_all * rehearsal.waits_at[c];
  out.size += rows_of_all * rehearsal.waiting_places;
  return out;
}

TreeLayout roomy_layout(const Elimination& plan) {
  TreeLayout out;
  for (int c = 0; c < plan.coupling_count(); ++c) out.place.push_back(rows_of_all * c);
  out.size = rows_of_all * plan.coupling_count();
  return out;
}

}  // namespace tendril::math
