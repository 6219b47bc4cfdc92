#pragma once

#include <span>

#include "solvers/newton/strains.h"

namespace tendril::newton {

// Where a Newton step leads. A step (u, theta) that was taken as x + u, exp(theta) q would stretch every segment that
// turns by theta²/2: of a hair, a thousand times the energy of its motion. The line search would halve good steps, and
// the next matrix would be indefinite. So frames turn, strains change as the linear equations say, and positions
// follow from both (Skeleton):
//
//   q' = exp(s theta) q,   gamma' = gamma + s d gamma,   x1' - x0' = l R(q') (p + gamma')
//
// outwards from the vertex that is held. Where nothing is held along an axis the centre of mass goes where x + s u has
// it, so momentum is kept. The first guess of a step is made in the same way, from frames that turn on as they did and
// the strains that the last step ended with.

// Positions of an open part from the frames and positions of `at`, where the anchor stays and the centre of mass
// counts; strains by element: those of the stretches, then those of the slaved segments.
void place_by_strains(const Part& part, const Problem& problem, std::span<const Vec3d> strains, Iterate& at);

// the first guess: from x + h v, exp(h omega) q and the prediction, of an open part
void place_by_prediction(const Part& part, const Problem& problem, const Prediction& prediction, Iterate& at);

}  // namespace tendril::newton
