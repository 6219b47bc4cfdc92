#include "solvers/compact/rod_block.h"

#include <limits>

#include "solvers/newton/scalar_block.h"

namespace tendril::solvers::compact {

// Evaluate A, b and the constraints; solve Eq. 14. The merit function needs the multipliers, so that both are here.
RodBlock::Pass RodBlock::factorise(double hessian_share) {
  system_.begin(part_);
  system_.add_drive(places_.at, {}, hessian_share);
  Pass pass = system_.factorise(places_.at, {}, hessian_share);
  if (!pass.is_definite) return pass;
  system_.solve();
  system_.set_drive();
  linear_iterations_ += system_.linear_iterations();
  pass.energy += system_.penalty();
  tried_ = 0;
  return pass;
}

// Of a rod that is held at more than its root the start of the step does not meet the constraints.
double RodBlock::start_energy() {
  if (!chain_.holds.empty()) return forever;
  place_near(chain_, problem_, places_.trial);
  return energy(part_, chain_, problem_, places_.trial);
}

double RodBlock::energy_along(double fraction) {
  system_.advance(fraction, places_.at, places_.trial);
  tried_ = fraction;
  return system_.holds_are_met() ? energy(part_, chain_, problem_, places_.trial) : forever;
}

// what is uncertain in an energy: the sums, and positions in the inertia [J]
double RodBlock::round_off(double energy) const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double away = 0;  // of the inertia, by the last digits of the positions
  const auto add = [&](double weight, const Vec3d& x, const Vec3d& goal) { away += weight * norm(x - goal) * norm(x); };
  for (const auto& [i, row] : chain_.vertices)
    if (i >= 0) add(problem_.weight[i], places_.at.x[i], problem_.goal[i]);
  for (const Chain::Centre& centre : chain_.centres) {
    const int b = chain_.body(centre);
    add(problem_.bodies[b].weight, places_.at.body_x[b], problem_.bodies[b].goal);
  }
  return epsilon * (8 * energy + 4 * away);
}

void RodBlock::advance(double fraction, bool) {
  if (fraction == 0) return;
  if (fraction != tried_) system_.advance(fraction, places_.at, places_.trial);
  tried_ = 0;
  copy(part_, places_.trial, places_.at);
}

void RodBlock::go_back(bool) { copy(part_, places_.trial, places_.at); }

void RodBlock::keep_momentum(bool) { newton::keep_momentum(part_, problem_, places_.at); }

}  // namespace tendril::solvers::compact
