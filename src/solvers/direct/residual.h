#pragma once

#include "solvers/newton/strains.h"

namespace tendril::direct {

using namespace newton;
using newton::Bend;

// What an iteration led to. With the multipliers lambda that came with it a constraint is met when C + alpha lambda is
// zero; in the linear equations it was, so what is left is C less what those predicted of it.
struct Look {
  double energy = 0;    // of the incremental potential, without the work of external moments [J]
  double residual = 0;  // the largest |C + alpha lambda|: zero-stretch over the segment's length, bend and twist [-]
};

// From `before` all unknowns went by u (rows of the part) to `after`. The strains that the linear equations predicted
// are the `prediction` from now on.
Look look(const Part& part, const Problem& problem, const Iterate& before, const std::vector<Vec3d>& u, double share,
          const Iterate& after, Prediction& prediction);

}  // namespace tendril::direct
