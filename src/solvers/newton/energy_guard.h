#pragma once

#include "rod/model.h"
#include "solvers/newton/problem.h"
#include "solvers/solver.h"

namespace tendril::newton {

// A scheme of second order keeps the energy of small vibrations, but in large steps of a rod that bends far it may add
// some, without bound. This tells whether a step did: kinetic and elastic energy grew by more than the work of external
// forces and of what is held. Forces at z do their work along the whole way, which is exact for the midpoint rule in a
// linear rod; what the curvature of the energy makes of that is allowed for. It may come and go, but not add up: the
// guard keeps an account over the steps, which one of first order, that damps, settles.
class EnergyGuard {
 public:
  // `at_z` are the positions of the solution
  bool grew(const Problem& problem, const Inputs& inputs, const State& before, const Iterate& at_z, const State& after);

  void settle() { surplus_ = 0; }
  double surplus() const { return surplus_; }
  void set_surplus(double surplus) { surplus_ = surplus; }

 private:
  double surplus_ = 0;  // energy beyond what work has brought in, over the steps [J]
  State z_;
};

}  // namespace tendril::newton
