#include "solvers/compact/options.h"

namespace tendril::solvers::compact {

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add("iterations", &Options::iterations, {"-", "the most Newton steps in a time step", 1, 1e6})
          .add("tolerance", &Options::tolerance,
               {"-",
                "a time step is solved when a Newton step turns no segment by more, a twentieth of it if it is the "
                "first; what is left is about its square",
                0, 1})
          .add("contact_tolerance", &Options::contact_tolerance,
               {"-",
                "where rods touch a time step is solved when a Newton step turns no segment by more; unset: "
                "`tolerance`, if that is set",
                0, 1})
          .add("linear_solver", &Options::linear_solver, {{"exact", Method::exact}, {"pcg", Method::pcg}},
               "of the linear equations of a rod: elimination from its end to its root, or the published conjugate "
               "gradients")
          .add("preconditioner", &Options::preconditioner,
               {{"hybrid", Preconditioner::hybrid},
                {"block_diagonal", Preconditioner::block_diagonal},
                {"diagonal", Preconditioner::diagonal}},
               "of the conjugate gradients: the published one, with the whole block-tridiagonal part of bending and "
               "twisting; the blocks on the diagonal; or the diagonal")
          .add("pcg_tolerance", &Options::pcg_tolerance,
               {"-", "conjugate gradients end when their residual is so small a part of the right-hand side", 0, 1})
          .add("strain", &Options::quaternion_strain, {{"default", false}, {"paper", true}},
               "of bending and twisting: the rotation vector, or \"paper\", the published 2 Im(q̄ q) (Eq. 29), which is "
               "softer by a²/24 where two segments meet at an angle a")
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
  c.bodies = c.partial_holds = c.anisotropic = c.rotational_inertia = true;
  c.contact = c.friction = c.internal_damping = c.long_steps = true;
  c.exactness = 1e-7;
  return c;
}

}  // namespace tendril::solvers::compact
