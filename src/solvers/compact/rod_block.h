#pragma once

#include "solvers/compact/system.h"
#include "solvers/newton/newton_block.h"

namespace tendril::solvers::compact {

// One chain as Newton's method sees it (newton/newton.h): the loop of Algorithm 1 [zhao2022] with the merit function of
// Eq. 11 as its energy, whose weight is twice the largest multiplier. Trials are on the constraints.
class RodBlock {
 public:
  using Number = double;
  using Mask = bool;
  using Pass = System::Pass;

  struct Places {
    Iterate &at, &trial;  // where the rod is; where the time step begins, until a step is tried
  };
  RodBlock(const Part& part, const Chain& chain, const Problem& problem, System& system, Places places)
      : part_(part), chain_(chain), problem_(problem), system_(system), places_(places) {}

  Pass factorise(double hessian_share);
  void solve() {}
  double step_size() const { return system_.step_size(); }
  double turn_size() const { return system_.turn_size(); }
  double moment_work() const { return system_.moment_work(); }
  double start_energy();
  double energy_along(double fraction);
  double round_off(double energy) const;
  void advance(double fraction, bool);
  void go_back(bool);
  void keep_momentum(bool);
  int linear_iterations() const { return linear_iterations_; }

 private:
  const Part& part_;
  const Chain& chain_;
  const Problem& problem_;
  System& system_;
  Places places_;
  double tried_ = 0;  // fraction of the direction at which places_.trial is
  int linear_iterations_ = 0;
};
static_assert(newton::NewtonBlock<RodBlock>);

}  // namespace tendril::solvers::compact
