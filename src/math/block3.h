#pragma once

#include <type_traits>
#include <utility>

#include "math/mat3.h"
#include "math/pack.h"
#include "math/sym3.h"

namespace tendril::math {

// A 3x3 block of a larger matrix by its columns, made for products: T is a SIMD pack, one matrix per lane.
template <class T>
struct Block3 {
  Vec3<T> column[3] = {};

  T at(int row, int k) const { return column[k][row]; }
  Mat3<T> matrix() const { return {column[0], column[1], column[2]}; }

  Block3& operator+=(const Mat3<T>& m) { return column[0] += m.c0, column[1] += m.c1, column[2] += m.c2, *this; }
  Block3& operator-=(const Mat3<T>& m) { return column[0] -= m.c0, column[1] -= m.c1, column[2] -= m.c2, *this; }
};

// one matrix of doubles: a column lies in one register, its fourth number is zero
template <>
struct Block3<double> {
  using Column = detail::Double4;
  Column column[3] = {};

  double at(int row, int k) const { return column[k][row]; }
  Mat3d matrix() const { return {vector(column[0]), vector(column[1]), vector(column[2])}; }
  static Vec3d vector(const Column& c) { return {c[0], c[1], c[2]}; }
  static Column packed(const Vec3d& a) { return Column{a.x, a.y, a.z, 0}; }

  Block3& operator+=(const Mat3d& m) {
    return column[0] += packed(m.c0), column[1] += packed(m.c1), column[2] += packed(m.c2), *this;
  }
  Block3& operator-=(const Mat3d& m) {
    return column[0] -= packed(m.c0), column[1] -= packed(m.c1), column[2] -= packed(m.c2), *this;
  }
  Block3& operator+=(const Block3& m) {
    return column[0] += m.column[0], column[1] += m.column[1], column[2] += m.column[2], *this;
  }
  Block3& operator-=(const Block3& m) {
    return column[0] -= m.column[0], column[1] -= m.column[1], column[2] -= m.column[2], *this;
  }
  Block3& operator+=(double d) {  // d 1
    return column[0] += Column{d, 0, 0, 0}, column[1] += Column{0, d, 0, 0}, column[2] += Column{0, 0, d, 0}, *this;
  }
};

// A block on the diagonal. Of packs it is half of it that counts; of doubles a column is one register, whole or half.
template <class T>
using Diagonal3 = std::conditional_t<std::is_same_v<T, double>, Block3<double>, Sym3<T>>;
inline Block3<double> diagonal_of(const Mat3d& m) { return Block3<double>{} += m; }
template <class T>
inline Sym3<T> diagonal_of(const Mat3<T>& m) {
  return {m.c0.x, m.c0.y, m.c0.z, m.c1.y, m.c1.z, m.c2.z};
}
inline Mat3d matrix_of(const Block3<double>& a) { return a.matrix(); }
inline Sym3<double> lower_half(const Block3<double>& a) {
  return {a.at(0, 0), a.at(1, 0), a.at(2, 0), a.at(1, 1), a.at(2, 1), a.at(2, 2)};
}
template <class T>
inline Mat3<T> matrix_of(const Sym3<T>& a) {
  return full(a);
}
template <class T>
inline const Sym3<T>& lower_half(const Sym3<T>& a) {
  return a;
}

// three numbers beside such blocks
template <class T>
struct Column3 {
  Vec3<T> v = {};
  Vec3<T> vector() const { return v; }
  Column3& operator+=(const Vec3<T>& a) { return v += a, *this; }
  Column3& operator-=(const Vec3<T>& a) { return v -= a, *this; }
};
template <>
struct Column3<double> {
  detail::Double4 v = {};
  Vec3d vector() const { return {v[0], v[1], v[2]}; }
  Column3& operator+=(const Vec3d& a) { return v += Block3<double>::packed(a), *this; }
  Column3& operator-=(const Vec3d& a) { return v -= Block3<double>::packed(a), *this; }
  Column3& operator+=(const Column3& a) { return v += a.v, *this; }
  Column3& operator-=(const Column3& a) { return v -= a.v, *this; }
};

// a b
template <class T>
[[gnu::always_inline]] inline Block3<T> product(const Block3<T>& a, const Block3<T>& b) {
  Block3<T> c;
  for (int k = 0; k < 3; ++k)
    c.column[k] = a.column[0] * b.at(0, k) + a.column[1] * b.at(1, k) + a.column[2] * b.at(2, k);
  return c;
}

// c -= a bᵀ
template <class T>
[[gnu::always_inline]] inline void subtract_product_transposed(const Block3<T>& a, const Block3<T>& b, Block3<T>& c) {
  for (int k = 0; k < 3; ++k)
    c.column[k] -= a.column[0] * b.at(k, 0) + a.column[1] * b.at(k, 1) + a.column[2] * b.at(k, 2);
}

// c -= a bᵀ, known to be symmetric
template <class T>
[[gnu::always_inline]] inline void subtract_product_transposed(const Block3<T>& a, const Block3<T>& b, Sym3<T>& c) {
  for (int k = 0; k < 3; ++k) {
    const Vec3<T>&u = a.column[k], &v = b.column[k];
    c.xx -= u.x * v.x, c.yx -= u.y * v.x, c.zx -= u.z * v.x;
    c.yy -= u.y * v.y, c.zy -= u.z * v.y, c.zz -= u.z * v.z;
  }
}

// c -= a b
template <class T>
[[gnu::always_inline]] inline void subtract_product(const Block3<T>& a, const Vec3<T>& b, Column3<T>& c) {
  c.v -= a.column[0] * b.x + a.column[1] * b.y + a.column[2] * b.z;
}

// aᵀ b
template <class T>
[[gnu::always_inline]] inline Vec3<T> transposed_product(const Block3<T>& a, const Vec3<T>& b) {
  const Mat3<T> m = a.matrix();
  return {dot(m.c0, b), dot(m.c1, b), dot(m.c2, b)};
}

// a symmetric matrix as L D Lᵀ, with ones on the diagonal of L
template <class T>
struct Factors3 {
  T l10, l20, l21;
  Vec3<T> w;  // D⁻¹

