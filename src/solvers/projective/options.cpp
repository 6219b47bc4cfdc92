#include "solvers/projective/options.h"

namespace tendril::solvers::projective {

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add("iterations", &Options::iterations,
               {"-", "local and global steps in a time step; the most of them where tolerance > 0", 1, 1e9})
          .add("tolerance", &Options::tolerance,
               {"-",
                "a step ends when what is left of forces and torques is this part of those at work; 0: after its "
                "iterations",
                0, 1})
          .add("residuals", &Options::residuals, {"-", "report the residual of every iteration"});
  return table;
}

Options read_options(const OptionValues& values) { return option_table().read(values); }

Capabilities capabilities() {
  Capabilities c;
  c.extensible = c.shearable = c.anisotropic = c.rotational_inertia = true;
  c.contact = c.friction = c.partial_holds = c.breaking = c.internal_damping = c.long_steps = true;
  c.exactness = Options{}.solved_below();
  return c;
}

}  // namespace tendril::solvers::projective
