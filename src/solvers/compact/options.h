#pragma once

#include "solvers/newton/options.h"
#include "solvers/option_table.h"

namespace tendril::solvers::compact {

enum class Method { exact, pcg };
enum class Preconditioner { diagonal, block_diagonal, hybrid };

struct Options : newton::Options {
  Options() { tolerance = 1e-4; }

  Method linear_solver = Method::exact;
  Preconditioner preconditioner = Preconditioner::hybrid;
  double pcg_tolerance = 1e-9;     // of the residual of the linear equations, over that of the right-hand side [-]
  bool quaternion_strain = false;  // strain = "paper", Eq. 29 [zhao2022]
};

const OptionTable<Options>& option_table();
Options read_options(const OptionValues& values);
Capabilities capabilities();

}  // namespace tendril::solvers::compact
