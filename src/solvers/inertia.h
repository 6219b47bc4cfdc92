#pragma once

#include <vector>

#include "rod/model.h"

namespace tendril {

// c m of each vertex, from the external damping of its segments [kg/s]
std::vector<double> damped_mass(const Model& model);

// the angular velocity [rad/s, world] at which something turns through a step without moments: its angular momentum at
// the end of the step is the one at the start, exp(h w) J w = J w_old in its own frame; J [kg m²]
Vec3d free_spin(const Vec3d& J, const Quatd& q, const Vec3d& omega, double h);

}  // namespace tendril
