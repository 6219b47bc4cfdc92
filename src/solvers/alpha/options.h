#pragma once

#include "solvers/alpha/scheme.h"
#include "solvers/option_table.h"

namespace tendril::solvers::alpha {

// the weights of time, by name
enum class Coefficients { rho, talk_single, talk_all, euler };

struct Options {
  int iterations = 50;         // the most Newton steps in a time step
  double tolerance = 1e-8;     // size of a Newton step, as a turn or a stretch, after which no other is needed [-]
  double rho_infinity = 0.9;   // what remains of the fastest vibrations after a step [-]
  double rho_positions = 0.5;  // the same where positions follow from velocities, at most rho_infinity [-]
  Coefficients coefficients = Coefficients::rho;
  bool residuals = false;  // report the residual of every iteration

  Weights weights() const;
  Weights weights_of_ways() const;
};

const OptionTable<Options>& option_table();
Options read_options(const OptionValues& values);
Capabilities capabilities();

}  // namespace tendril::solvers::alpha
