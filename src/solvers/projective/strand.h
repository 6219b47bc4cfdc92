#pragma once

#include <tuple>
#include <vector>

#include "solvers/newton/problem.h"

namespace tendril::solvers::projective {

// One strand of a Model from end to end: vertex k, then segment k, then vertex k + 1.
struct Strand {
  struct Joint {  // with the segment before
    int bend = -1;
    bool is_reversed = false;  // its frame a is the later segment's
  };
  struct Clamp {  // of a segment with a frame that is prescribed
    int bend = 0, link = 0;
    bool holder_is_a = true;
    bool is_scalar = false;  // each lane by itself: it holds an axis only, or its segment has a fixed turn
    auto shape() const { return std::tuple(link, holder_is_a, is_scalar); }
  };
  std::vector<int> vertices;  // one more than segments
  std::vector<int> segments;
  std::vector<char> is_forward;  // the segment's first vertex comes first (segment)
  std::vector<Joint> joints;     // that of the first segment is none (segment)
  std::vector<Clamp> clamps;

  int count() const { return static_cast<int>(segments.size()); }
  double sign(int k) const { return is_forward[k] ? 1 : -1; }
};

// of a Model without branches, loops and free bodies; in the order of their first vertices
std::vector<Strand> find_strands(const newton::Problem& problem);

// which elements it has at which places: strands of one shape can be solved side by side
std::vector<int> shape_of(const Strand& strand, const newton::Problem& problem);

}  // namespace tendril::solvers::projective
