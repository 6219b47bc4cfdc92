#pragma once

#include <vector>

#include "solvers/solver.h"

namespace tendril::block {

struct Options {
  int iterations = 100;       // the most Newton steps in a time step
  double tolerance = 1e-5;    // size of a Newton step, as a turn or a stretch, after which no other is needed [-]
  int order = 1;              // in time: implicit Euler, or the generalised-alpha method
  double rho_infinity = 0.8;  // what remains of the fastest vibrations after a step of second order [-]
};

std::vector<OptionInfo> option_table();
Options read_options(const OptionValues& values);

}  // namespace tendril::block
