#pragma once

#include <array>
#include <memory>
#include <vector>

#include "solvers/newton/lanes.h"
#include "solvers/projective/banded.h"
#include "solvers/projective/bend_twist.h"
#include "solvers/projective/inertia.h"
#include "solvers/projective/root_direction.h"
#include "solvers/projective/strand.h"
#include "solvers/projective/stretch_shear.h"

namespace tendril::solvers::projective {

using P = newton::WideLanes;
using Flags = P::Mask;  // all bits set where true (lane)

// what holds frames in a way that lanes do not know, each by itself
struct ScalarRoot {
  int link = 0;
  std::array<int, P::lanes> bend{};  // of the Model (lane)
  Vec3<P> stiffness;                 // over length, about d1, d2, d3 [N m]
};

// What is factored: sum of w Aᵀ A over the constraints of a strand and its inertia. Unknowns are x0, d0, x1, d1, …, xn;
// beside them stand the turns of frames about their directors, which positions do not feel.
template <class B>
struct GlobalSystem {
  Band<B> all;        // of positions and directors
  Band<B> positions;  // alone, directors kept
  Band<P> twist;
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
  std::vector<P> hanging;                         // weight that hangs on a segment, times length [N m] (segment)
  std::vector<Vec3d> free_axes;                   // 1 where a world axis is free, 0 where it is held (vertex)
  bool is_partly_held = false;                    // some vertex along some axes: components have different matrices
  std::shared_ptr<const GlobalSystem<P>> system;  // may be that of other bundles, too

  int count() const { return static_cast<int>(stretches.size()); }
};

// with all but the global system
Bundle make_bundle(const std::array<const Strand*, P::lanes>& strands, int used, const newton::Problem& problem);
// what internal damping changes every step
void load_elements(const newton::Problem& problem, Bundle& bundle);

// what of a bundle belongs to one step
struct StepTerms {
  std::vector<P> weight;                // m/h² and what resists velocities [N/m] (vertex)
  std::vector<Vec3<P>> goal;            // s_x (vertex)
  std::vector<newton::Spin<P>> spins;   // (segment)
  std::vector<Vec3<P>> moments;         // external; empty: none [N m, world] (segment)
  std::vector<RootDirection<P>> roots;  // with what holds them
};

// inertia, goals and what holds it, of this step
void load_terms(const newton::Problem& problem, const Bundle& bundle, StepTerms& terms);

// assembles and factors what is to resist this tension, times length (segment)
template <class B>
void factor(const Bundle& bundle, const StepTerms& terms, const std::vector<P>& tension, GlobalSystem<B>& system);

// the same with the weight that hangs on segments; where all strands of a bundle are alike, in all lanes from the first
std::shared_ptr<const GlobalSystem<P>> factored(const Bundle& bundle, const newton::Problem& problem);

// what its matrix follows from, to about a thousandth; empty where the strands of a bundle are not alike
std::vector<int> likeness(const Bundle& bundle, const newton::Problem& problem);

}  // namespace tendril::solvers::projective
