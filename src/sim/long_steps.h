#pragma once

#include "sim/settle.h"

namespace tendril::sim {

// Goes to the equilibrium with a solver that takes steps of any length. Every step starts from rest, so it ends at the
// minimum of potential energy + m/2h² |x - x_old|²: lower than before, whatever its length. While steps succeed they
// grow, until inertia only keeps what is loose in its place and a step is one of Newton's to the equilibrium. One that
// the solver does not solve to the end is kept all the same, since whatever it did went down, and the next is shorter;
// what has no way on is taken back. Residuals are those of the law in rod/energy.h.
//
// Balance counts at the longest steps only, where inertia hides no growth, and when what is pushed a little does not go
// on. Loads that follow the shape are those with which a step ends; a step for which none are found is taken back.
SettleReport settle_in_long_steps(const Model& model, const LoadsOf& loads_of, double h, const SettleOptions& options,
                                  const SettleMeans& means, State& state);

}  // namespace tendril::sim
