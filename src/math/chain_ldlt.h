#pragma once

#include "math/block3.h"

namespace tendril {

// A symmetric positive definite matrix of 3x3 blocks in which a row couples with the two after it, H = L D Lᵀ, as
// BlockLdlt has it for any order. Of rows that are not done there are never more than two: a row is put together,
// eliminated, and written down once.
//
//   foreach row
//     add to the row and to the next
//     pivot <- begin_elimination(row, coupling, next)
//     row, coupling <- what the elements of the row add to the one after the next
//     end_elimination(pivot, after, row, coupling, done)       now next comes first
//   foreach row, from the last on: u <- done.solve_backwards(…)

// a row that is not done
template <class T>
struct OpenRow {
  Sym3<T> diagonal;
  Vec3<T> right;
};

// a row that is
template <class T>
struct DoneRow {
  Factors3<T> factors;
  Mat3<T> next, after;  // L of the next row, and of the one after it, with this one
  Vec3<T> right;        // D⁻¹ L⁻¹ of it

  // where `after` was a number times 1 it is `upper` triangular; `pull` is what other rows take off the right-hand side
  template <bool upper = false>
  Vec3<T> solve_backwards(const Vec3<T>& u_next, const Vec3<T>& u_after) const {
    return factors.backwards(right - product(next, u_next) - product_after<upper>(u_after));
  }
  template <bool upper = false>
  Vec3<T> solve_backwards(const Vec3<T>& u_next, const Vec3<T>& u_after, const Vec3<T>& pull) const {
    return factors.backwards(right - pull - product(next, u_next) - product_after<upper>(u_after));
  }

