#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "solvers/projective/bend_twist.h"
#include "solvers/projective/global_system.h"
#include "solvers/projective/inertia.h"
#include "solvers/projective/root_direction.h"
#include "solvers/projective/strand.h"
#include "solvers/projective/stretch_shear.h"

namespace tendril::solvers::projective {

// what holds frames in a way that lanes do not know, each by itself
struct ScalarRoot {
  int link = 0;
  std::array<int, P::lanes> bend{};  // of the Model (lane)
  Vec3<P> stiffness;                 // over length, about d1, d2, d3 [N m]
};

// Strands of one shape side by side, one in each lane; the last one fills lanes that are left over. What follows from
// the Model and lasts.
struct Bundle {
  std::array<const Strand*, P::lanes> strands{};
  int used = 0;                               // lanes with a strand of their own
  std::vector<StretchShear<P>> stretches;     // (segment)
  std::vector<BendTwist<P>> bends;            // with the segment before; stiffness 0 for the first (segment)
  std::vector<P> alignment;                   // d3·d3 of the two at rest (segment)
  std::vector<std::array<Quat<P>, 2>> turns;  // fixed ones of the earlier and the later frame; empty: none (segment)
  std::vector<RootDirection<P>> roots;
  std::vector<ScalarRoot> scalar_roots;
  std::vector<char> is_root;         // one of them holds it (segment)
  std::vector<P> mass;               // [kg] (vertex)
  std::vector<P> mass_beyond;        // towards the nearest free end [kg] (segment)
  std::vector<P> hanging;            // weight that hangs on a segment, times length [N m] (segment)
  std::vector<Vec3d> free_axes;      // 1 where a world axis is free, 0 where it is held (vertex)
  bool is_partly_held = false;       // some vertex along some axes: components have different matrices
  bool is_straight = true;           // its edges rest along d3
  std::vector<P> weight;             // of this length of steps: m/h² and what resists velocities [N/m] (vertex)
  std::vector<Vec3<P>> spin_weight;  // likewise [N m] (segment)
  std::vector<P> against_turns;      // what resists long waves but tension, likewise [N m] (segment)
  std::shared_ptr<const GlobalSystem<P>> system;  // may be that of other bundles, too

  int count() const { return static_cast<int>(stretches.size()); }
};

// along no axis
inline bool nothing_holds(const Bundle& bundle) {
  return std::all_of(bundle.free_axes.begin(), bundle.free_axes.end(), [](const Vec3d& free) {
    return free == Vec3d{1, 1, 1};
  });
}

// with all but what belongs to a length of steps
Bundle make_bundle(const std::array<const Strand*, P::lanes>& strands, int used, const newton::Problem& problem);
// what internal damping changes every step
void load_elements(const newton::Problem& problem, Bundle& bundle);
// what the length of steps changes, and drag
void load_weights(const newton::Problem& problem, Bundle& bundle);

// assembles and factors what is to resist this tension, times length (segment)
template <class B>
void factor(const Bundle& bundle, const std::vector<P>& tension, GlobalSystem<B>& system);

// the same with the weight that hangs on segments; where all strands of a bundle are alike, in all lanes from the first
std::shared_ptr<const GlobalSystem<P>> factored(const Bundle& bundle);

// what its matrix follows from, to about a thousandth; empty where the strands of a bundle are not alike
std::vector<int> likeness(const Bundle& bundle);

}  // namespace tendril::solvers::projective
