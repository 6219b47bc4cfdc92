#include "solvers/direct/structure_block.h"

#include <utility>

#include "solvers/newton/newton_rules.h"
#include "solvers/newton/scalar_block.h"

namespace tendril::solvers::direct {

StructureBlock::Pass StructureBlock::factorise(double hessian_share) {
  system_.begin(part_);
  return system_.factorise(places_.at, prediction_, hessian_share);
}

void StructureBlock::solve() {
  system_.solve();
  if (system_.is_finite()) system_.bend_way(places_.at);
  tried_ = 0;
}

// Exact only where Newton asks whether to go back to the start; else a bound, which needs no pass over the unknowns.
double StructureBlock::step_size() const {
  if (!system_.is_finite()) return forever;
  const double bound = system_.step_bound();
  const bool is_first = !has_tried_;
  return is_first && bound > newton::NewtonRules::far_from_guess ? system_.step_size(turn_size()) : bound;
}

double StructureBlock::energy_along(double fraction) {
  system_.advance(fraction, places_.at, places_.trial);
  found_ = evaluate(part_, problem_, {system_, places_.at, fraction, places_.trial}, prediction_);
  tried_ = fraction, has_tried_ = true;
  return found_.energy;
}

double StructureBlock::round_off(double energy) const { return newton::round_off(part_, found_.farthest, energy); }

// x <- x + fraction dx: as a rule that was tried last
void StructureBlock::advance(double fraction, bool) {
  if (fraction == 0) return;
  if (fraction != tried_) energy_along(fraction);
  if (places_.is_all)
    std::swap(places_.at, places_.trial);  // nothing needs to be copied
  else
    copy(part_, places_.trial, places_.at);
}

void StructureBlock::keep_momentum(bool) { newton::keep_momentum(part_, problem_, places_.at); }

// |C + alpha lambda| after a whole step; after a part of one, which meets no linearised constraint, the step's size
double StructureBlock::take_residual(double fraction) {
  return fraction == 1 ? found_.residual : system_.step_size(turn_size());
}

}  // namespace tendril::solvers::direct
