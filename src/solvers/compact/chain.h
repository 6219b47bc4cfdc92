#pragma once

#include <vector>

#include "solvers/newton/parts.h"

namespace tendril::compact {

using namespace newton;

// A rod as the method sees it, from its root: vertex k, then segment k, then vertex k + 1. The root is the end that is
// held, if one is. Rows are those of the part.
struct Chain {
  struct Link {
    int segment = 0, row = 0;
    double length = 0;              // along the director d3: negative where the segment points towards the root [m]
    int bend = -1;                  // of the part, with the segment before; -1: none
    bool bend_is_reversed = false;  // its frame a is this segment's
  };
  struct Vertex {
    int vertex = 0, row = 0;
  };
  struct GroundBend {  // of a segment with a frame that is prescribed: half of a clamp
    int bend = 0;      // of the part
    int link = 0;
    bool is_b = false;  // the segment's frame is the bend's b
  };
  // a world axis of a vertex that goes where it must, other than the root's
  struct Hold {
    int place = 0;  // of its vertex in the chain
    int axis = 0;
  };

  std::vector<Vertex> vertices;  // one more than links
  std::vector<Link> links;
  std::vector<GroundBend> ground;
  std::vector<Hold> holds;
  Vec3d root_free = {1, 1, 1};  // 0 along the axes on which the root is held

  int count() const { return static_cast<int>(links.size()); }
};

// of a part without branches, loops and bodies
Chain make_chain(const Part& part, const Problem& problem, const Parts& parts);

// Eq. 7 [zhao2022]: positions from that of the root and the frames, by prefix sums
void place(const Chain& chain, Iterate& at);

// the same from frames, and positions that are not quite theirs: nothing that is held moves the root, or its centre of
// mass stays
void place_near(const Chain& chain, const Problem& problem, Iterate& at);

}  // namespace tendril::compact
