#pragma once

#include "solvers/option_table.h"

namespace tendril::solvers::cartesian {

struct Options {
  int iterations = 100;     // the most Newton iterations in a time step
  double tolerance = 1e-8;  // size of a Newton step, as a turn or a shift over the segment's length [-]
  bool residuals = false;   // report the residual of every iteration
};
struct PenaltyOptions : Options {
  double weight = 1e7;         // of both terms: [N/m] on the length of a segment, [N m] on its direction
  double force_tolerance = 0;  // of |dE/dx|₂, the paper's measure; 0: not asked for [N, N m]
};

const OptionTable<PenaltyOptions>& penalty_option_table();
const OptionTable<Options>& kkt_option_table();
inline PenaltyOptions read_penalty_options(const OptionValues& values) { return penalty_option_table().read(values); }
inline Options read_kkt_options(const OptionValues& values) { return kkt_option_table().read(values); }
Capabilities capabilities();

}  // namespace tendril::solvers::cartesian
