#pragma once

#include "solvers/newton/parts.h"

namespace tendril::solvers::newton {

// Implicit Euler goes along chords, so what turns freely at w loses w² h of its angular momentum per second: at 2 turns
// per second and 4 ms a third of it in the first second. But forces within a part have no moment, so with the external
// forces F at the end of the step, about the centre of mass,
//   L_new = L_old + h Σ (x - c) x F
// and velocities get the rigid turning that is missing. Its energy is at most what the step has taken: along a turning
// chord inertia loses Σ m |v_new - v_old - h F/m|², half of it at once and half as work against the centripetal force.
//
// For steps of first order of a part that nothing holds, damps, drags, touches or turns by external moments.
void keep_angular_momentum(const Part& part, const Problem& problem, const State& start, State& end);

}  // namespace tendril::solvers::newton
