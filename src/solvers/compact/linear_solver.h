#pragma once

#include "solvers/compact/equations.h"

namespace tendril::solvers::compact {

// solves A s = right: exactly (elimination.h), or by the published conjugate gradients (pcg.h)
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  // false: A is not positive definite
  virtual bool factorise(const Equations& equations) = 0;
  // after factorise: the solution for Equations::right, where what is held of the root goes its way
  virtual void solve(const Vec3d& root_way, Vectors& u) const = 0;
  // A⁻¹ of other forces on vertices and turns, in place
  virtual void solve_for(Vectors& forces) const = 0;
  virtual int count() const = 0;                // of links
  virtual int iterations() const { return 0; }  // since factorise
};

}  // namespace tendril::solvers::compact
