#pragma once

#include "solvers/newton/parts.h"

namespace tendril::solvers::newton {

// The momentum of what flies free. A velocity is a difference of two positions over h, so the last digit of a position
// is worth a momentum of eps m |x|/h, and these add up like a random walk from step to step. The forces within a part
// add up to nothing: with P = Σ m v and A = Σ m a
//   (1 - alpha_m) A_new + alpha_m A_old = Σ F,   P_new = P_old + h ((1 - gamma) A_old + gamma A_new)
// whatever its shape does (scheme.h). The law is laid down before a step and velocities are shifted to it afterwards.
// Nor do the forces between parts that touch nothing else: these have one law together.
struct FreeMomentum {
  double mass = 0;     // [kg]; 0: something holds, damps or hangs on the part, and there is no such law
  Vec3d momentum;      // P at the end of the step [kg m/s]
  Vec3d acceleration;  // A there [N]
};

FreeMomentum free_momentum(const Part& part, const Problem& problem, const Inputs& inputs, const State& state,
                           const Accelerations& old);

FreeMomentum operator+(const FreeMomentum& a, const FreeMomentum& b);

// what is there now
FreeMomentum momentum_now(const Part& part, const Problem& problem, const State& state, const Accelerations& now);
// the velocities of a part, of those that have a law together and are `now`, are shifted to it
void keep(const FreeMomentum& law, const FreeMomentum& now, const Part& part, const Problem& problem, State& state,
          Accelerations& accelerations);

}  // namespace tendril::solvers::newton
