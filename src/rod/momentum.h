#pragma once

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::rod {

// What vertices and dynamic bodies carry, and the segments' own rotation. A solver without rotational inertia turns
// segments to where their moments balance: their rotation carries nothing there, and belongs to no sum.
enum class SegmentSpin { counted, left_out };

double kinetic_energy(const Model& model, const State& state, SegmentSpin spin = SegmentSpin::counted);  // [J]
double gravity_energy(const Model& model, const State& state);  // [J], zero at the origin
Vec3d linear_momentum(const Model& model, const State& state);  // [kg m/s]
// about the origin [kg m²/s]
Vec3d angular_momentum(const Model& model, const State& state, SegmentSpin spin = SegmentSpin::counted);

}  // namespace tendril::rod
