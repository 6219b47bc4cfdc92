#pragma once

#include "solvers/newton/options.h"
#include "solvers/option_table.h"

namespace tendril::solvers::block {

struct Options : newton::Options {
  bool single_precision = false;  // precision = "float": of equal strands side by side
};

const OptionTable<Options>& option_table();
Options read_options(const OptionValues& values);
Capabilities capabilities();

}  // namespace tendril::solvers::block
