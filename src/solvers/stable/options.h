#pragma once

#include "solvers/option_table.h"
#include "solvers/stable/kernels.h"

namespace tendril::solvers::stable {

struct Options {
  int iterations = 1000;          // the most sweeps in a step, exactly so many when tolerance = 0
  double tolerance = 1e-5;        // residual at which a step ends [-]
  Lambda lambda = Lambda::exact;  // which root of Eq. 19 [hsu2025] the closed form takes
  bool acceleration = true;       // momentum from sweep to sweep
  bool single_precision = false;  // precision = "float"
  bool paper = false;             // mode = "paper"
  bool residuals = false;         // report the residual of every sweep

  // residual below which a step counts as solved, also where a given number of sweeps is all that is asked for
  double solved_below() const { return tolerance > 0 ? tolerance : Options{}.tolerance; }
};

const OptionTable<Options>& option_table();
Options read_options(const OptionValues& values);  // a mode first, then what is set besides
Capabilities capabilities();

}  // namespace tendril::solvers::stable
