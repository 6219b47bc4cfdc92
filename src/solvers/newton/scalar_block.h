#pragma once

#include <cmath>

#include "solvers/newton/newton_block.h"
#include "solvers/newton/system.h"

namespace tendril::solvers::newton {

// what is uncertain in the energy of a part: positions have a last digit [J]
double round_off(const Part& part, const Problem& problem, const Iterate& at, double energy);
// the same from how far its ends of segments are from the origin, over the lengths of these
double round_off(const Part& part, double farthest, double energy);
inline double farthest(const StretchElement& e, const Problem& problem, const Iterate& at) {
  const Vec3d& x = at.x[e.vertex[1]];
  return (std::abs(x.x) + std::abs(x.y) + std::abs(x.z)) / problem.model->segments[e.segment].rest_length;
}

// A part that nothing holds has its centre where the external forces put it: what rounding changed is put right, so
// that it does not add up over many steps.
void keep_momentum(const Part& part, const Problem& problem, Iterate& at);

// one part as Newton sees it, by its System
class ScalarBlock {
 public:
  using Number = double;
  using Mask = bool;
  using Pass = System::Pass;

  ScalarBlock(const Part& part, const Problem& problem, System& system, Iterate& at, Iterate& trial,
              Prediction& prediction)
      : part_(part), problem_(problem), system_(system), at_(at), trial_(trial), prediction_(prediction) {}

  Pass factorise(double hessian_share) {
    system_.begin(part_);
    return system_.factorise(at_, prediction_, hessian_share);
  }
  void solve() { system_.solve(), system_.bend_way(at_); }
  double step_size() const { return system_.step_size(); }
  double turn_size() const { return system_.turn_size(); }
  double moment_work() const { return system_.moment_work(); }
  double round_off(double energy) const { return newton::round_off(part_, problem_, at_, energy); }
  double start_energy() const { return energy(part_, problem_, trial_); }  // before the first energy_along
  double energy_along(double fraction) {
    system_.advance(fraction, at_, trial_);
    return energy(part_, problem_, trial_);
  }
  void advance(double fraction, bool) {
    system_.advance(fraction, at_, at_);
    system_.predict(prediction_);
  }
  void go_back(bool) { copy(part_, trial_, at_); }
  void keep_momentum(bool) { newton::keep_momentum(part_, problem_, at_); }

 private:
  const Part& part_;
  const Problem& problem_;
  System& system_;
  Iterate &at_, &trial_;
  Prediction& prediction_;
};
static_assert(NewtonBlock<ScalarBlock>);

}  // namespace tendril::solvers::newton
