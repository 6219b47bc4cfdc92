#include "solvers/stable/options.h"

namespace tendril::stable {

std::vector<OptionInfo> option_table() {
  const Options o;
  return {
      {"mode",
       std::string("default"),
       "-",
       "\"paper\" is the published method: 4 sweeps, no tolerance, lambda approximate or (\"exact\") stored, no "
       "acceleration, its own start, barrier and friction",
       {"default", "paper"}},
      {"iterations", o.iterations, "-", "the most sweeps in a step; exactly so many when tolerance = 0", {}, 1, 1e9},
      {"tolerance",
       o.tolerance,
       "-",
       "a step ends when what is left of forces and torques is this part of those at work",
       {},
       0,
       1},
      {"acceleration",
       o.acceleration,
       "-",
       "momentum from sweep to sweep: stiff rods need ten times fewer of them",
       {}},
      {"lambda",
       std::string("exact"),
       "-",
       "\"exact\" minimises the energy; \"approximate\" is the paper's |v| + |b|, a slightly different material",
       {"exact", "approximate"}},
      {"precision", std::string("double"), "-", "of the sweeps; the State is always double", {"double", "float"}},
      {"residuals", o.residuals, "-", "report the residual of every sweep", {}},
  };
}

Options read_options(const OptionValues& values) {
  Options o;
  const auto text = [&](const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : std::get<std::string>(found->second);
  };
  if (text("mode") == "paper") {
    o.paper = true;
    o.iterations = 4, o.tolerance = 0, o.lambda = Lambda::approximate, o.acceleration = false;
  }
  for (const auto& [name, value] : values) {
    if (name == "iterations") o.iterations = std::get<int>(value);
    if (name == "tolerance")
      o.tolerance = std::holds_alternative<int>(value) ? std::get<int>(value) : std::get<double>(value);
    if (name == "acceleration") o.acceleration = std::get<bool>(value);
    if (name == "residuals") o.residuals = std::get<bool>(value);
  }
  if (text("lambda") == "exact") o.lambda = o.paper ? Lambda::stored : Lambda::exact;
  if (text("lambda") == "approximate") o.lambda = Lambda::approximate;
  o.single_precision = text("precision") == "float";
  return o;
}

}  // namespace tendril::stable
