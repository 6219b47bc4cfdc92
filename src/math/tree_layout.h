#pragma once

#include <vector>

#include "math/elimination.h"
#include "math/thread_team.h"

namespace tendril::math {

// Where the couplings of a TreeLdlt stand. What an elimination leaves of the last coupling of a node takes the place of
// the node itself, so a chain needs no memory besides. Such a coupling that others fill before its node's turn comes
// waits in a front, whose places are used again and again on the way from the tips to the root; all other couplings
// have places of their own.
struct TreeLayout {
  enum class Kind : char { none, turns, full };  // what couples: nothing, the turns of both nodes, all

  // of each coupling: the first of its six rows by turns and, where it is full, its six by places; -1: it needs none.
  // One of turns has only the last three of these rows, and the first of a node one more behind them.
  std::vector<int> place;
  int size = 0;  // of all [rows]
};

// how the elimination goes
struct TreeCourse {
  std::vector<TreeLayout::Kind> added;  // besides joints, when the turn of the first node comes (coupling)
  std::vector<int> joint;               // coupling by which it is joined to a later one, -1: none (node)
  std::vector<Share> branches;          // side by side
  std::vector<Share> trunk;             // one after the other
};
TreeLayout make_layout(const Elimination& plan, const TreeCourse& course);

// anything may be added to any coupling at any time
TreeLayout roomy_layout(const Elimination& plan);

}  // namespace tendril::math
