#include <algorithm>
#include <cmath>

#include "solvers/newton/solver.h"

namespace tendril::newton {

// The direction of Newton's method where things touch: of every open island, with the energies where they are.

namespace {

// Of it, in the energy's norm, where soft motions weigh little: a tenth of the size of the last step, for what is far
// off needs no exact direction, but within bounds.
constexpr double finest = 1e-3, coarsest = 3e-2;

}  // namespace

void NewtonSolver::newton_direction(Contact& contact, StepReport& report) {
  energies_.assign(parts_.count(), 0);
  std::vector<char> asked;
  for (int i = 0; i < islands_.count(); ++i) asked.push_back(islands_.is_open(i));
  solve_linear_equations(asked, report);
  if (drop_what_makes_wild(asked)) solve_linear_equations(asked, report);
  bend_ways(contact);
  for_open([&](int p) {  // what touches must have found its place, too
    const System& system = *systems_[p];
    sizes_[p] = touching_.sides_of(p).empty() ? system.step_size() : std::max(system.step_size(), system.shift_size());
  });
  ++report.iterations;
  report.residual = 0;
  for (int p : open_) report.residual = std::isfinite(sizes_[p]) ? std::max(report.residual, sizes_[p]) : forever;
}

// Where the second derivatives are nearly singular a step turns something by more than a radian, which no parabola
// describes: such islands do without those that may be negative. Leaves these among those asked for. Parts alone make
// do with a shorter step: this would save them 1 to 5 % of their Newton steps, but leave a fifth more of violent
// motions unsolved.
bool NewtonSolver::drop_what_makes_wild(std::vector<char>& asked) {
  std::vector<double> turns(parts_.count(), 0);
  for_open([&](int p) {
    if (exact_[p] > 0) turns[p] = systems_[p]->turn_size();
  });
  turns = islands_.largest(turns);
  for (int i = 0; i < islands_.count(); ++i) asked[i] = asked[i] && !(turns[i] < NewtonRules::longest_turn);
  for (int p = 0; p < parts_.count(); ++p)
    if (asked[islands_.of(p)]) exact_[p] = 0;
  return std::any_of(asked.begin(), asked.end(), [](char a) { return a; });
}

// of islands that are asked for
void NewtonSolver::solve_linear_equations(const std::vector<char>& asked, StepReport& report) {
  for_open([&](int p) {
    if (!asked[islands_.of(p)]) return;
    System& system = *systems_[p];
    for (;;) {
      system.begin(parts_[p]);
      system.add_contact(touching_, p, at_, exact_[p]);
      system.add_drive(at_, prediction_, exact_[p]);
      const System::Pass pass = system.factorise(at_, prediction_, exact_[p]);
      energies_[p] = pass.energy;
      if (pass.is_definite || exact_[p] == 0) break;
      exact_[p] = NewtonRules::share_after_indefinite(exact_[p]);
    }
    system.solve();
  });
  const double last_size = report.iterations > 0 ? report.residual : 1;
  const double accuracy = std::clamp(0.1 * last_size, finest, coarsest);
  report.linear_iterations += coupling_.solve(touching_, islands_, asked, at_, exact_, accuracy, systems_, *team_);
  for_open([&](int p) {
    if (asked[islands_.of(p)]) systems_[p]->set_drive();
  });
}

// The second order of the ways: what the strains, and the gaps, at x + u are beyond those of the linear equations.
void NewtonSolver::bend_ways(Contact& contact) {
  for_open([&](int p) { systems_[p]->advance_straight(1, at_, trial_); });
  contact.set_trial(trial_);
  std::vector<std::vector<Vec3d>> forces(parts_.count());
  for_open([&](int p) {
    if (!touching_.sides_of(p).empty()) forces[p] = systems_[p]->excess_forces(at_);
  });
  coupling_.add_excess(touching_, systems_, contact, at_, trial_, forces);
  for_open([&](int p) {
    if (forces[p].empty())
      systems_[p]->bend_way(at_);
    else
      systems_[p]->bend_way_by(std::move(forces[p]));
  });
}

}  // namespace tendril::newton
