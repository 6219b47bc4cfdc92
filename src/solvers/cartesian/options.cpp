#include "solvers/cartesian/options.h"

namespace tendril::solvers::cartesian {
namespace {

template <class Of>
OptionTable<Of> shared_options() {
  return OptionTable<Of>()
      .add("iterations", &Of::iterations, {"-", "the most Newton iterations in a time step", 1, 1e9})
      .add("tolerance", &Of::tolerance,
           {"-",
            "a time step is solved when an iteration turns no segment and shifts no vertex, over the segment's length, "
            "by more",
            0, 1})
      .add("residuals", &Of::residuals, {"-", "report the residual of every iteration"});
}

}  // namespace

const OptionTable<PenaltyOptions>& penalty_option_table() {
  static const OptionTable<PenaltyOptions> table =
      shared_options<PenaltyOptions>()
          .add("weight", &PenaltyOptions::weight,
               {"-", "of the penalty terms: N/m on the length of a segment, N m on its frame's alignment", 1e-3, 1e15})
          .add("force_tolerance", &PenaltyOptions::force_tolerance,
               {"N",
                "a time step is also solved when forces and moments that are left are smaller, as the root of the sum "
                "of their squares: the published measure, with 1e-5",
                0, 1e9});
  return table;
}

const OptionTable<Options>& kkt_option_table() {
  static const OptionTable<Options> table = shared_options<Options>();
  return table;
}

Capabilities capabilities() {
  Capabilities c;
  c.partial_holds = c.anisotropic = c.rotational_inertia = c.internal_damping = true;
  c.exactness = Options{}.tolerance;
  return c;
}

}  // namespace tendril::solvers::cartesian
