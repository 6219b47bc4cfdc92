#pragma once

#include "solvers/newton/problem.h"

namespace tendril::solvers::newton {

// A vertex that follows a body goes round its centre, and z with it. Schemes that remember take accelerations from the
// same share of the straight way to the end of the step: with the turn w of the body over the step, as it would go on,
// z is beside that by
//   (exp(share w) - 1 - share (exp(w) - 1)) arm   ~   share (share - 1)/2 w x (w x arm)
// without which the share that is missing would be missing of the acceleration towards the centre, whatever h. [m]
Vec3d beside_chord(const Problem& problem, int vertex, const State& start, const Accelerations& old);

}  // namespace tendril::solvers::newton
