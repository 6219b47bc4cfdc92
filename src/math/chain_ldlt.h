#pragma once

#include "math/block3.h"

namespace tendril::math {

// A symmetric positive definite matrix of 3x3 blocks in which a row couples with the two after it, H = L D Lᵀ, as
// BlockLdlt has it for any order. Of rows that are not done there are never more than two: a row is put together,
// eliminated, and written down once.
//
//   foreach row
//     add to the row and to the next
//     begin_elimination(row, coupling, next, done)
//     row, coupling <- what the elements of the row add to the one after the next
//     end_elimination(after, row, coupling, done)              now next comes first
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

  // `pull` is what other rows take off the right-hand side
  Vec3<T> solve_backwards(const Vec3<T>& u_next, const Vec3<T>& u_after, const Vec3<T>& pull = {}) const {
    return factors.backwards(less(less(right - pull, after, u_after), next, u_next));
  }
  // the same where what coupled it with the row after the next was a number times 1, which makes `after` upper
  // triangular; it is not written down
  Vec3<T> solve_backwards(const Vec3<T>& u_next, const Vec3<T>& u_after, T coupling, const Vec3<T>& pull = {}) const {
    const Vec3<T> rest = right - pull - scale(factors.w, factors.forwards(coupling * u_after));
    return factors.backwards(less(rest, next, u_next));
  }
  Mat3<T> after_of(T coupling) const {
    const Factors3<T>& f = factors;
    const Vec3<T> w = coupling * f.w;
    return {{w.x, T(0), T(0)}, {-(f.l10 * w.y), w.y, T(0)}, {(f.l10 * f.l21 - f.l20) * w.z, -(f.l21 * w.z), w.z}};
  }

 private:
  // a - mᵀ u; what is solved for last, u_next and of it x, comes last: nothing else waits for it
  static Vec3<T> less(Vec3<T> a, const Mat3<T>& m, const Vec3<T>& u) {
    a.x -= m.c0.z * u.z, a.y -= m.c1.z * u.z, a.z -= m.c2.z * u.z;
    a.x -= m.c0.y * u.y, a.y -= m.c1.y * u.y, a.z -= m.c2.y * u.y;
    a.x -= m.c0.x * u.x, a.y -= m.c1.x * u.x, a.z -= m.c2.x * u.x;
    return a;
  }
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

// Registers are few: what is written down is read from there, not kept beside it.
inline void read_again() { asm volatile("" ::: "memory"); }

}  // namespace detail

// what a row does to the next, and how it is solved for
template <class T>
[[gnu::always_inline]] inline Truth<T> begin_elimination(const OpenRow<T>& row, Mat3<T> coupling, OpenRow<T>& next,
                                                         DoneRow<T>& done) {
  Factors3<T> f;
  const Truth<T> is_definite = factorise(row.diagonal, f);
  const Vec3<T> right = f.forwards(row.right);
  done.factors = f, done.right = scale(f.w, right);
  const auto take_column_off = [&](const Vec3<T>& c, T w, T r, Vec3<T>& out) __attribute__((always_inline)) {
    const Vec3<T> scaled = c * w;
    detail::take_off(scaled, c, next.diagonal);
    next.right -= scaled * r;
    out.x = scaled.x, out.y = scaled.y, out.z = scaled.z;
  };
  take_column_off(coupling.c0, f.w.x, right.x, done.next.c0);
  coupling.c1 -= coupling.c0 * f.l10, coupling.c2 -= coupling.c0 * f.l20;
  take_column_off(coupling.c1, f.w.y, right.y, done.next.c1);
  coupling.c2 -= coupling.c1 * f.l21;
  take_column_off(coupling.c2, f.w.z, right.z, done.next.c2);
  detail::read_again();
  return is_definite;
}

// what it does to the one after; `after` couples that with the row, `coupling` with the next
template <class T>
[[gnu::always_inline]] inline void end_elimination(Mat3<T> after, OpenRow<T>& row, Mat3<T>& coupling,
                                                   DoneRow<T>& done) {
  const Factors3<T>& f = done.factors;
  const auto take_column_off = [&](const Vec3<T>& a, T w, T r, const Vec3<T>& next, Vec3<T>& out)
      __attribute__((always_inline)) {
    coupling.c0 -= a * next.x, coupling.c1 -= a * next.y, coupling.c2 -= a * next.z;
    row.right -= a * r;
    const Vec3<T> scaled = a * w;
    detail::take_off(scaled, a, row.diagonal);
    out.x = scaled.x, out.y = scaled.y, out.z = scaled.z;
  };
  const Vec3<T>& right = done.right;
  after.c1 -= after.c0 * f.l10, after.c2 -= after.c0 * f.l20;
  take_column_off(after.c0, f.w.x, right.x, done.next.c0, done.after.c0);
  after.c2 -= after.c1 * f.l21;
  take_column_off(after.c1, f.w.y, right.y, done.next.c1, done.after.c1);
  take_column_off(after.c2, f.w.z, right.z, done.next.c2, done.after.c2);
}

// the same where `after` is a number times 1, so that after L⁻ᵀ is upper triangular
template <class T>
[[gnu::always_inline]] inline void end_elimination(T after, OpenRow<T>& row, Mat3<T>& coupling,
                                                   const DoneRow<T>& done) {
  const Factors3<T>& f = done.factors;
  const Mat3<T>& next = done.next;
  const Vec3<T>& right = done.right;
  const T a01 = -(after * f.l10), a12 = -(after * f.l21), a02 = -(after * f.l20 + a01 * f.l21);
  const auto take_off_column = [&](T n0, T n1, T n2, Vec3<T> & c) __attribute__((always_inline)) {
    c.x -= after * n0, c.x -= a01 * n1, c.x -= a02 * n2;
    c.y -= after * n1, c.y -= a12 * n2;
    c.z -= after * n2;
  };
  take_off_column(next.c0.x, next.c1.x, next.c2.x, coupling.c0);
  take_off_column(next.c0.y, next.c1.y, next.c2.y, coupling.c1);
  take_off_column(next.c0.z, next.c1.z, next.c2.z, coupling.c2);
  Vec3<T>& r = row.right;
  r.x -= after * right.x, r.x -= a01 * right.y, r.x -= a02 * right.z;
  r.y -= after * right.y, r.y -= a12 * right.z, r.z -= after * right.z;
  const T l00 = after * f.w.x, l11 = after * f.w.y, l22 = after * f.w.z;
  const T l01 = a01 * f.w.y, l02 = a02 * f.w.z, l12 = a12 * f.w.z;
  Sym3<T>& d = row.diagonal;
  d.xx -= l00 * after, d.xx -= l01 * a01, d.xx -= l02 * a02;
  d.yx -= l11 * a01, d.yx -= l12 * a02, d.zx -= l22 * a02;
  d.yy -= l11 * after, d.yy -= l12 * a12, d.zy -= l22 * a12, d.zz -= l22 * after;
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

}  // namespace tendril::math
