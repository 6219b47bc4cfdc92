#pragma once

#include <vector>

#include "solvers/direct/residual.h"
#include "solvers/newton/newton_block.h"

namespace tendril::solvers::direct {

// One connected structure; models NewtonBlock. After each iteration one pass (residual.h) computes its energy and the
// residual of its constraints, by which `direct` decides that it has converged.
class StructureBlock {
 public:
  using Number = double;
  using Mask = bool;
  using Pass = System::Pass;

  struct Places {
    Iterate &at, &trial;  // where the part is; where the time step begins, until a step is tried
    bool is_all;          // the part is all of the Model
  };
  StructureBlock(const Part& part, const Problem& problem, System& system, const Places& places, Prediction& prediction)
      : part_(part), problem_(problem), system_(system), places_(places), prediction_(prediction) {}

  Pass factorise(double hessian_share);
  void solve();  // Eq. 22 [deul2018]
  double step_size() const;
  double turn_size() const { return system_.largest_turn(); }
  double moment_work() const { return system_.moment_work(); }
  double start_energy() const { return newton::energy(part_, problem_, places_.trial); }
  double energy_along(double fraction);
  double round_off(double energy) const;
  void advance(double fraction, bool);
  double take_residual(double fraction);
  void go_back(bool) { copy(part_, places_.trial, places_.at); }
  void keep_momentum(bool);

 private:
  const Part& part_;
  const Problem& problem_;
  System& system_;
  Places places_;
  Prediction& prediction_;
  double tried_ = 0;        // fraction of the direction, at which found_ is
  bool has_tried_ = false;  // some step, of any direction
  Evaluation found_;
};
static_assert(newton::NewtonBlock<StructureBlock> && newton::MeasuresResidual<StructureBlock>);

}  // namespace tendril::solvers::direct
