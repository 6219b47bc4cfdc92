#pragma once

#include <algorithm>

#include "solvers/solver.h"

namespace tendril::solvers::newton {

// of Newton's method on whole rods
struct Options {
  int iterations = 100;     // the most Newton steps in a time step
  double tolerance = 2e-3;  // size of a Newton step, as a turn or a stretch, after which no other is needed [-]
  // The same where rods touch [-]. It is stricter: gaps are far smaller than rods are long, and the limits of friction
  // follow from the normal forces at the end of the step, which small changes of the gaps change much.
  double contact_tolerance = 1e-5;
  int order = 1;                // in time: implicit Euler, or the generalised-alpha method
  double rho_infinity = 0;      // what remains of the fastest vibrations after a step of second order [-]
  bool residuals = false;       // report the residual of every iteration
  bool takes_unsolved = false;  // so many iterations and no more, whatever is left: no step is refused

  const Inputs* inputs = nullptr;  // of this step
  bool stops() const { return inputs && inputs->stops(); }

  // `tolerance` is chosen against the error of a time step, given that Newton's method converges quadratically. A step
  // from rest looks for an equilibrium, which has no such error; with floats convergence is linear. Both need this:
  static constexpr double strict_tolerance = 1e-5;
  Options strict() const {
    Options out = *this;
    out.tolerance = std::min(tolerance, strict_tolerance);
    return out;
  }
};

}  // namespace tendril::solvers::newton
