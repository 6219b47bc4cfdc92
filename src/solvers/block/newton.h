#pragma once

#include "solvers/block/options.h"
#include "solvers/block/system.h"

namespace tendril::block {

// how the solution of a part went
struct Outcome {
  int iterations = 0;
  double step = 0;  // size of the last Newton step, which has been taken [-]
  bool converged = false;
};

// Newton's method for one part, from where `at` is to the minimum of its incremental potential.
//
//   repeat
//     H <- semi-definite part + exact (second derivatives - semi-definite part)
//     while H is not positive definite: less of `exact`
//     u <- -H⁻¹ gradient
//     if |u| < tolerance: take it, done
//     x <- x + share u, share halved until the energy falls by more than its round-off
class Newton {
 public:
  Newton(const Problem& problem, const Parts& parts, const Options& options)
      : problem_(problem), options_(options), system_(problem, parts) {}

  Outcome solve(const Part& part, Iterate& at, Iterate& trial, Prediction& prediction, double& exact);

 private:
  System::Pass factorise(const Part& part, const Iterate& at, const Prediction& prediction, double& exact);
  double falling_share(const Part& part, double energy, const Iterate& at, Iterate& trial);
  void keep_momentum(const Part& part, Iterate& at) const;
  double round_off(const Part& part, const Iterate& at, double energy) const;

  const Problem& problem_;
  const Options& options_;
  System system_;
};

}  // namespace tendril::block
