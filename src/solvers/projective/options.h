#pragma once

#include "solvers/option_table.h"

namespace tendril::solvers::projective {

struct Options {
  int iterations = 10;     // local and global steps in a time step, the most where there is a tolerance
  double tolerance = 0;    // residual at which a step ends; 0: after its iterations [-]
  bool residuals = false;  // report the residual of every iteration

  // residual below which a step counts as solved, also where a number of iterations is all that is asked for
  double solved_below() const { return tolerance > 0 ? tolerance : 5e-4; }
};

const OptionTable<Options>& option_table();
Options read_options(const OptionValues& values);
Capabilities capabilities();

}  // namespace tendril::solvers::projective
