#pragma once

#include "solvers/solver.h"

namespace tendril::solvers {

// Whether it is a method that a paper compares itself with, kept as described to measure others against: its summary
// begins with this word.
inline bool is_baseline(const SolverInfo& info) { return info.summary.starts_with("baseline: "); }

}  // namespace tendril::solvers
