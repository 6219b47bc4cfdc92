#include "solvers/direct/options.h"

namespace tendril::direct {

std::vector<OptionInfo> option_table() {
  const Options o;
  return {
      {"iterations", o.iterations, "-", "the most Newton iterations in a time step", {}, 1, 1e6},
      {"tolerance",
       o.tolerance,
       "-",
       "a time step is solved when no constraint with its compliance is farther from zero: zero-stretch over the "
       "segment's length, bend and twist in radians",
       {},
       0,
       1},
  };
}

Options read_options(const OptionValues& values) {
  Options o;
  for (const auto& [name, value] : values) {
    if (name == "iterations") o.iterations = std::get<int>(value);
    if (name == "tolerance")
      o.tolerance = std::holds_alternative<int>(value) ? std::get<int>(value) : std::get<double>(value);
  }
  return o;
}

}  // namespace tendril::direct
