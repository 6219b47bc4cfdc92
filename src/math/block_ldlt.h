#pragma once

#include <cstring>
#include <vector>

#include "math/block3.h"
#include "math/elimination.h"

namespace tendril::math {

// A symmetric positive definite matrix of 3x3 blocks, H = L D Lᵀ, factorised in place in the order of its Elimination.
// D is diagonal: no block is inverted, so that one which is stiff along one direction and soft across loses no digits.
// The blocks of a row are complete when its turn comes, so they can be added just before: what has been worked on is
// still in the cache.
//
//   clear                                  all zero
//   foreach row: add to diagonal, coupling and right; eliminate
//   solve_backwards                        H u = right
template <class T>
class BlockLdlt {
 public:
  void reset(const Elimination& plan) {
    plan_ = &plan;
    diagonal_.resize(plan.row_count()), coupling_.resize(plan.coupling_count()), right_.resize(plan.row_count());
    factors_.resize(plan.row_count());
  }
  void clear() { set_zero(diagonal_), set_zero(coupling_), set_zero(right_); }

  Diagonal3<T>& diagonal(int row) { return diagonal_[row]; }
  Block3<T>& coupling(int c) { return coupling_[c]; }  // of the later row with the earlier one
  Column3<T>& right(int row) { return right_[row]; }

  // whether the matrix is positive definite so far
  Truth<T> eliminate(int row);
  // the same, with unknowns that stay zero along some axes: `free` is 1 or 0 along each
  Truth<T> eliminate_partly(int row, const Vec3<T>& free);

  // u of all rows
  void solve_backwards(std::vector<Vec3<T>>& u) const;

  // another right-hand side in u, with the factors at hand
  void solve(std::vector<Vec3<T>>& u) const;

 private:
  template <class Item>
  static void set_zero(std::vector<Item>& items) {
    if (!items.empty()) std::memset(static_cast<void*>(items.data()), 0, items.size() * sizeof(Item));
  }

  const Elimination* plan_ = nullptr;
  std::vector<Diagonal3<T>> diagonal_;  // (row)
  std::vector<Factors3<T>> factors_;    // of the diagonal, once eliminated (row)
  std::vector<Block3<T>> coupling_;     // L, once eliminated (coupling)
  std::vector<Column3<T>> right_;       // D⁻¹ L⁻¹ of it, once eliminated (row)
};

template <class T>
[[gnu::always_inline]] inline Truth<T> BlockLdlt<T>::eliminate(int row) {
  Factors3<T>& factors = factors_[row];
  const Truth<T> is_definite = factorise(lower_half(diagonal_[row]), factors);
  const Vec3<T> right = factors.forwards(right_[row].vector());
  const int begin = plan_->first[row], end = plan_->first[row + 1];
  const int* target = plan_->target.data() + plan_->first_target[row];
  for (int j = begin; j < end; ++j) divide(coupling_[j], factors);
  for (int j = begin; j < end; ++j) {
    const Block3<T> l = scaled_columns(coupling_[j], factors.w);
    const int later = plan_->later[j];
    subtract_product_transposed(l, coupling_[j], diagonal_[later]);
    subtract_product(l, right, right_[later]);
    // those after j are not scaled yet: H(k, j) -= L(k, row) D L(j, row)ᵀ
    for (int k = j + 1; k < end; ++k) subtract_product_transposed(coupling_[k], l, coupling_[*target++]);
    for (int k = 0; k < 3; ++k) coupling_[j].column[k] = l.column[k];
  }
  right_[row] = {}, right_[row] += scale(factors.w, right);
  return is_definite;
}

template <class T>
inline Truth<T> BlockLdlt<T>::eliminate_partly(int row, const Vec3<T>& free) {
  const Mat3<T> held = Mat3<T>::diagonal({T(1) - free.x, T(1) - free.y, T(1) - free.z});
  const Mat3<T> m = matrix_of(diagonal_[row]);
  diagonal_[row] =
      diagonal_of(Mat3<T>{scale(free * free.x, m.c0), scale(free * free.y, m.c1), scale(free * free.z, m.c2)} + held);
  const Vec3<T> right = scale(free, right_[row].vector());
  right_[row] = {}, right_[row] += right;
  for (int c = plan_->first[row]; c < plan_->first[row + 1]; ++c) coupling_[c] = scaled_columns(coupling_[c], free);
  const Truth<T> is_definite = eliminate(row);
  factors_[row].w = scale(free, factors_[row].w);  // for further right-hand sides
  return is_definite;
}

template <class T>
inline void BlockLdlt<T>::solve_backwards(std::vector<Vec3<T>>& u) const {
  u.resize(right_.size());
  for (int row = plan_->row_count() - 1; row >= 0; --row) {
    Vec3<T> sum = right_[row].vector();
    for (int c = plan_->first[row]; c < plan_->first[row + 1]; ++c)
      sum -= transposed_product(coupling_[c], u[plan_->later[c]]);
    u[row] = factors_[row].backwards(sum);
  }
}

template <class T>
inline void BlockLdlt<T>::solve(std::vector<Vec3<T>>& u) const {
  const int rows = plan_->row_count();
  for (int row = 0; row < rows; ++row) {
    u[row] = factors_[row].forwards(u[row]);
    for (int c = plan_->first[row]; c < plan_->first[row + 1]; ++c)
      u[plan_->later[c]] -= coupling_[c].matrix() * u[row];
  }
  for (int row = rows - 1; row >= 0; --row) {
    Vec3<T> sum = scale(factors_[row].w, u[row]);
    for (int c = plan_->first[row]; c < plan_->first[row + 1]; ++c)
      sum -= transposed_product(coupling_[c], u[plan_->later[c]]);
    u[row] = factors_[row].backwards(sum);
  }
}

}  // namespace tendril::math
