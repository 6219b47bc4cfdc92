#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "solvers/newton/lanes.h"
#include "solvers/newton/parts.h"
#include "solvers/newton/strains.h"

namespace tendril::solvers::block {

using namespace newton;
using newton::Bend;

// Strands are parts that are one chain of segments, numbered through in the Model. Those that differ in nothing but
// their numbers are solved side by side, one in each lane of a register: hair, yarns, blades of grass. Who goes with
// whom depends on the Model alone. T is a register of doubles, or of twice as many floats.
//
// Vertices and segments of a strand are counted here as they are eliminated, from the last one back: segment s is
// between vertices s + 1 (its first) and s (its second), and a bend joins its frame, as b, to that of segment s + 1,
// as a.
template <class T>
using LaneIndices = std::array<int, T::lanes>;  // of something of each lane in the Model

// what is not a bundle, trees and pieces of a long strand, is always in double
using StrandLanes = WideLanes;
constexpr int strand_lanes = StrandLanes::lanes;
using LaneIndex = LaneIndices<StrandLanes>;

// a segment of each lane
template <class T>
struct StrandSegment {
  Stretch<T> stretch;
  T per_length;  // 1 / length
  Vec3<T> spin;  // weight

  T shear() const { return stretch.GA * per_length; }  // stiffness between its ends [N/m]
};

// a bend of each lane with a frame that is no unknown
template <class T>
struct HeldBend {
  int segment = 0;
  LaneIndices<T> in_model = {};
  bool held_is_a = true;  // the frame that is no unknown
  Bend<T> bend;
  Quat<T> turn;  // of b's frame
};

// what all strands of a bundle are, each besides what comes before it
enum class StrandKind {
  general,
  round,      // the inertia about their axes
  isotropic,  // GA = EA and EI1 = EI2 = GJ, without internal damping; no vertex is held but the first in the Model
  straight,   // at rest, and without fixed turns of frames
};

// what does not change from step to step, unless the rest does; often the same for many bundles
template <class T>
struct StrandConstants {
  long version = -1;  // of the Problem that they come from
  StrandKind kind = StrandKind::general;
  std::vector<StrandSegment<T>> segments;
  std::vector<Bend<T>> bends;  // of segment s with s + 1
  std::vector<Quat<T>> turns;  // of its b; empty: none is turned
  std::vector<char> is_held;   // some lane's vertex, along some axis (vertex)
  std::vector<T> damping;      // of the spin of bundled segments [1/s] (segment); empty: none
};
template <class T>
StrandSegment<T> segment_constants(const Problem& problem, const LaneIndices<T>& segments);
template <class T>
Bend<T> bend_constants(const Problem& problem, const LaneIndices<T>& bends);
template <class T>
Quat<T> turn_constants(const Problem& problem, const LaneIndices<T>& bends);
template <class T>
void sort_by_segment(std::vector<HeldBend<T>>& held);
template <class T>
StrandKind kind_of(const StrandConstants<T>& constants);

// where a strand is in the Model
struct Strand {
  int last_vertex = 0, last_segment = 0;
  int segments = 0;
};
std::optional<Strand> strand_of(const Problem& problem, const Part& part);

// What the Model has for each vertex, or for each segment: that of slot n of each lane.
template <class Item, int lanes>
struct LaneItems {
  std::array<Item*, lanes> last = {};
  int empty = 0;  // see Lineup

  auto operator()(int n) const {
    return [this, n](int k) -> Item& { return last[k][k == 0 ? -std::max(n, empty) : -n]; };
  }
};

// who stands in which lane
template <class T>
struct Lineup {
  LaneIndices<T> last_vertex = {}, last_segment = {};  // in the Model
  int empty = 0;                                       // slots with which the first lane begins: copies of what follows

  LaneIndices<T> vertices(int i) const { return back_from(last_vertex, i); }
  LaneIndices<T> segments(int s) const { return back_from(last_segment, s); }

  template <class Item>
  LaneItems<Item, T::lanes> of_vertices(Item* items) const {
    return items_at(last_vertex, items);
  }
  template <class Item>
  LaneItems<Item, T::lanes> of_segments(Item* items) const {
    return items_at(last_segment, items);
  }

 private:
  LaneIndices<T> back_from(const LaneIndices<T>& last, int n) const {
    LaneIndices<T> out;
    for (int k = 0; k < T::lanes; ++k) out[k] = last[k] - (k == 0 ? std::max(n, empty) : n);
    return out;
  }
  template <class Item>
  LaneItems<Item, T::lanes> items_at(const LaneIndices<T>& last, Item* items) const {
    LaneItems<Item, T::lanes> out{{}, empty};
    for (int k = 0; k < T::lanes; ++k) out.last[k] = items + last[k];
    return out;
  }
};

template <class T>
struct Bundle {
  LaneIndices<T> parts = {};
  Lineup<T> lineup;
  std::shared_ptr<StrandConstants<T>> constants;
  std::vector<HeldBend<T>> held;  // by segment
  bool is_free = false;           // nothing holds a vertex of them
  int anchor = -1;                // slot of the vertex that is held, see Skeleton; -1: none
  bool is_open = true;            // likewise

  // what stays in lanes from step to step, as long as it is of the version asked for
  std::vector<T> weight;            // (vertex)
  std::vector<T> damped_mass;       // likewise [kg/s]; empty: none
  bool is_stiff = false;            // T has too few digits for these beside the stretch of segments
  bool loses_spin = false;          // T has too few digits to add inertia about the axis to the stiffness of twist
  std::vector<Vec3<T>> prediction;  // (segment)
  long weight_version = -1, prediction_version = -1;

  // allocated once: another thread prefetches these addresses while it solves the bundle before
  void make_room(int segments) { weight.resize(segments + 1), prediction.resize(segments); }
};
template <class T>
void load_weights(const Problem& problem, Bundle<T>& bundle);
template <class T>
void load_predictions(const Prediction& from, Bundle<T>& bundle);
template <class T>
void store_predictions(const Bundle<T>& bundle, Prediction& to);
template <class T>
void load_constants(const Problem& problem, const Parts& parts, Bundle<T>& bundle);

template <class T>
struct Bundles {
  std::vector<Bundle<T>> bundles;
  std::vector<int> long_strands;  // few of a kind: each is cut into pieces, see CutStrand
  std::vector<int> singles;       // the other parts in none
};
template <class T>
void share_constants(std::vector<Bundle<T>>& bundles);  // bundles that follow each other with equal ones
template <class T>
Bundles<T> make_bundles(const Problem& problem, const Parts& parts, const std::vector<int>& of);
template <class T>
Bundles<T> make_bundles(const Problem& problem, const Parts& parts) {  // of all
  std::vector<int> all(parts.count());
  std::iota(all.begin(), all.end(), 0);
  return make_bundles<T>(problem, parts, all);
}

}  // namespace tendril::solvers::block
