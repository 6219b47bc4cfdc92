#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
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
using LaneIndex = std::array<int, strand_lanes>;  // of something of each lane in the Model

// a segment of each lane
struct StrandSegment {
  Stretch<StrandLanes> stretch;
  StrandLanes per_length;  // 1 / length
  Vec3<StrandLanes> spin;  // weight

  StrandLanes shear() const { return stretch.GA * per_length; }  // stiffness between its ends [N/m]
};

// a bend of each lane with a frame that is no unknown
struct HeldBend {
  int segment = 0;
  LaneIndex in_model = {};
  bool held_is_a = true;  // the frame that is no unknown
  Bend<StrandLanes> bend;
  Quat<StrandLanes> turn;  // of b's frame
};

// what does not change from step to step, unless the rest does; often the same for many bundles
struct StrandConstants {
  long version = -1;   // of the Problem that they come from
  bool round = false;  // the inertia of all about their axes
  // besides, GA = EA and EI1 = EI2 = GJ of all, without internal damping; and no vertex is held but the first in the
  // Model
  bool isotropic = false;
  std::vector<StrandSegment> segments;
  std::vector<Bend<StrandLanes>> bends;  // of segment s with s + 1
  std::vector<Quat<StrandLanes>> turns;  // of its b; empty: none is turned
  std::vector<char> is_held;             // some lane's vertex, along some axis (vertex)
};
StrandSegment segment_constants(const Problem& problem, const LaneIndex& segments);
Bend<StrandLanes> bend_constants(const Problem& problem, const LaneIndex& bends);
Quat<StrandLanes> turn_constants(const Problem& problem, const LaneIndex& bends);
void sort_by_segment(std::vector<HeldBend>& held);
void find_shortcuts(StrandConstants& constants);  // what is round or isotropic

// where a strand is in the Model
struct Strand {
  int last_vertex = 0, last_segment = 0;
  int segments = 0;
};
std::optional<Strand> strand_of(const Problem& problem, const Part& part);

// What the Model has for each vertex, or for each segment: that of slot n of each lane.
template <class Item>
struct LaneItems {
  std::array<Item*, strand_lanes> last = {};
  int empty = 0;  // see Lineup

  auto operator()(int n) const {
    return [this, n](int k) -> Item& { return last[k][k == 0 ? -std::max(n, empty) : -n]; };
  }
};

// who stands in which lane
struct Lineup {
  LaneIndex last_vertex = {}, last_segment = {};  // in the Model
  int empty = 0;                                  // slots with which the first lane begins: copies of what follows

  LaneIndex vertices(int i) const { return back_from(last_vertex, i); }
  LaneIndex segments(int s) const { return back_from(last_segment, s); }

  template <class Item>
  LaneItems<Item> of_vertices(Item* items) const {
    return items_at(last_vertex, items);
  }
  template <class Item>
  LaneItems<Item> of_segments(Item* items) const {
    return items_at(last_segment, items);
  }

 private:
  LaneIndex back_from(const LaneIndex& last, int n) const {
    LaneIndex out;
    for (int k = 0; k < strand_lanes; ++k) out[k] = last[k] - (k == 0 ? std::max(n, empty) : n);
    return out;
  }
  template <class Item>
  LaneItems<Item> items_at(const LaneIndex& last, Item* items) const {
    LaneItems<Item> out{{}, empty};
    for (int k = 0; k < strand_lanes; ++k) out.last[k] = items + last[k];
    return out;
  }
};

struct Bundle {
  LaneIndex parts = {};
  Lineup lineup;
  std::shared_ptr<StrandConstants> constants;
  std::vector<HeldBend> held;  // by segment
  bool is_free = false;        // nothing holds a vertex of them
};
void load_constants(const Problem& problem, const Parts& parts, Bundle& bundle);

struct Bundles {
  std::vector<Bundle> bundles;
  std::vector<int> long_strands;  // few of a kind: each is cut into pieces, see CutStrand
  std::vector<int> singles;       // the other parts in none
};
void share_constants(std::vector<Bundle>& bundles);  // bundles that follow each other with equal ones
Bundles make_bundles(const Problem& problem, const Parts& parts);

}  // namespace tendril::block
