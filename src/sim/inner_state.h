#pragma once

#include <vector>

#include "sim/simulation.h"

namespace tendril::sim {

// what a State says of the inside of rods, in the numbering of the scene; zero where a segment is broken or a bend does
// not exist now
struct InnerState {
  std::vector<Vec3d> strain;          // shear along d1 and d2, stretch along d3 (segment) [-]
  std::vector<Vec3d> internal_force;  // elastic, what the end of the segment is pulled back by (segment) [N, world]
  std::vector<Vec3d> curvature;       // see rod/curvature.h (bend) [1/m]
};

InnerState inner_state(const Simulation& simulation);

}  // namespace tendril::sim
