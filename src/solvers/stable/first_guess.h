#pragma once

#include "math/thread_team.h"
#include "solvers/stable/problem.h"

namespace tendril::stable {

// Where the sweeps of a step start.

// what is left of the last step
struct History {
  std::vector<Vec3d> acceleration;       // [m/s²] (vertex)
  std::vector<Vec3d> body_acceleration;  // [m/s²] (body)
  bool converged = true;
};

// dynamic bodies and the vertices that follow them; kinematic ones are where they must be
void guess_bodies(const StepProblem& problem, const History& history, State& guess);
void place_followers(const StepProblem& problem, State& state);

// x = x^t + h v^t + h² ã, the adaptive start of vertex block descent [chen2024]; held axes are where they must be
void guess_positions(const StepProblem& problem, const History& history, Share vertices, State& guess);

// q = q^t
void keep_frames(const StepProblem& problem, Share segments, State& guess);

// Frames go along with the guessed positions and spin about them as in the last step: rigid motion costs no sweeps.
// Only for steps that are solved: frames have no inertia, and carried along in a step of few sweeps they create energy.
void carry_frames(const StepProblem& problem, Share segments, State& guess);

}  // namespace tendril::stable
