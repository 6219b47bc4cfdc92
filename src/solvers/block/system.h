#pragma once

#include <unordered_map>

#include "math/block_ldlt.h"
#include "solvers/block/elements.h"
#include "solvers/newton/system.h"

namespace tendril::solvers::block {

// The matrix in blocks of three rows, in one pass over them: elements are added just before the first of their rows is
// eliminated, so little of the matrix is ever looked at twice.
class System final : public newton::System {
 public:
  using newton::System::System;

  void begin(const Part& part) override;
  Pass factorise(const Iterate& at, const Prediction& prediction, double hessian_share) override;
  void solve() override;
  void precondition(std::vector<Vec3d>& r) const override;

 private:
  void add_to_diagonal(int row, const Mat3d& H) override { matrix_.diagonal(row) += H; }
  void add_to_coupling(int later, int earlier, const Mat3d& H) override;
  void add_to_right(int row, const Vec3d& force) override { matrix_.right(row) += force; }

  double add_vertex(int row, int vertex, const Iterate& at);
  double add(const StretchElement& e, const Places::OfStretch& places, const StretchBlocks& blocks);
  double add(const BendElement& e, const Place& place, const BendBlocks& blocks);

  BlockLdlt<double> matrix_;
  std::unordered_map<const Part*, ElementConstants> constants_;  // of the parts that it has met
  std::array<StretchBlocks, element_lanes> stretches_;           // those that are added next
  std::array<BendBlocks, element_lanes> bends_;
};

}  // namespace tendril::solvers::block
