#pragma once

#include <string>

#include "rod/model.h"
#include "solvers/solver.h"

namespace tendril::sim {

// Why there can be no equilibrium under loads that stay as they are and without contact: a part that nothing holds
// along an axis of its net load, or that nothing keeps from turning with it. Empty when there is none.
std::string loose_part(const Model& model, const State& state, const Instant& loads);

// parts: what is joined by segments and dynamic bodies
int part_count(const Model& model);

}  // namespace tendril::sim
