#include "solvers/block/options.h"

namespace tendril::solvers::block {

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add(
              "iterations", &Options::iterations,
              {"-",
               "the most Newton steps in a time step; as many again for a rod that its first guess led over a ridge of "
               "its energy",
               1, 1e6})
          .add("tolerance", &Options::tolerance,
               {"-",
                "a time step is solved when a Newton step turns and stretches no segment by more, a twentieth of it if "
                "it is the first; what is left is about its square: of a hair of 0.2 m, 0.8 µm",
                0, 1})
          .add("contact_tolerance", &Options::contact_tolerance,
               {"-",
                "where rods touch a time step is solved when a Newton step turns and stretches no segment by more; "
                "unset: `tolerance`, if that is set",
                0, 1})
          .add("order", &Options::order,
               {"-",
                "in time: 1 is implicit Euler, which damps vibrations and what turns about a hold; 2 is the "
                "generalised-alpha method, of first order where "
                "rods touch",
                1, 2})
          .add("rho_infinity", &Options::rho_infinity,
               {"-",
                "what a step of second order leaves of the fastest vibrations; 0 holds stiff rods at their length in "
                "long steps, 1 is the midpoint rule, which damps nothing",
                0, 1})
          .add("precision", &Options::single_precision, {{"double", false}, {"float", true}},
               "of the Newton steps of equal strands, such as hair; what floats cannot solve is solved in double, and "
               "all else, the State included, is double")
          .add("residuals", &Options::residuals, {"-", "report the residual of every iteration"});
  return table;
}

Options read_options(const OptionValues& values) {
  Options o = option_table().read(values);
  if (values.contains("tolerance") && !values.contains("contact_tolerance")) o.contact_tolerance = o.tolerance;
  return o;
}

Capabilities capabilities() {
  Capabilities c;
  c.branches = c.loops = c.bodies = c.partial_holds = true;
  c.extensible = c.shearable = c.anisotropic = c.rotational_inertia = true;
  c.contact = c.friction = c.breaking = c.internal_damping = c.long_steps = true;
  c.exactness = 10 * Options{}.tolerance * Options{}.tolerance;  // Newton's method leaves about the square
  return c;
}

}  // namespace tendril::solvers::block
