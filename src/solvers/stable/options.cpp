#include "solvers/stable/options.h"

namespace tendril::solvers::stable {
namespace {

Options published() {
  Options o;
  o.paper = true;
  o.iterations = 4, o.tolerance = 0, o.lambda = Lambda::approximate, o.acceleration = false;
  return o;
}

}  // namespace

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add(
              "mode", &Options::paper, {{"default", false}, {"paper", true}},
              "\"paper\" is the published method: 4 sweeps, no tolerance, lambda approximate or (\"exact\") stored, no "
              "acceleration, its own start, barrier and friction")
          .add("iterations", &Options::iterations,
               {"-", "the most sweeps in a step; exactly so many when tolerance = 0", 1, 1e9})
          .add("tolerance", &Options::tolerance,
               {"-", "a step ends when what is left of forces and torques is this part of those at work", 0, 1})
          .add("acceleration", &Options::acceleration,
               {"-", "momentum from sweep to sweep: stiff rods need ten times fewer of them"})
          .add("lambda", &Options::lambda, {{"exact", Lambda::exact}, {"approximate", Lambda::approximate}},
               "\"exact\" minimises the energy; \"approximate\" is the paper's |v| + |b|, a slightly different "
               "material")
          .add("precision", &Options::single_precision, {{"double", false}, {"float", true}},
               "of the sweeps; the State is always double")
          .add("residuals", &Options::residuals, {"-", "report the residual of every sweep"});
  return table;
}

Options read_options(const OptionValues& values) {
  const bool is_published = option_table().read(values).paper;
  Options o = option_table().read(values, is_published ? published() : Options{});
  if (is_published && o.lambda == Lambda::exact) o.lambda = Lambda::stored;
  return o;
}

Capabilities capabilities() {
  Capabilities c;
  c.branches = c.loops = c.bodies = c.partial_holds = true;
  c.extensible = c.shearable = c.anisotropic = true;
  c.contact = c.friction = c.breaking = c.internal_damping = true;
  c.exactness = Options{}.tolerance;
  return c;
}

}  // namespace tendril::solvers::stable
