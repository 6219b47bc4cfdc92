#pragma once

#include <cmath>

#include "layers.h"

namespace tendril::math {

// a vector in three dimensions; T is double, float or a SIMD pack
template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  Vec3& operator+=(const Vec3& b) { return x += b.x, y += b.y, z += b.z, *this; }
  Vec3& operator-=(const Vec3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  Vec3& operator*=(T s) { return x *= s, y *= s, z *= s, *this; }
  T& operator[](int k) { return (&x)[k]; }
  const T& operator[](int k) const { return (&x)[k]; }
  bool operator==(const Vec3&) const = default;
};

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;

template <class T>
inline Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
inline Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
inline Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
inline Vec3<T> operator*(T s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
inline Vec3<T> operator*(const Vec3<T>& a, T s) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
inline Vec3<T> operator/(const Vec3<T>& a, T s) {
  return (T(1) / s) * a;
}

template <class T>
inline T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
inline Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// product of components
template <class T>
inline Vec3<T> scale(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class T>
inline T norm_squared(const Vec3<T>& a) {
  return dot(a, a);
}
template <class T>
inline T norm(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class T>
inline Vec3<T> normalized(const Vec3<T>& a) {
  return a / norm(a);
}
template <class To, class From>
inline Vec3<To> cast(const Vec3<From>& a) {
  return {To(a.x), To(a.y), To(a.z)};
}
inline bool is_finite(const Vec3d& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

// the world axis least aligned with t, made perpendicular to it and of length one
inline Vec3d any_perpendicular(const Vec3d& t) {
  const double ax = std::abs(t.x), ay = std::abs(t.y), az = std::abs(t.z);
  const Vec3d axis = ax <= ay && ax <= az ? Vec3d{1, 0, 0} : ay <= az ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  return normalized(axis - (dot(axis, t) / dot(t, t)) * t);
}

}  // namespace tendril::math
