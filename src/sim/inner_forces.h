#pragma once

#include <stdexcept>
#include <vector>

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::sim {

// a start that no rest shape makes an equilibrium: which part, why, and what to do
struct NoEquilibrium : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// the bends and ties that act at time 0
struct Present {
  std::vector<char> bend, tie;

  explicit Present(const Model& model);
};

// what segments and bends carry, in world axes
struct InnerForces {
  std::vector<Vec3d> force;   // pulls the segment's first vertex [N] (segment)
  std::vector<Vec3d> moment;  // acts on the bend's frame b, the opposite on a [N m] (bend)
};

// The inner forces that balance the loads of time 0 on every free vertex, frame and body. A tree on one support has one
// answer; where supports or loops leave a choice, the one of least elastic energy. Throws NoEquilibrium for a loaded
// part that nothing holds.
InnerForces balancing_forces(const Model& model, const State& state, const Present& present);

}  // namespace tendril::sim
