#pragma once

#include <array>
#include <vector>

#include "solvers/newton/lanes.h"
#include "solvers/newton/parts.h"

namespace tendril::block {

using namespace newton;
using newton::Bend;

// Strands are parts that are one chain of segments, numbered through in the Model. Those that differ in nothing but
// their numbers are solved side by side, one in each lane of a register: hair, yarns, blades of grass. Who goes with
// whom depends on the Model alone.
//
// Vertices and segments of a strand are counted here as they are eliminated, from the last one back: segment s is
// between vertices s + 1 (its first) and s (its second), and a bend joins its frame, as b, to that of segment s + 1,
// as a.
using StrandLanes = WideLanes;
constexpr int strand_lanes = StrandLanes::lanes;

// a segment of each lane
struct StrandSegment {
  Stretch<StrandLanes> stretch;
  StrandLanes per_length;  // 1 / length
  Vec3<StrandLanes> spin;  // weight
};

// a bend of each lane with a frame that is no unknown
struct HeldBend {
  int segment = 0;
  int element = 0;        // of the part
  bool held_is_a = true;  // the frame that is no unknown
  Bend<StrandLanes> bend;
  Quat<StrandLanes> turn;  // of b's frame
};

// what does not change from step to step, unless the rest does
struct StrandConstants {
  long version = -1;   // of the Problem that they come from
  bool round = false;  // the inertia of all about their axes
  // besides, GA = EA and EI1 = EI2 = GJ of all; and no vertex is held but the first in the Model
  bool isotropic = false;
  std::vector<StrandSegment> segments;
  std::vector<Bend<StrandLanes>> bends;  // of segment s with s + 1
  std::vector<Quat<StrandLanes>> turns;  // of its b; empty: none is turned
  std::vector<HeldBend> held;            // by segment
};

struct Bundle {
  std::array<int, strand_lanes> parts = {};
  std::array<int, strand_lanes> last_vertex = {}, last_segment = {};  // in the Model
  StrandConstants constants;
};
void load_constants(const Problem& problem, const Parts& parts, Bundle& bundle);

struct Bundles {
  std::vector<Bundle> bundles;
  std::vector<int> singles;  // the parts in none
};
Bundles make_bundles(const Problem& problem, const Parts& parts);

}  // namespace tendril::block
