#pragma once

#include "math/block_ldlt.h"
#include "solvers/newton/system.h"

namespace tendril::solvers::projective {

// "Sphere Collision" and "Self Collision", Sec. 4.3 [strauss2020], with whatever surface it is: the two points of a
// pair of surfaces that are nearest.
//   S q = the vertices of both,   A = n·(their weights),   B = 1
//   p   = the gap at which the barrier's force is the one that it has there
//   w   = the barrier's second derivative, and against sliding the spring of friction
// They are added by newton::System::add_contact. The report prints the sphere's projection with its sign reversed; what
// does not touch it projects onto itself with a large weight, since its matrix is fixed, and that is a viscous fluid.
// Here a pair beyond its reach has no row. A = n, not 1, so that what touches slides freely but for friction; and the
// force factor, by which the report projects points beyond the surface so that their weight may be smaller, is the
// barrier, whose force grows as the gap closes.
//
// A strand that touches something has a matrix of its own, in blocks of three rows, factored again in O(n) whenever its
// contacts change. Others keep the one that they share.
class TouchedStrand final : public newton::System {
 public:
  using newton::System::System;

  void begin(const newton::Part& part) override;
  Pass factorise(const newton::Iterate& at, const newton::Prediction& prediction, double exact) override;
  void solve() override { matrix_.solve_backwards(u_); }
  void precondition(std::vector<Vec3d>& r) const override { matrix_.solve(r); }

 private:
  void add_to_diagonal(int row, const Mat3d& H) override { matrix_.diagonal(row) += H; }
  void add_to_coupling(int later, int earlier, const Mat3d& H) override;
  void add_to_right(int row, const Vec3d& force) override { matrix_.right(row) += force; }

  double add_vertex(int row, int vertex, const newton::Iterate& at);
  double add(const newton::StretchElement& e, const newton::Iterate& at, const Vec3d& predicted, double exact);
  double add(const newton::BendElement& e, const newton::Iterate& at, double exact);
  void add_between(int a, int b, const Mat3d& H);  // H of (a, b)

  BlockLdlt<double> matrix_;
};

}  // namespace tendril::solvers::projective
