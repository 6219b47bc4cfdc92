#pragma once

#include <functional>
#include <string>
#include <vector>

#include "physics/findings.h"
#include "solvers/solver.h"

namespace tendril::app::physics {

enum class Effort { full, quick };  // quick: what a test run can wait for

// the solver under test
struct Subject {
  const SolverInfo& solver;
  Effort effort = Effort::full;
  bool quick() const { return effort == Effort::quick; }
};

// one entry of the suite: a rod whose behaviour is known, under any solver
struct Case {
  std::string name;  // "1.1 cantilever"
  std::function<void(const Subject& subject, Findings& findings)> run;
};

// the suite, in the order of its numbers; what is not measured is in it too, with the reason
const std::vector<Case>& cases();

std::vector<Check> run(const Case& physics_case, const Subject& subject);

void cantilever(const Subject& subject, Findings& findings);
void steep_cantilever(const Subject& subject, Findings& findings);
void tip_load_with_shear(const Subject& subject, Findings& findings);
void tip_load_soft_in_shear(const Subject& subject, Findings& findings);
void elastica(const Subject& subject, Findings& findings);
void roll_up(const Subject& subject, Findings& findings);
void buckling(const Subject& subject, Findings& findings);
void buckling_by_growth(const Subject& subject, Findings& findings);
void greenhill(const Subject& subject, Findings& findings);
void localised_buckling(const Subject& subject, Findings& findings);
void michell_ring(const Subject& subject, Findings& findings);
void spring_stiffness(const Subject& subject, Findings& findings);
void wilberforce(const Subject& subject, Findings& findings);
void catenary(const Subject& subject, Findings& findings);
void hanging_bar(const Subject& subject, Findings& findings);
void bending_frequency(const Subject& subject, Findings& findings);
void higher_frequencies(const Subject& subject, Findings& findings);
void axial_frequency(const Subject& subject, Findings& findings);
void torsional_frequency(const Subject& subject, Findings& findings);
void rope_pendulum(const Subject& subject, Findings& findings);
void rigid_motions(const Subject& subject, Findings& findings);
void conservation(const Subject& subject, Findings& findings);
void long_conservation(const Subject& subject, Findings& findings);
void capstan(const Subject& subject, Findings& findings);
void plane(const Subject& subject, Findings& findings);
void rolling(const Subject& subject, Findings& findings);
void collision(const Subject& subject, Findings& findings);
void stack(const Subject& subject, Findings& findings);
void newton_counts(const Subject& subject, Findings& findings);
void limp_thread(const Subject& subject, Findings& findings);
void second_order_energy(const Subject& subject, Findings& findings);
void landing_friction(const Subject& subject, Findings& findings);
void rubbing_rods(const Subject& subject, Findings& findings);
void energy_balance(const Subject& subject, Findings& findings);
void hair_on_head(const Subject& subject, Findings& findings);
void robustness(const Subject& subject, Findings& findings);
void elastic_knot(const Subject& subject, Findings& findings);

}  // namespace tendril::app::physics
