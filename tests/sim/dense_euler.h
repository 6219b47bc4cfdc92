#pragma once

#include <memory>

#include "solvers/solver.h"

namespace tendril::sim {

// Implicit Euler on the law of rod/energy.h, solved by Newton with a dense Jacobian from differences: slow, for small
// models, and as plain as can be. Kinematic bodies only. It keeps its last increment as a warm start, so that a resume
// which forgets the solver's history shows.
std::unique_ptr<Solver> make_dense_euler();

// one that spoils a coordinate in its n-th step
std::unique_ptr<Solver> make_failing_solver(int failing_step, int vertex);

}  // namespace tendril::sim
