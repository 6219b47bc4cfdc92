#pragma once

#include "solvers/option_table.h"

namespace tendril::solvers::redmax {

struct Options {
  int iterations = 100'000;  // the most of conjugate gradients in a time step
  double tolerance = 1e-10;  // of their residual, over the right-hand side [-]
  bool residuals = false;    // report the residual of every iteration
};

const OptionTable<Options>& option_table();
inline Options read_options(const OptionValues& values) { return option_table().read(values); }
Capabilities capabilities();

}  // namespace tendril::solvers::redmax
