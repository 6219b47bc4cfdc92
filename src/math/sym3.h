#pragma once

#include "math/mat3.h"

namespace tendril::math {

// a symmetric 3x3 matrix by its lower triangle
template <class T>
struct Sym3 {
  T xx{}, yx{}, zx{}, yy{}, zy{}, zz{};

  Sym3& operator+=(const Sym3& b) {
    return xx += b.xx, yx += b.yx, zx += b.zx, yy += b.yy, zy += b.zy, zz += b.zz, *this;
  }
  Sym3& operator+=(T d) { return xx += d, yy += d, zz += d, *this; }  // d 1
};

template <class T>
inline Sym3<T> operator+(Sym3<T> a, const Sym3<T>& b) {
  return a += b;
}
template <class T>
inline Sym3<T> operator*(T s, const Sym3<T>& a) {
  return {s * a.xx, s * a.yx, s * a.zx, s * a.yy, s * a.zy, s * a.zz};
}
template <class T>
inline Vec3<T> operator*(const Sym3<T>& m, const Vec3<T>& a) {
  return {m.xx * a.x + m.yx * a.y + m.zx * a.z, m.yx * a.x + m.yy * a.y + m.zy * a.z,
          m.zx * a.x + m.zy * a.y + m.zz * a.z};
}
template <class T>
inline Mat3<T> full(const Sym3<T>& a) {
  return {{a.xx, a.yx, a.zx}, {a.yx, a.yy, a.zy}, {a.zx, a.zy, a.zz}};
}

// s a aᵀ
template <class T>
inline Sym3<T> square(T s, const Vec3<T>& a) {
  const Vec3<T> b = s * a;
  return {b.x * a.x, b.y * a.x, b.z * a.x, b.y * a.y, b.z * a.y, b.z * a.z};
}
// (a bᵀ + b aᵀ) / 2
template <class T>
inline Sym3<T> symmetric_outer(const Vec3<T>& a, const Vec3<T>& b) {
  const Vec3<T> h = T(0.5) * a;
  return {a.x * b.x, h.y * b.x + h.x * b.y, h.z * b.x + h.x * b.z, a.y * b.y, h.z * b.y + h.y * b.z, a.z * b.z};
}

}  // namespace tendril::math
