// what baselines do not hold, by what they are

#include "conformance.h"

namespace tendril::app::conformance {

const std::vector<Excuse>& excuses() {
  static const std::string one_weight =
                               "one number weighs a length [N/m] and a direction [N m], whatever the unit of length",
                           rounding =
                               "springs of 1e7 make 1e-7 N of the rounding of positions: small loads are not balanced "
                               "to 1e-8",
                           held_once = "reduced coordinates hang on one end of a rod; a second hold is refused",
                           explicit_part =
                               "what changes J within a step is explicit: momentum is kept to the first "
                               "order only";
  static const std::vector<Excuse> all{
      {"penalty", "metres_and_millimetres_move_alike", one_weight},
      {"penalty", "a_held_axis_leaves_the_spin_free", rounding},
      {"penalty", "ten_times_the_stiffness_is_a_tenth_of_the_deflection", rounding},
      {"penalty", "damping_does_not_change_statics", rounding},
      {"penalty", "segments_converge_at_second_order", rounding},
      {"redmax", "rest_stays_at_rest", held_once},
      {"redmax", "clamps_and_drives_are_met_exactly", held_once},
      {"redmax", "an_arch_held_at_both_ends_stands", held_once},
      {"redmax", "a_saved_run_goes_on_with_the_same_bits", held_once},
      {"redmax", "linear_momentum_is_conserved", explicit_part},
      {"redmax", "angular_momentum_is_bounded", explicit_part},
  };
  return all;
}

}  // namespace tendril::app::conformance
