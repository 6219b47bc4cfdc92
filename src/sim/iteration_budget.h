#pragma once

#include "solvers/solver.h"

namespace tendril::sim {

// Limits the iterations of a time step, so that one that cannot be solved costs at most 20 times the usual number n:
//   - an attempt may take 4 n; one that fails is refused, and the step is divided in halves
//   - attempts that may be refused take 12 n in all
//   - after that each part of it that is left, at most one of each length, may take 2 n and is accepted unsolved
// A part that cannot end at all, since an obstacle is not where it is driven, is always divided, up to
// most_divisions; then the run ends.
class IterationBudget {
 public:
  static constexpr int most_divisions = 4;  // of a step into halves: into sixteen parts

  void begin_step(bool has_contact);
  bool may_refuse(int divisions) const { return divisions < most_divisions && left_ > 0; }
  int most_iterations(bool may_refuse) const;
  void spend(const StepReport& attempt);  // at the step, or at a part of it

  double mean() const { return mean_; }
  void set_mean(double mean) { mean_ = mean; }

 private:
  double mean_ = 0;   // running mean of the iterations of attempts that converged
  double usual_ = 0;  // likewise, and no less than a step may need after a calm past
  double left_ = 0;   // iterations of the present step
};

}  // namespace tendril::sim
