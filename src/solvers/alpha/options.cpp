#include "solvers/alpha/options.h"

#include <algorithm>

namespace tendril::solvers::alpha {

Weights Options::weights() const {
  switch (coefficients) {
    case Coefficients::talk_single:
      return {0.4, 0, 1};
    case Coefficients::talk_all:
      return {0.3, 0, 0.7};
    case Coefficients::euler:
      return Weights::euler();
    case Coefficients::rho:
      break;
  }
  return Weights::of_rho(rho_infinity);
}

// the talk has one triple for all rows
Weights Options::weights_of_ways() const {
  return coefficients == Coefficients::rho ? Weights::of_rho(std::min(rho_infinity, rho_positions)) : weights();
}

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>()
          .add("iterations", &Options::iterations, {"-", "the most Newton steps in a time step", 1, 1e9})
          .add("tolerance", &Options::tolerance,
               {"-", "a time step is solved when a Newton step turns and stretches no segment by more", 0, 1})
          .add("rho_infinity", &Options::rho_infinity,
               {"-",
                "what remains of the fastest vibrations after a time step; the method is of second order with any "
                "value: 0.9 keeps energy well, 0 forgets them at once, and 1 damps nothing where rho_positions is 1, "
                "too, and every vibration is followed by the step",
                0, 1})
          .add("rho_positions", &Options::rho_positions,
               {"-",
                "the same for the equation by which positions follow from velocities, at most rho_infinity; above "
                "about 0.6 stiff rods that whip in long steps come apart",
                0, 1})
          .add("coefficients", &Options::coefficients,
               {{"rho_infinity", Coefficients::rho},
                {"talk_single", Coefficients::talk_single},
                {"talk_all", Coefficients::talk_all},
                {"euler", Coefficients::euler}},
               "of the method in time: those of rho_infinity, or what the talk prints: \"talk_single\" is alpha = 0.4, "
               "beta = 0, gamma = 1 (its single rods), \"talk_all\" is 0.3, 0, 0.7 (under all of its examples), which "
               "is implicit Euler, as \"euler\" is. The talk's are of first order")
          .add("residuals", &Options::residuals, {"-", "report the residual of every iteration"});
  return table;
}

Options read_options(const OptionValues& values) { return option_table().read(values); }

Capabilities capabilities() {
  Capabilities c;
  c.partial_holds = true;
  c.extensible = c.shearable = c.anisotropic = c.rotational_inertia = true;
  c.breaking = c.internal_damping = c.long_steps = true;
  c.order_in_time = 2;
  return c;
}

}  // namespace tendril::solvers::alpha
