#pragma once

#include <vector>

#include "solvers/newton/options.h"
#include "solvers/solver.h"

namespace tendril::block {

using newton::Options;

std::vector<OptionInfo> option_table();
Options read_options(const OptionValues& values);

}  // namespace tendril::block
