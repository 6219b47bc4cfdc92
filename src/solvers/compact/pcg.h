#pragma once

#include <vector>

#include "math/block3.h"
#include "solvers/compact/linear_solver.h"
#include "solvers/compact/options.h"

namespace tendril::solvers::compact {

// An approximation P of A whose inverse is cheap, Sec. 3.3 [zhao2022]. The inertia of all that hangs on a turn gives
// its block Bᵀ (sum of H beyond it) B, Eq. 28; bending and twisting give a block-tridiagonal matrix.
//   hybrid           these blocks and all of that matrix, Eq. 22, solved by Thomas' algorithm
//   block_diagonal   these blocks and its diagonal blocks
//   diagonal         the diagonal of these
class Preconditioning {
 public:
  bool factorise(const Equations& equations, Preconditioner kind);  // false: it is not positive definite
  void solve(Vectors& r) const;                                     // P⁻¹ r, of x[0] and the turns

 private:
  Vec3d root_free_;
  Factors3<double> root_;
  std::vector<Factors3<double>> diagonal_;  // (link)
  std::vector<Mat3d> upper_;                // D_k⁻¹ O_k, with the link after (link); empty: none
  std::vector<Mat3d> lower_;                // O_k (link)
};

// A s = right by preconditioned conjugate gradients: products with J, H and Jᵀ in O(n), Eq. 19
class Pcg final : public LinearSolver {
 public:
  Pcg(Preconditioner kind, double tolerance) : kind_(kind), tolerance_(tolerance) {}
  bool factorise(const Equations& equations) override;
  void solve(const Vec3d& root_way, Vectors& u) const override;
  void solve_for(Vectors& forces) const override;
  int count() const override { return equations_->count(); }
  int iterations() const override { return iterations_; }

 private:
  bool iterate(const Vectors& right, Vectors& s) const;  // false: A is not positive definite
  void multiply(const Vectors& s, Vectors& out) const;   // A s

  Preconditioner kind_;
  double tolerance_;
  const Equations* equations_ = nullptr;
  Preconditioning preconditioning_;
  Vectors solution_;  // for Equations::right
  mutable int iterations_ = 0;
  mutable Vectors r_, z_, p_, ap_, ways_;
};

}  // namespace tendril::solvers::compact
