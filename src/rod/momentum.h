#pragma once

#include "rod/model.h"
#include "rod/state.h"

namespace tendril {

// what Model and State carry, the same for every solver: vertices, the segments' own rotation, dynamic bodies
double kinetic_energy(const Model& model, const State& state);   // [J]
double gravity_energy(const Model& model, const State& state);   // [J], zero at the origin
Vec3d linear_momentum(const Model& model, const State& state);   // [kg m/s]
Vec3d angular_momentum(const Model& model, const State& state);  // about the origin, spin included [kg m²/s]

}  // namespace tendril
