#pragma once

#include "solvers/option_table.h"

namespace tendril::solvers::direct {

struct Options {
  int iterations = 100;             // the most in a time step
  double tolerance = 1e-10;         // of the residual, see the README [-]
  double contact_tolerance = 1e-5;  // where rods touch: size of the last step, as a turn or a stretch [-]
  bool paper = false;               // mode = "paper"
  bool quaternion_strain = false;   // strain = "paper"
  bool gauss_seidel = false;        // constraints one by one instead of all of a structure at once
  bool residuals = false;           // report the residual of every iteration

  bool is_position_based() const { return paper || gauss_seidel; }
};

const OptionTable<Options>& option_table();
Options read_options(const OptionValues& values);  // a mode first, then what is set besides
Capabilities capabilities();

}  // namespace tendril::solvers::direct
