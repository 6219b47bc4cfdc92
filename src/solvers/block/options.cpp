#include "solvers/block/options.h"

namespace tendril::block {
namespace {

double number(const OptionValue& value) {
  return std::holds_alternative<int>(value) ? std::get<int>(value) : std::get<double>(value);
}

}  // namespace

std::vector<OptionInfo> option_table() {
  const Options o;
  return {
      {"iterations",
       o.iterations,
       "-",
       "the most Newton steps in a time step; as many again for a rod that its first guess led over a ridge of its "
       "energy",
       {},
       1,
       1e6},
      {"tolerance",
       o.tolerance,
       "-",
       "a time step is solved when a Newton step turns and stretches no segment by more, a twentieth of it if it is "
       "the first; what is left is about its square: of a hair of 0.2 m, 0.8 µm",
       {},
       0,
       1},
      {"contact_tolerance",
       o.contact_tolerance,
       "-",
       "where rods touch a time step is solved when a Newton step turns and stretches no segment by more; unset: "
       "`tolerance`, if that is set",
       {},
       0,
       1},
      {"order",
       o.order,
       "-",
       "in time: 1 is implicit Euler, which damps; 2 is the generalised-alpha method, of first order where rods touch",
       {},
       1,
       2},
      {"rho_infinity",
       o.rho_infinity,
       "-",
       "what a step of second order leaves of the fastest vibrations; 0 holds stiff rods at their length in long "
       "steps, 1 is the midpoint rule, which damps nothing",
       {},
       0,
       1},
      {"precision",
       std::string("double"),
       "-",
       "of the Newton steps of equal strands, such as hair; what floats cannot solve is solved in double, and all "
       "else, "
       "the State included, is double",
       {"double", "float"}},
  };
}

Options read_options(const OptionValues& values) {
  Options o;
  if (const auto set = values.find("tolerance"); set != values.end()) o.contact_tolerance = number(set->second);
  for (const auto& [name, value] : values) {
    if (name == "iterations") o.iterations = std::get<int>(value);
    if (name == "tolerance") o.tolerance = number(value);
    if (name == "contact_tolerance") o.contact_tolerance = number(value);
    if (name == "order") o.order = std::get<int>(value);
    if (name == "rho_infinity") o.rho_infinity = number(value);
    if (name == "precision") o.single_precision = std::get<std::string>(value) == "float";
  }
  return o;
}

}  // namespace tendril::block
