#pragma once

#include "solvers/alpha/equations.h"

namespace tendril::solvers::alpha {

struct Outcome {
  int iterations = 0;
  double residual = forever;  // size of the last Newton step, the largest turn or stretch [-]
  bool converged = false;
  std::vector<double> residuals;
};

struct NewtonLimits {
  int iterations = 50;
  double tolerance = 1e-8;
  bool keeps_residuals = false;
  const Inputs* inputs = nullptr;
};

// Newton's method on the balances of one chain; owns the memory of one worker.
class ChainNewton {
 public:
  // from the trial state to one that solves the equations
  Outcome solve(const Equations& equations, const Chain& chain, const NewtonLimits& limits, const State& start,
                Trial& at);

 private:
  bool find_direction(const Equations& equations, const Chain& chain, const Trial& at);
  double size_of_direction(const Equations& equations, const Chain& chain) const;
  void remember(const Chain& chain, const Trial& at);
  void go_back(const Chain& chain, const State& start, Trial& at) const;
  void go(const Chain& chain, double fraction, const State& start, Trial& at) const;

  std::vector<DoneNode> done_;
  std::vector<NodeSolution> direction_, last_direction_;  // (node)
  Trial before_;                                          // the last step, in the order of the chain
};

}  // namespace tendril::solvers::alpha
