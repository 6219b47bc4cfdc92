#pragma once

#include <vector>

#include "solvers/solver.h"

namespace tendril::direct {

struct Options {
  int iterations = 100;      // the most in a time step
  double tolerance = 1e-10;  // of the residual, see the README [-]
};

std::vector<OptionInfo> option_table();
Options read_options(const OptionValues& values);

}  // namespace tendril::direct
