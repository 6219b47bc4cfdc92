#include "solvers/redmax/options.h"

namespace tendril::solvers::redmax {

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add("iterations", &Options::iterations,
               {"-", "the most iterations of conjugate gradients in a time step", 1, 1e9})
          .add("tolerance", &Options::tolerance,
               {"-", "conjugate gradients end at this residual, over that of a solution of zero", 0, 1})
          .add("residuals", &Options::residuals, {"-", "report the residual of every iteration"});
  return table;
}

Capabilities capabilities() {
  Capabilities c;
  c.anisotropic = c.rotational_inertia = true;
  c.exactness = 10 * Options{}.tolerance;
  return c;
}

}  // namespace tendril::solvers::redmax
