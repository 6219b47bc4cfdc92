#pragma once

#include <optional>
#include <vector>

#include "solvers/block/bundles.h"

namespace tendril::solvers::block {

// A part that is a tree, node by node: a segment with its farther vertex as seen from the root, which is the end of one
// segment. A node hangs on its parent, whose vertex it shares, and bends against it and against its siblings.
//
// Nodes are eliminated side by side, one in each lane of a register, when all that hangs on them has been: those that
// are farthest from the root come first. Siblings that are joined follow each other. Who goes with whom depends on the
// Model alone.
struct TreePlan {
  // another node of each lane, and the record where it is told what is left for it: unused
  // lanes repeat the last member of the pack, and their results are discarded
  struct Other {
    LaneIndex slot, told;
  };
  // a later sibling; where a lane has none it is `no_slot`, which nothing moves
  struct Sibling {
    Other node;
    LaneIndex bend;           // -1: they only meet because both are joined to an earlier one
    bool has_elders = false;  // some lane: joined to both, and eliminated before
    LaneIndex coupling;       // then: the record of what these leave of the coupling of the two
  };
  struct Pack {
    int members = 0;
    LaneIndex slot, record;
    Other parent;
    LaneIndex segment, vertex, near;  // in the Model; the farther and the nearer vertex
    LaneIndex bend;                   // with the parent; -1: none
    bool has_elders = false;          // some lane: joined siblings that were eliminated before
    int first_sibling = 0, siblings = 0;
    int first_pair = 0;  // of its siblings, see `pairs`
  };
  // a bend with a frame that is no unknown
  struct Held {
    int record = 0, bend = 0;
    bool held_is_a = true;
  };

  int part = 0;
  int root = 0;  // a vertex in the Model
  std::vector<Pack> packs;
  std::vector<Sibling> siblings;  // by packs, then by the order of elimination
  std::vector<LaneIndex> pairs;   // records of couplings of a pack's siblings: (1, 0), (2, 0), (2, 1), …
  std::vector<Held> held;

  // of nodes: lane by lane, and behind them the root's and that of nobody
  int root_slot() const { return static_cast<int>(packs.size()) * strand_lanes; }
  int no_slot() const { return root_slot() + 1; }
  int slot_count() const { return root_slot() + 2; }

  // A record is used again once it has been read, which happens once: few are in use at a time, and stay in the cache.
  // The first is always zero, for nodes without children; the second takes what nobody reads.
  static constexpr int empty_record = 0, waste_record = 1, root_record = 2;
  int records = 3;    // of nodes
  int couplings = 2;  // records of couplings
};

// nothing where it is no tree, or too slender to fill the lanes
std::optional<TreePlan> plan_tree(const Problem& problem, const Parts& parts, int part);

}  // namespace tendril::solvers::block
