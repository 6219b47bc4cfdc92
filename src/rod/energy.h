#pragma once

#include <span>
#include <vector>

#include "rod/model.h"
#include "rod/state.h"
#include "rod/strain.h"

namespace tendril::rod {

// what acts on each degree of freedom of a State; a moment is conjugate to the turn theta in q <- exp(theta) q
struct Forces {
  std::vector<Vec3d> force;        // on vertices [N, world]
  std::vector<Vec3d> moment;       // on segments [N m, world]
  std::vector<Vec3d> body_force;   // on bodies [N, world]
  std::vector<Vec3d> body_moment;  // on bodies [N m, world]

  static Forces zero(const Model& model);
};

// elastic energy [J]: l/2 Gammaᵀ diag(GA, GA, EA) Gamma of segments, l/2 (kappa - kappa0)ᵀ K (kappa - kappa0) of bends
double stretch_energy(const Model& model, const State& state);
double bend_energy(const Model& model, const State& state);
double elastic_energy(const Model& model, const State& state);

// minus the gradient of the elastic energy, added to `forces`
void add_elastic_forces(const Model& model, const State& state, Forces& forces);

// what segments carry beside their stretch: pulls the first vertex, the opposite the second one [N] (segment); empty:
// nothing
void add_segment_forces(const Model& model, const State& state, std::span<const Vec3d> carried, Forces& forces);

// internal_damping: the same stresses, proportional to the rate of strain; rigid motion is not braked
void add_internal_damping(const Model& model, const State& state, Forces& forces);

// damping: -c m v on vertices, -c I omega on segments
void add_external_damping(const Model& model, const State& state, Forces& forces);

// the strain of a bend in a state, its spin free where it holds an axis
BendStrain bend_strain(const Bend& bend, const State& state);
Vec3d angle_beyond_rest(const Bend& bend, const State& state);  // its angle alone, which costs a third

// elastic and damping moment of a bend on its frame b [N m, world]; the opposite acts on a
Vec3d bend_moment(const Bend& bend, const State& state);

// the largest | |x1 - x0| / l - 1 | [-]
double largest_stretch(const Model& model, const State& state);

}  // namespace tendril::rod
