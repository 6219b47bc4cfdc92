#pragma once

#include "math/thread_team.h"
#include "solvers/stable/problem.h"

namespace tendril::stable {

// Where the sweeps of a step start.

// the accelerations of the last step [m/s²]
struct History {
  std::vector<Vec3d> acceleration;       // (vertex)
  std::vector<Vec3d> body_acceleration;  // (body)
};

// dynamic bodies and the vertices that follow them; kinematic ones are where they must be
void guess_bodies(const StepProblem& problem, const History& history, State& guess);

// x = x^t + h v^t + h² ã, the adaptive start of vertex block descent [chen2024]; held axes are where they must be
void guess_positions(const StepProblem& problem, const History& history, Share vertices, State& guess);

}  // namespace tendril::stable
