#include "solvers/direct/options.h"

namespace tendril::solvers::direct {
namespace {

Options published() {
  Options o;
  o.paper = true, o.iterations = 3, o.tolerance = 1e-6;
  return o;
}

}  // namespace

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add("mode", &Options::paper, {{"default", false}, {"paper", true}},
               "\"paper\" is the published method: 3 iterations or a residual of 1e-6, from multipliers of zero, "
               "without the "
               "equation of motion in the linear equations; loops and collisions one by one in turn with the rest; "
               "a step of which more is left counts as unsolved")
          .add("strain", &Options::quaternion_strain, {{"default", false}, {"paper", true}},
               "of bending and twisting: the rotation vector, or \"paper\", the published 2 Im(q̄ q), which is softer "
               "by a²/24 where two segments meet at an angle a")
          .add("iterations", &Options::iterations, {"-", "the most in a time step", 1, 1e9})
          .add("tolerance", &Options::tolerance,
               {"-",
                "a time step is solved when no constraint with its compliance is farther from zero: zero-stretch over "
                "the segment's length, bend and twist in radians",
                0, 1})
          .add("contact_tolerance", &Options::contact_tolerance,
               {"-", "where rods touch a time step is solved when an iteration turns and stretches no segment by more",
                0, 1})
          .add("gauss_seidel", &Options::gauss_seidel,
               {"-", "the paper's comparison: constraints are solved one by one; needs thousands of iterations"})
          .add("residuals", &Options::residuals, {"-", "report the residual of every iteration"});
  return table;
}

Options read_options(const OptionValues& values) {
  const bool is_published = option_table().read(values).paper;
  return option_table().read(values, is_published ? published() : Options{});
}

Capabilities capabilities() {
  Capabilities c;
  c.branches = c.loops = c.bodies = c.partial_holds = true;
  c.extensible = c.shearable = c.anisotropic = c.rotational_inertia = true;
  c.contact = c.friction = c.breaking = c.internal_damping = c.long_steps = true;
  c.exactness = 10 * Options{}.tolerance;
  return c;
}

}  // namespace tendril::solvers::direct
