#pragma once

#include "rod/energy.h"
#include "solvers/solver.h"

namespace tendril::sim {

// what the support exerts on the rod at a held vertex
struct Reaction {
  Vec3d force;   // [N, world]
  Vec3d moment;  // about the vertex [N m, world]
};

// one step as the momentum balance sees it
struct BalancedStep {
  const Model& model;
  const State& before;
  const State& after;
  const Instant& end;      // what was prescribed
  const Forces& internal;  // elastic, damping and contact forces at the end of the step
  double h = 0;            // [s]
};

// From the momentum balance of the vertex over the step, along the axes that kinematic bodies hold:
//   m (v_new - v_old) / h = internal + external + reaction
// The moment is that of the half bends to the bodies. Zero while nothing holds the vertex.
Reaction reaction_at(int vertex, const BalancedStep& step);

// elastic and both damping forces of a state
Forces internal_forces(const Model& model, const State& state);

}  // namespace tendril::sim