 private:
  template <bool upper>
  Vec3<T> product_after(const Vec3<T>& u) const {
    if constexpr (upper) return {after.c0.x * u.x, after.c1.x * u.x + after.c1.y * u.y, dot(after.c2, u)};
    return product(after, u);
  }
  static Vec3<T> product(const Mat3<T>& m, const Vec3<T>& u) { return {dot(m.c0, u), dot(m.c1, u), dot(m.c2, u)}; }
};

namespace detail {

// One product after the other: the fewest instructions. c -= a b, and c -= a bᵀ, which may be known to be symmetric
template <class T>
[[gnu::always_inline]] inline void take_off(const Mat3<T>& a, const Vec3<T>& b, Vec3<T>& c) {
  c -= a.c0 * b.x, c -= a.c1 * b.y, c -= a.c2 * b.z;
}
template <class T>
[[gnu::always_inline]] inline void take_off(const Mat3<T>& a, const Mat3<T>& b, Mat3<T>& c) {
  c.c0 -= a.c0 * b.c0.x, c.c0 -= a.c1 * b.c1.x, c.c0 -= a.c2 * b.c2.x;
  c.c1 -= a.c0 * b.c0.y, c.c1 -= a.c1 * b.c1.y, c.c1 -= a.c2 * b.c2.y;
  c.c2 -= a.c0 * b.c0.z, c.c2 -= a.c1 * b.c1.z, c.c2 -= a.c2 * b.c2.z;
}
template <class T>
[[gnu::always_inline]] inline void take_off(const Vec3<T>& u, const Vec3<T>& v, Sym3<T>& c) {
  c.xx -= u.x * v.x, c.yx -= u.y * v.x, c.zx -= u.z * v.x;
  c.yy -= u.y * v.y, c.zy -= u.z * v.y, c.zz -= u.z * v.z;
}
template <class T>
[[gnu::always_inline]] inline void take_off(const Mat3<T>& a, const Mat3<T>& b, Sym3<T>& c) {
  take_off(a.c0, b.c0, c), take_off(a.c1, b.c1, c), take_off(a.c2, b.c2, c);
}

// a L⁻ᵀ
template <class T>
[[gnu::always_inline]] inline void divide(Mat3<T>& a, const Factors3<T>& f) {
  a.c1 -= a.c0 * f.l10;
  a.c2 -= a.c0 * f.l20, a.c2 -= a.c1 * f.l21;
}
template <class T>
[[gnu::always_inline]] inline Mat3<T> scaled_columns(const Mat3<T>& a, const Vec3<T>& w) {
  return {a.c0 * w.x, a.c1 * w.y, a.c2 * w.z};
}

}  // namespace detail

// a row on its way
template <class T>
struct Pivot {
  Factors3<T> factors;
  Mat3<T> next;
  Vec3<T> right;  // L⁻¹ of it
  Truth<T> is_definite;
};

// what it does to the next row
template <class T>
[[gnu::always_inline]] inline Pivot<T> begin_elimination(const OpenRow<T>& row, Mat3<T> coupling, OpenRow<T>& next) {
  Factors3<T> factors;
  const Truth<T> is_definite = factorise(row.diagonal, factors);
  detail::divide(coupling, factors);
  const Pivot<T> pivot{factors, detail::scaled_columns(coupling, factors.w), factors.forwards(row.right), is_definite};
  detail::take_off(pivot.next, coupling, next.diagonal);
  detail::take_off(pivot.next, pivot.right, next.right);
  return pivot;
}

namespace detail {
template <class T>
[[gnu::always_inline]] inline void write(const Pivot<T>& pivot, DoneRow<T>& done) {
  done.factors = pivot.factors;
  done.next.c0 = pivot.next.c0, done.next.c1 = pivot.next.c1, done.next.c2 = pivot.next.c2;
  done.right = scale(pivot.factors.w, pivot.right);
}
}  // namespace detail

// what it does to the one after; `after` couples that with the pivot, `coupling` with the next row
template <class T>
[[gnu::always_inline]] inline void end_elimination(const Pivot<T>& pivot, Mat3<T> after, OpenRow<T>& row,
                                                   Mat3<T>& coupling, DoneRow<T>& done) {
  detail::divide(after, pivot.factors);
  detail::take_off(after, pivot.next, coupling);
  const Mat3<T> scaled = detail::scaled_columns(after, pivot.factors.w);
  detail::take_off(scaled, after, row.diagonal);
  detail::take_off(scaled, pivot.right, row.right);
  detail::write(pivot, done);
  done.after.c0 = scaled.c0, done.after.c1 = scaled.c1, done.after.c2 = scaled.c2;
}

// the same where `after` is a number times 1, so that after L⁻ᵀ is upper triangular
template <class T>
[[gnu::always_inline]] inline void end_elimination(const Pivot<T>& pivot, T after, OpenRow<T>& row, Mat3<T>& coupling,
                                                   DoneRow<T>& done) {
  const Factors3<T>& f = pivot.factors;
  const Mat3<T>& next = pivot.next;
  const Vec3<T>& right = pivot.right;
  const T a01 = -(after * f.l10), a12 = -(after * f.l21), a02 = -(after * f.l20 + a01 * f.l21);
  const auto take_off_column = [&](T n0, T n1, T n2, Vec3<T> & c) __attribute__((always_inline)) {
    c.x -= after * n0, c.x -= a01 * n1, c.x -= a02 * n2;
    c.y -= after * n1, c.y -= a12 * n2;
    c.z -= after * n2;
  };
  take_off_column(next.c0.x, next.c1.x, next.c2.x, coupling.c0);
  take_off_column(next.c0.y, next.c1.y, next.c2.y, coupling.c1);
  take_off_column(next.c0.z, next.c1.z, next.c2.z, coupling.c2);
  const T l00 = after * f.w.x, l11 = after * f.w.y, l22 = after * f.w.z;
  const T l01 = a01 * f.w.y, l02 = a02 * f.w.z, l12 = a12 * f.w.z;
  Sym3<T>& d = row.diagonal;
  d.xx -= l00 * after, d.xx -= l01 * a01, d.xx -= l02 * a02;
  d.yx -= l11 * a01, d.yx -= l12 * a02, d.zx -= l22 * a02;
  d.yy -= l11 * after, d.yy -= l12 * a12, d.zy -= l22 * a12, d.zz -= l22 * after;
  Vec3<T>& r = row.right;
  r.x -= l00 * right.x, r.x -= l01 * right.y, r.x -= l02 * right.z;
  r.y -= l11 * right.y, r.y -= l12 * right.z, r.z -= l22 * right.z;
  detail::write(pivot, done);
  done.after.c0.x = l00, done.after.c1.x = l01, done.after.c1.y = l11, done.after.c2 = {l02, l12, l22};
}

// before a row is eliminated: its unknown stays zero along some axes, `free` is 1 or 0 along each
template <class T>
inline void hold(const Vec3<T>& free, OpenRow<T>& row, Mat3<T>& coupling, Mat3<T>& after) {
  Sym3<T>& d = row.diagonal;
  d.yx *= free.x * free.y, d.zx *= free.x * free.z, d.zy *= free.y * free.z;
  d.xx = d.xx * free.x + (T(1) - free.x), d.yy = d.yy * free.y + (T(1) - free.y);
  d.zz = d.zz * free.z + (T(1) - free.z);
  row.right = scale(free, row.right);
  coupling = detail::scaled_columns(coupling, free), after = detail::scaled_columns(after, free);
}

}  // namespace tendril
