#pragma once

#include <vector>

#include "solvers/stable/rows.h"

namespace tendril::solvers::stable {

// the constants of the sweeps, pack by pack and slot by slot

template <class P>
struct VertexPack {
  Vec3<P> pull;  // M/h² (y - x at the start) [N]
  P weight;      // M/h² [N/m]
  P inverse;     // 1 / (M/h² + sum of GA/l), of the plain ones [m/N]
};

template <class P>
struct VertexSlotPack {
  int other[P::lanes];  // rows
  int segment[P::lanes];
  P sign;  // +1 when the vertex is the segment's second
};

template <class P>
struct SegmentPack {
  Vec3<P> edge;                           // x1 - x0 at the start [m]
  P length;                               // l [m]
  P GA;                                   // [N]
  P stiffness;                            // GA/l [N/m]
  P proximity;                            // of the pull towards the current frame [N m]
  int first[P::lanes], second[P::lanes];  // rows of the vertices
};

// what an empty slot or an axis without extra stiffness has; a default quaternion is 1, not 0
template <class P>
Quat<P> no_pull() {
  return {P(0), P(0), P(0), P(0)};
}

template <class P>
struct SegmentSlotPack {
  int frame[P::lanes];          // rows
  Quat<P> pull = no_pull<P>();  // left K t right, see BendTerm: the pull is q_other times this [N m]
};

// for those that are not plain
template <class P>
struct SegmentExtra {
  P excess;   // EA - GA [N]
  Vec3<P> p;  // see StretchTerm
};
template <class P>
struct BendExtra {
  // left e_j right sqrt(k_j - k_0) of the two stiffer axes [(N m)^1/2]
  Quat<P> axis[2] = {no_pull<P>(), no_pull<P>()};
};

template <class S>
struct Packs {
  using P = Pack<S>;
  std::vector<VertexPack<P>> vertices;
  std::vector<Vec3<P>> free_axes;
  std::vector<VertexSlotPack<P>> vertex_slots;
  std::vector<P> slot_excess;  // (EA - GA)/l [N/m] (vertex slot)
  std::vector<SegmentPack<P>> segments;
  std::vector<SegmentSlotPack<P>> segment_slots;
  std::vector<SegmentExtra<P>> segment_extras;
  std::vector<BendExtra<P>> bend_extras;  // (segment slot)
  std::vector<Vec3<P>> moments;           // [N m] (segment pack); empty: none

  void load_model(const StepProblem& problem, const Layout& layout);
  void load_bends(const StepProblem& problem, const Layout& layout, bool damped_only);
};

}  // namespace tendril::solvers::stable
