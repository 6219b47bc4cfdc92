#pragma once

#include "solvers/direct/system.h"

namespace tendril::solvers::direct {

// What an iteration led to. With the multipliers lambda that came with it a constraint is met when C + alpha lambda is
// zero; in the linear equations it was, so what is left is C less what those predicted of it: for zero-stretch, at x +
// u, before positions follow the frames (newton/retraction.h).
struct Evaluation {
  double energy = 0;    // of the incremental potential, without the work of external moments [J]
  double farthest = 0;  // an end of a segment from the origin, before the step, over the segment's length [-]
  double residual = 0;  // the largest |C + alpha lambda|: zero-stretch over the segment's length, bend and twist [-]
};

// how the angle of a bend, in the frame of a, changes with the turn of b's frame against a's
Mat3d angle_by_turn(const Bend<double>& bend, const Quatd& a, const Quatd& b);

// a step of the linear equations: from `before` all unknowns went by a share of the system's direction to `after`
struct Step {
  const System& system;
  const Iterate& before;
  double share;
  const Iterate& after;
};

// the strains that the linear equations predicted are the `prediction` from now on, and so are the angles of bends
// where they are asked for
Evaluation evaluate(const Part& part, const Problem& problem, const Step& step, Prediction& prediction,
                    std::vector<Vec3d>* angles = nullptr);

}  // namespace tendril::solvers::direct
