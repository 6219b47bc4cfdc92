#pragma once

#include <algorithm>

namespace tendril::newton {

// of Newton's method on whole rods
struct Options {
  int iterations = 100;     // the most Newton steps in a time step
  double tolerance = 2e-3;  // size of a Newton step, as a turn or a stretch, after which no other is needed [-]
  // Where rods touch: size of the last Newton step, as a turn or a stretch [-]. Gaps are far smaller than rods are
  // long, and friction goes by the normal forces that the step ends with, so it has nothing to do with `tolerance`.
  double contact_tolerance = 1e-5;
  int order = 1;            // in time: implicit Euler, or the generalised-alpha method
  double rho_infinity = 0;  // what remains of the fastest vibrations after a step of second order [-]

  // `tolerance` goes by the error of a time step, and a Newton step leaves its square. Neither holds for a step from
  // rest, by which an equilibrium is looked for, nor for Newton steps of floats, which shrink by a factor.
  static constexpr double strict_tolerance = 1e-5;
  Options strict() const {
    Options out = *this;
    out.tolerance = std::min(tolerance, strict_tolerance);
    return out;
  }
};

}  // namespace tendril::newton