  Vec3<T> forwards(const Vec3<T>& a) const {  // L⁻¹ a
    const T y = a.y - l10 * a.x;
    return {a.x, y, a.z - l20 * a.x - l21 * y};
  }
  Vec3<T> backwards(const Vec3<T>& a) const {  // L⁻ᵀ a
    const T y = a.y - l21 * a.z;
    return {a.x - l10 * y - l20 * a.z, y, a.z};
  }
};

// the factors, and whether it is positive definite: not where it is not a number
template <class T>
[[gnu::always_inline]] inline Truth<T> factorise(const Sym3<T>& a, Factors3<T>& f) {
  const T d0 = a.xx;
  f.w.x = reciprocal(d0), f.l10 = a.yx * f.w.x, f.l20 = a.zx * f.w.x;
  const T d1 = a.yy - f.l10 * a.yx, rest = a.zy - f.l10 * a.zx;
  f.w.y = reciprocal(d1), f.l21 = rest * f.w.y;
  const T d2 = a.zz - f.l20 * a.zx - f.l21 * rest;
  f.w.z = reciprocal(d2);
  return (d0 > T(0)) & (d1 > T(0)) & (d2 > T(0));
}

// a <- a L⁻ᵀ
template <class T>
[[gnu::always_inline]] inline void divide(Block3<T>& a, const Factors3<T>& f) {
  a.column[1] -= a.column[0] * f.l10;
  a.column[2] -= a.column[0] * f.l20 + a.column[1] * f.l21;
}

// a diag(w)
template <class T>
[[gnu::always_inline]] inline Block3<T> scaled_columns(const Block3<T>& a, const Vec3<T>& w) {
  return {{a.column[0] * w.x, a.column[1] * w.y, a.column[2] * w.z}};
}

}  // namespace tendril::math
