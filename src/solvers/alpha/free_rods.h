#pragma once

#include "solvers/alpha/chain.h"
#include "solvers/solver.h"

namespace tendril::alpha {

// The method keeps the angular momentum of what flies free to the order of the time step only. Where weight alone acts
// on a chain, about its centre nothing does: its velocities get the rigid turning that is missing,
//   L_new = L_old,  omega = Theta⁻¹ (L_old - L_new),  v += omega x (x - c).
// Chains that something holds, damps, drags or turns by moments stay as they are.
void keep_angular_momentum(const Model& model, const Chain& chain, const Inputs& inputs, const State& start,
                           State& end);

}  // namespace tendril::alpha
