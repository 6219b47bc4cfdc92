#pragma once

#include <vector>

#include "solvers/solver.h"

namespace tendril::block {

struct Options {
  int iterations = 100;     // the most Newton steps in a time step
  double tolerance = 1e-5;  // size of a Newton step, as a turn or a stretch, after which no other is needed [-]
};

std::vector<OptionInfo> option_table();
Options read_options(const OptionValues& values);

}  // namespace tendril::block
