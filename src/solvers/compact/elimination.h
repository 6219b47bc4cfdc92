#pragma once

#include <vector>

#include "math/block3.h"
#include "solvers/compact/linear_solver.h"

namespace tendril::solvers::compact {

// A s = right, exactly and in O(n), from the free end to the root. Let V(p, w) be the least that the model can reach of
// all that hangs on a vertex, where that vertex goes by p and the segment before it turns by w:
//
//   V = 1/2 pᵀ P p + pᵀ C w + 1/2 wᵀ W w - a·p - b·w
//
// A segment with its far vertex, p_far = p + w x arm = p + B w, changes V to that of its near vertex and its own turn,
//
//   P' = P,   C' = P B + C,   W' = Bᵀ P B + Bᵀ C + Cᵀ B + W + theta,   b' = b + Bᵀ a + right
//
// and the bend to the segment before it, of which the unknown is r = w' - w, is least at
//
//   r = Q⁻¹ (b' - G w - C'ᵀ p),   Q = S + W',   G = W' - [half_moment]
//   P'' = P' - C' Q⁻¹ C'ᵀ,   C'' = C' - C' Q⁻¹ G,   W'' = W' - Gᵀ Q⁻¹ G
//
// Nothing is lost to stiff bends: what hangs on one is taken as rigid plus a little, not as a difference of S and S.
class Elimination final : public LinearSolver {
 public:
  bool factorise(const Equations& equations) override;
  void solve(const Vec3d& root_way, Vectors& u) const override;
  void solve_for(Vectors& forces) const override;
  int count() const override { return static_cast<int>(steps_.size()); }

 private:
  struct Step {
    Factors3<double> Q;
    Mat3d by_turn, by_way;  // Q⁻¹ G, Q⁻¹ C'ᵀ
    Vec3d arm;
    Vec3d free;  // Q⁻¹ b'
  };
  Vec3d root(const Vec3d& force) const;
  void go_forwards(Vectors& u) const;

  std::vector<Step> steps_;   // (link)
  Sym3<double> root_weight_;  // P there
  Factors3<double> root_;     // of its free axes
  Vec3d root_free_, root_force_;
};

}  // namespace tendril::solvers::compact
