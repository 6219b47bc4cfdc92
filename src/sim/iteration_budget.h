#pragma once

#include "solvers/solver.h"

namespace tendril {

// How many iterations a step may take, so that one that cannot be solved costs at most twenty times what steps usually
// cost. An attempt may take four times as many as usual; one that is refused is divided, and twelve times as many are
// for it and its parts. What is left of the step then, at most one part of each length, may take twice as many each,
// and is taken even if it is not solved. Only what has no way on is still divided, to the limit: else the run ends.
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

}  // namespace tendril
