#pragma once

#include "solvers/alpha/chain.h"
#include "solvers/solver.h"

namespace tendril::solvers::alpha {

// The method keeps the angular momentum of what flies free to the order of the time step only. Where weight alone acts
// on a chain, about its centre nothing does: its velocities get the rigid turning that is missing,
//   L_new = L_old,  omega = Theta⁻¹ (L_old - L_new),  v += omega x (x - c).
// Chains that something holds, damps, drags or turns by moments stay as they are, and those that it would give more
// energy than allowed [J]. The energy that it has given:
double keep_angular_momentum(const Model& model, const Chain& chain, const Inputs& inputs, const State& start,
                             double allowed_energy, State& end);

}  // namespace tendril::solvers::alpha
