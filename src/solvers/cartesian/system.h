#pragma once

#include <vector>

#include "math/block_ldlt.h"
#include "math/elimination.h"
#include "rod/model.h"

namespace tendril::solvers::cartesian {

// The linear equations of an iteration: a symmetric matrix of 3x3 blocks for the shifts of the vertices, the turns of
// the segments and, where asked for, the three multipliers of each segment,
//   H u + Aᵀ m = right
//   A u - eps m = right
// It is eliminated along the rods: a segment's vertices, its turn, its multipliers, so that no multiplier comes before
// what it holds. Of a chain a row couples with three later ones at most.
class System {
 public:
  void reset(const Model& model, bool has_multipliers);

  int vertex(int i) const { return i; }
  int turn(int s) const { return vertices_ + s; }
  int multiplier(int s) const { return vertices_ + segments_ + s; }

  void clear() { matrix_.clear(); }
  void add(int unknown, const Mat3d& H) { matrix_.diagonal(plan_.row[unknown]) += H; }
  void add(int a, int b, const Mat3d& H);  // rows of a, columns of b
  void add_to_right(int unknown, const Vec3d& f) { matrix_.right(plan_.row[unknown]) += f; }

  // |right|₂ of vertices along their free axes and of turns, before solve
  double force_norm(const std::vector<Vec3d>& free_axes);
  // Vertices go along their free axes only. Whether H is positive definite on what the constraints leave free: where
  // every pivot of H is positive and every one of a multiplier negative.
  bool solve(const std::vector<Vec3d>& free_axes);
  const Vec3d& solution(int unknown) const { return u_[plan_.row[unknown]]; }

 private:
  int vertices_ = 0, segments_ = 0;
  std::vector<int> unknown_;  // (row)
  Elimination plan_;
  BlockLdlt<double> matrix_;
  std::vector<Vec3d> u_;  // (row)
};

}  // namespace tendril::solvers::cartesian
