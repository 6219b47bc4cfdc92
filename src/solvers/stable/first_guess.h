#pragma once

#include "math/thread_team.h"
#include "solvers/stable/problem.h"

namespace tendril::solvers::stable {

// Where the sweeps of a step start.

// what is left of the last step
struct History {
  std::vector<Vec3d> acceleration;       // [m/s²] (vertex)
  std::vector<Vec3d> body_acceleration;  // [m/s²] (body)
  std::vector<double> shares;            // y of Eq. 26 [hsu2025], where lambda is stored; empty: 1 (segment)
  bool converged = true;
};

// ã is the external acceleration times a function of s, the share of it that the last step followed, 0 <= s <= 1
enum class StartRule {
  s_curve,   // s³ / (s³ + (1 - s)³): what hangs still forgets its last trembling, what falls goes on falling
  published  // s, the adaptive start of vertex block descent [chen2024]
};

// dynamic bodies and the vertices that follow them; kinematic ones are where they must be
void guess_bodies(const StepProblem& problem, const History& history, StartRule rule, State& guess);
void place_followers(const StepProblem& problem, State& state);

// x = x^t + h v^t + h² ã; held axes are where they must be
void guess_positions(const StepProblem& problem, const History& history, StartRule rule, Share vertices, State& guess);

// q = q^t
void keep_frames(const StepProblem& problem, Share segments, State& guess);

// Frames go along with the guessed positions and spin about them as in the last step: rigid motion costs no sweeps.
// Only for steps that are solved: frames have no inertia, and carried along in a step of few sweeps they create energy.
void carry_frames(const StepProblem& problem, Share segments, State& guess);

}  // namespace tendril::solvers::stable
