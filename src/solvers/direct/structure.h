#pragma once

#include <vector>

#include "math/tree_layout.h"
#include "solvers/newton/parts.h"

namespace tendril::solvers::direct {

using namespace newton;
using newton::Bend;

// Six unknowns that move like a rigid segment: its frame, and of its two vertices the one that is farther from the root
// of the structure; the vertex of a root; the frame of a segment that closes a loop; a body. Rows are those of the
// part.
struct SegmentNode {
  int place = -1, turn = -1;  // rows; -1: it has none
  int vertex = -1;            // in the Model, of the place; -1: a body's
};

// the combined zero-stretch, bend and twist constraint of a node with the later one that has its other vertex
struct Joint {
  int stretch = 0;       // element of the part
  int bend = -1;         // element, of the frames of the two; -1: none
  bool forwards = true;  // from the parent's vertex to the node's, as the segment goes
  bool is_b = false;     // of the bend
  int coupling = 0;      // of the two
};

// a bend that is in no joint: between siblings, across the end of a loop, or with a frame that is prescribed
struct LooseBend {
  int bend = 0;            // element of the part
  int coupling = -1;       // of the nodes of its frames; -1: one of these is no unknown
  bool a_is_first = true;  // to be eliminated
};

// One part of a Model as a tree of rigid segments, and what closes its loops. Nodes are numbered in the order of
// elimination: from the tips to the root.
struct Structure {
  Elimination plan;
  TreeLayout layout;
  std::vector<SegmentNode> nodes;
  std::vector<Joint> joints;
  std::vector<int> joint;      // (node); -1: none
  std::vector<int> stretches;  // elements of the part that are in no joint
  std::vector<LooseBend> bends;
  std::vector<int> first_stretch, first_bend;  // by the first of their nodes (node, and the end)
  std::vector<int> node_of;                    // (row of the part)
  std::vector<Share> branches;                 // ranges of nodes that have nothing to do with each other
  std::vector<Share> trunk;                    // what comes after all of them

  bool is_place(int row) const { return nodes[node_of[row]].place == row; }
  int parent(const Joint& joint) const { return plan.later[joint.coupling]; }
};

Structure make_structure(const Part& part, const Problem& problem, const Parts& parts);

// The order in which the elimination comes to rows and elements, in which the structure has them from now on: what is
// next in memory is what is needed next.
Parts::Order take_order(Structure& structure, const Part& part);

}  // namespace tendril::solvers::direct
