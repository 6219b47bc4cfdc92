#pragma once

#include <vector>

#include "math/vec3.h"

namespace tendril::solvers::newton {

class Parts;
class Problem;
struct Part;

// How a part hangs together: its segments from one vertex, the anchor, outwards. Positions follow from that of the
// anchor, the frames, and the strains of the segments, unless something else holds the part or closes a loop.
struct Skeleton {
  struct Link {
    int element = 0;         // of the part's stretches, or ~ of its slaved segments
    int near = 0, far = 0;   // vertices in the Model: the far one hangs on the near one
    bool is_forward = true;  // from the segment's first vertex to its second
  };
  std::vector<Link> links;
  int anchor = -1;         // vertex in the Model: one that is held, if there is one; -1: a body alone
  Vec3d free = {1, 1, 1};  // 1 along the axes on which nothing holds the anchor, else 0
  bool is_open = true;     // no loop, and nothing else is held
};
Skeleton skeleton_of(const Part& part, const Parts& parts, const Problem& problem);

}  // namespace tendril::solvers::newton
