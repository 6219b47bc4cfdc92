#pragma once

#include <vector>

#include "solvers/newton/options.h"
#include "solvers/solver.h"

namespace tendril::block {

struct Options : newton::Options {
  bool single_precision = false;  // precision = "float": of equal strands side by side
};

std::vector<OptionInfo> option_table();
Options read_options(const OptionValues& values);

}  // namespace tendril::block
