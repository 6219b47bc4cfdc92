#pragma once

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::rod {

// curvature of a bend, kappa = log(q̄_a q_b turn) / l about d1, d2, d3 of its frame a (of the section, where a body
// holds an axis only) [1/m]: the energy is l/2 (kappa - kappa0)ᵀ diag(EI1, EI2, GJ) (kappa - kappa0)
Vec3d rest_curvature(const Bend& bend);  // kappa0
Vec3d curvature(const Bend& bend, const State& state);

}  // namespace tendril::rod
