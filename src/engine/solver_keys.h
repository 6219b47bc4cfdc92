#pragma once

#include <vector>

#include "scene/table.h"
#include "solvers/solver.h"

namespace tendril::engine {

// the tables [solver.X] that a scene file may hold, from the options of every solver
std::vector<Key::Variant> solver_option_keys();

// of this solver, those that the scene sets
OptionValues read_options(const Table& root, const SolverInfo& solver);

}  // namespace tendril::engine
