#pragma once

#include <vector>

#include "solvers/newton/parts.h"

namespace tendril::solvers::compact {

using namespace newton;

// A rod as the method sees it, from its root: vertex k, then link k, then vertex k + 1. The root is the end that is
// held, if one is. A link is a segment, or a body that moves freely: from where the rod comes to it to where it goes on
// or, at an end, nowhere. Several rods are one chain if bodies join them so, and a body by itself is one, too. Rows are
// those of the part.
struct Chain {
  struct Link {
    int segment = -1, body = -1;    // one of the two
    int row = 0;                    // of its turn
    double length = 0;              // along the director d3: negative where the segment points towards the root [m]
    Vec3d arm;                      // of a body, to the far vertex from the near one, in its frame [m]
    int bend = -1;                  // of the part, with the link before; -1: none
    bool bend_is_reversed = false;  // its frame a is this link's
  };
  struct Vertex {
    int vertex = -1;  // -1: none in the Model, where a body ends, or where it has been counted
    int row = -1;     // -1: it follows a body, or is none
  };
  struct Centre {  // of a body
    int link = 0, row = 0;
    Vec3d arm;  // from the near vertex of its link, in its frame [m]
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
  std::vector<Centre> centres;
  std::vector<GroundBend> ground;
  std::vector<Hold> holds;
  Vec3d root_free = {1, 1, 1};  // 0 along the axes on which the root is held

  int count() const { return static_cast<int>(links.size()); }
  int body(const Centre& centre) const { return links[centre.link].body; }
};

// of a part without branches and loops
Chain make_chain(const Part& part, const Problem& problem, const Parts& parts);

inline Quatd& frame(const Chain::Link& link, Iterate& at) {
  return link.body < 0 ? at.q[link.segment] : at.body_q[link.body];
}
inline const Quatd& frame(const Chain::Link& link, const Iterate& at) {
  return link.body < 0 ? at.q[link.segment] : at.body_q[link.body];
}
// from the near vertex of a link to the far one
inline Vec3d arm(const Chain::Link& link, const Iterate& at) {
  return link.body < 0 ? link.length * director3(at.q[link.segment]) : rotate(at.body_q[link.body], link.arm);
}
// from the near vertex to the centre of a body
inline Vec3d arm(const Chain& chain, const Chain::Centre& centre, const Iterate& at) {
  return rotate(at.body_q[chain.body(centre)], centre.arm);
}
Vec3d root_place(const Chain& chain, const Iterate& at);

// Eq. 7 [zhao2022]: positions from that of the root and the frames, by prefix sums
void place(const Chain& chain, const Vec3d& root, Iterate& at);
inline void place(const Chain& chain, Iterate& at) { place(chain, root_place(chain, at), at); }

// the same from frames, and positions that are not quite theirs: nothing that is held moves the root, or its centre of
// mass stays
void place_near(const Chain& chain, const Problem& problem, Iterate& at);

}  // namespace tendril::solvers::compact
