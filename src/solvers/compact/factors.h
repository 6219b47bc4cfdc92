#pragma once

#include "math/block3.h"

// 3x3 blocks of an elimination

namespace tendril::solvers::compact {

// Q⁻¹ r, of the factors of Q
inline Vec3d divided(const Vec3d& r, const Factors3<double>& Q) { return Q.backwards(scale(Q.w, Q.forwards(r))); }
inline Mat3d divided(const Mat3d& m, const Factors3<double>& Q) {
  return {divided(m.c0, Q), divided(m.c1, Q), divided(m.c2, Q)};
}

// mᵀ v
inline Vec3d transposed_product(const Mat3d& m, const Vec3d& v) { return {dot(m.c0, v), dot(m.c1, v), dot(m.c2, v)}; }

inline Sym3<double> lower_half(const Mat3d& m) { return {m.c0.x, m.c0.y, m.c0.z, m.c1.y, m.c1.z, m.c2.z}; }

// rows and columns of axes that are not free are those of the identity
inline Sym3<double> without_held(Sym3<double> m, const Vec3d& free) {
  m.yx *= free.x * free.y, m.zx *= free.x * free.z, m.zy *= free.y * free.z;
  if (free.x == 0) m.xx = 1;
  if (free.y == 0) m.yy = 1;
  if (free.z == 0) m.zz = 1;
  return m;
}

}  // namespace tendril::solvers::compact
