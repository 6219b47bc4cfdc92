#include "physics/case.h"

namespace tendril::app::physics {

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"1.1 cantilever", cantilever},
      {"1.1 cantilever, steep", steep_cantilever},
      {"2.1 tip load with shear", tip_load_with_shear},
      {"2.1 tip load, soft in shear", tip_load_soft_in_shear},
      {"2.2 elastica", elastica},
      {"2.3 roll-up", roll_up},
      {"2.6 Euler buckling", buckling},
      {"2.6 Euler buckling by growth", buckling_by_growth},
      {"2.7 Greenhill", greenhill},
      {"2.7 Greenhill, one loop", localised_buckling},
      {"2.8 Michell ring", michell_ring},
      {"2.10 helical spring", spring_stiffness},
      {"2.10 Wilberforce", wilberforce},
      {"2.11 catenary", catenary},
      {"2.11 hanging bar", hanging_bar},
      {"2.12 elastic knot", elastic_knot},
      {"3.1 bending frequency", bending_frequency},
      {"3.1 higher frequencies", higher_frequencies},
      {"3.1 axial vibration", axial_frequency},
      {"3.1 torsion", torsional_frequency},
      {"3.2 rope pendulum", rope_pendulum},
      {"3.4 rigid motions", rigid_motions},
      {"3.4 conservation", conservation},
      {"3.4 conservation, long", long_conservation},
      {"3.5 Newton steps of a hair", newton_counts},
      {"3.5 Newton steps of a limp thread", limp_thread},
      {"3.6 energy of second order", second_order_energy},
      {"4.1 capstan", capstan},
      {"4.2 plane", plane},
      {"4.2 rolling", rolling},
      {"4.3 contact momentum", collision},
      {"4.3 stack at rest", stack},
      {"4.4 friction of rods that land and slide", landing_friction},
      {"4.4 momentum of rods that rub", rubbing_rods},
      {"4.5 friction work", energy_balance},
      {"4.6 hair on a head", hair_on_head},
      {"4.7 robustness", robustness},
  };
  return all;
}

std::vector<Check> run(const Case& physics_case, const Subject& subject) {
  Findings findings(physics_case.name);
  findings.part("", [&] { physics_case.run(subject, findings); });
  return findings.checks();
}

}  // namespace tendril::app::physics
