#include "solvers/direct/options.h"

namespace tendril::direct {

std::vector<OptionInfo> option_table() {
  const Options o;
  return {
      {"mode",
       std::string("default"),
       "-",
       "\"paper\" is the published method: 3 iterations or a residual of 1e-6, from multipliers of zero, without the "
       "equation of motion in the linear equations",
       {"default", "paper"}},
      {"strain",
       std::string("default"),
       "-",
       "of bending and twisting: the rotation vector, or \"paper\", the published 2 Im(q̄ q), which is softer by a²/24 "
       "where two segments meet at an angle a",
       {"default", "paper"}},
      {"iterations", o.iterations, "-", "the most in a time step", {}, 1, 1e9},
      {"tolerance",
       o.tolerance,
       "-",
       "a time step is solved when no constraint with its compliance is farther from zero: zero-stretch over the "
       "segment's length, bend and twist in radians",
       {},
       0,
       1},
      {"contact_tolerance",
       o.contact_tolerance,
       "-",
       "where rods touch a time step is solved when an iteration turns and stretches no segment by more",
       {},
       0,
       1},
      {"gauss_seidel",
       o.gauss_seidel,
       "-",
       "the paper's comparison: constraints are solved one by one; needs thousands of iterations",
       {}},
      {"residuals", o.residuals, "-", "report the residual of every iteration", {}},
  };
}

Options read_options(const OptionValues& values) {
  Options o;
  if (const auto mode = values.find("mode"); mode != values.end() && std::get<std::string>(mode->second) == "paper")
    o.paper = true, o.iterations = 3, o.tolerance = 1e-6;
  for (const auto& [name, value] : values) {
    const auto number = [&] {
      return std::holds_alternative<int>(value) ? std::get<int>(value) : std::get<double>(value);
    };
    if (name == "strain") o.quaternion_strain = std::get<std::string>(value) == "paper";
    if (name == "iterations") o.iterations = std::get<int>(value);
    if (name == "tolerance") o.tolerance = number();
    if (name == "contact_tolerance") o.contact_tolerance = number();
    if (name == "gauss_seidel") o.gauss_seidel = std::get<bool>(value);
    if (name == "residuals") o.residuals = std::get<bool>(value);
  }
  return o;
}

}  // namespace tendril::direct
