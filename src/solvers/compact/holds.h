#pragma once

#include <span>
#include <vector>

#include "solvers/compact/chain.h"
#include "solvers/compact/linear_solver.h"

namespace tendril::solvers::compact {

// What holds vertices of a chain other than its root, as equality constraints C: each row is a world axis of a vertex.
// Eq. 14 [zhao2022] with the signs of a Lagrangian E - lambda·C:
//
//   N lambda = way - C u,   N = C A⁻¹ Cᵀ,   u + A⁻¹ Cᵀ lambda
//
// with one factorisation and one right-hand side for each row. The matrix is A + rho Cᵀ C, which the constraints do not
// feel, so that it is definite wherever it is on ways that are not held. Rows that no turn changes, such as the length
// of a straight rod between two pins, get no multiplier.
class Holds {
 public:
  using Numbers = std::vector<double>;  // (hold)

  void prepare(std::span<const Chain::Hold> holds, const LinearSolver& solver);
  bool empty() const { return holds_.empty(); }

  Numbers left(std::span<const double> ways, const Vectors& u) const;  // way - C u
  Numbers multipliers(const Numbers& left) const { return product(inverse_, left); }
  void add(const Numbers& multipliers, Vectors& u) const;

  // The multipliers of a few steps that follow each other, as N changes with them: Broyden's method.
  class Following {
   public:
    explicit Following(const Holds& holds) : inverse_(holds.inverse_) {}
    Numbers multipliers(const Numbers& left) const { return product(inverse_, left); }
    // a step, and by how much less is left after it
    void learn(const Numbers& step, const Numbers& gained);

   private:
    Numbers inverse_;
  };

 private:
  static Numbers product(const Numbers& matrix, const Numbers& v);

  std::span<const Chain::Hold> holds_;
  std::vector<Vectors> columns_;  // A⁻¹ Cᵀ (hold)
  Numbers inverse_;               // of N, symmetric (hold, hold)
};

}  // namespace tendril::solvers::compact
