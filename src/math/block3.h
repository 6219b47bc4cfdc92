#pragma once

#include "math/mat3.h"
#include "math/pack.h"

namespace tendril {

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
};

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

// The inverse of a symmetric matrix by its leading minors. The least of its pivots is returned: positive when it is
// positive definite.
template <class T>
[[gnu::always_inline]] inline T invert_symmetric(Block3<T>& block) {
  const Mat3<T> m = block.matrix();
  const Vec3<T> r0 = cross(m.c1, m.c2), r1 = cross(m.c2, m.c0), r2 = cross(m.c0, m.c1);
  const T minor = r2.z, determinant = dot(m.c0, r0), scale = T(1) / determinant;
  block = {};
  block += Mat3<T>{scale * r0, scale * r1, scale * r2};
  return min(m.c0.x, min(minor, determinant));
}

}  // namespace tendril
