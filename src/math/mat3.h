#pragma once

#include "math/vec3.h"

namespace tendril::math {

// a 3x3 matrix by its columns
template <class T>
struct Mat3 {
  Vec3<T> c0, c1, c2;

  static Mat3 identity() { return {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}; }
  static Mat3 diagonal(const Vec3<T>& d) { return {{d.x, T(0), T(0)}, {T(0), d.y, T(0)}, {T(0), T(0), d.z}}; }
  Mat3& operator+=(const Mat3& b) { return c0 += b.c0, c1 += b.c1, c2 += b.c2, *this; }
};

using Mat3d = Mat3<double>;

template <class T>
inline Vec3<T> operator*(const Mat3<T>& m, const Vec3<T>& a) {
  return m.c0 * a.x + m.c1 * a.y + m.c2 * a.z;
}
template <class T>
inline Mat3<T> operator*(const Mat3<T>& m, const Mat3<T>& n) {
  return {m * n.c0, m * n.c1, m * n.c2};
}
template <class T>
inline Mat3<T> operator+(Mat3<T> m, const Mat3<T>& n) {
  return m += n;
}
template <class T>
inline Mat3<T> operator*(T s, const Mat3<T>& m) {
  return {s * m.c0, s * m.c1, s * m.c2};
}
template <class T>
inline Mat3<T> transpose(const Mat3<T>& m) {
  return {{m.c0.x, m.c1.x, m.c2.x}, {m.c0.y, m.c1.y, m.c2.y}, {m.c0.z, m.c1.z, m.c2.z}};
}
template <class T>
inline Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
// the matrix of a x .
template <class T>
inline Mat3<T> skew(const Vec3<T>& a) {
  return {{T(0), a.z, -a.y}, {-a.z, T(0), a.x}, {a.y, -a.x, T(0)}};
}

// solves m u = b for a symmetric positive definite m
template <class T>
inline Vec3<T> solve_symmetric(const Mat3<T>& m, const Vec3<T>& b) {
  const Vec3<T> r0 = cross(m.c1, m.c2), r1 = cross(m.c2, m.c0), r2 = cross(m.c0, m.c1);
  const T inverse_determinant = T(1) / dot(m.c0, r0);
  return inverse_determinant * Vec3<T>{dot(r0, b), dot(r1, b), dot(r2, b)};
}

}  // namespace tendril::math
