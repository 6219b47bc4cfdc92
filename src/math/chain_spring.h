#pragma once

#include "math/chain_ldlt.h"

namespace tendril::math {

// A row x of a chain (math/chain_ldlt.h) that a stiff spring S joins to the next two, theta and x':
//   1/2 dᵀ S d + 1/2 xᵀ M x + thetaᵀ F x - rᵀ x,   d = x - x' - arm x theta
// What eliminating it leaves for x', S - S (M + S)⁻¹ S, is about M where S is large: as a difference it has lost the
// digits of M below the last one of S. But with A = M + S and Z = A⁻¹ M it is K = S Z, which is no difference; and so,
// with Q = [arm], W = A⁻¹ Fᵀ and P = S W, is all that is left:
//   x' x'      K
//   x' theta   C = K Q + P
//   theta²     Qᵀ C + Pᵀ Q - F W
//   x = A⁻¹ r + (1 - Z) (x' + arm x theta) - W theta
// So the spring is added to nothing but A.

// the same along all axes
template <class T>
struct RoundSpring {
  T k;
  Vec3<T> operator*(const Vec3<T>& d) const { return k * d; }
  Sym3<T> matrix() const { return {k, T(0), T(0), k, T(0), k}; }
};

// another along one
template <class T>
struct AxialSpring {
  T k, more;  // across the axis, and what it is more along it
  Vec3<T> axis;
  Vec3<T> operator*(const Vec3<T>& d) const { return k * d + (more * dot(axis, d)) * axis; }
  Sym3<T> matrix() const {
    Sym3<T> S = square(more, axis);
    return S += k;
  }
};

template <class T>
struct SpringRow {
  Mat3<T> follow;  // 1 - Z
  Mat3<T> W;
  Vec3<T> arm;
  Vec3<T> right;  // A⁻¹ r

  Vec3<T> solve_backwards(const Vec3<T>& theta, const Vec3<T>& x) const {
    return right + follow * (x + cross(arm, theta)) - W * theta;
  }
};

// `row` is that of x, and becomes that of x'; `coupling` is F, and becomes that of x' with theta, and `turn` is
// theta's. Whether x has a positive pivot.
template <class T, class Spring>
[[gnu::always_inline]] inline Truth<T> eliminate_spring(const Spring& S, const Vec3<T>& arm, OpenRow<T>& row,
                                                        Mat3<T>& coupling, OpenRow<T>& turn, SpringRow<T>& done) {
  const Sym3<T>& M = row.diagonal;
  const Mat3<T>& F = coupling;
  Factors3<T> f;
  const Truth<T> is_definite = factorise(M + S.matrix(), f);
  const auto solve = [&](const Vec3<T>& a) __attribute__((always_inline)) {
    return f.backwards(scale(f.w, f.forwards(a)));
  };
  const Mat3<T> Z{solve({M.xx, M.yx, M.zx}), solve({M.yx, M.yy, M.zy}), solve({M.zx, M.zy, M.zz})};
  const Vec3<T> Kx = S * Z.c0, Ky{Kx.y, (S * Z.c1).y, (S * Z.c1).z}, Kz{Kx.z, Ky.z, (S * Z.c2).z};
  const Mat3<T> W{solve({F.c0.x, F.c1.x, F.c2.x}), solve({F.c0.y, F.c1.y, F.c2.y}), solve({F.c0.z, F.c1.z, F.c2.z})};
  const Mat3<T> P{S * W.c0, S * W.c1, S * W.c2};
  const Mat3<T> C{P.c0 + arm.z * Ky - arm.y * Kz, P.c1 + arm.x * Kz - arm.z * Kx, P.c2 + arm.y * Kx - arm.x * Ky};

  const Vec3<T> right = solve(row.right), pull = S * right;
  turn.right -= F * right + cross(arm, pull);
  const Vec3<T> c0 = cross(arm, C.c0), c1 = cross(arm, C.c1), c2 = cross(arm, C.c2);
  const Vec3<T> p0 = cross(arm, P.c0), p1 = cross(arm, P.c1), p2 = cross(arm, P.c2);
  const Vec3<T> f0 = F * W.c0, f1 = F * W.c1, f2 = F * W.c2;
  Sym3<T>& d = turn.diagonal;
  d.xx -= c0.x + p0.x + f0.x, d.yx -= c0.y + p1.x + f0.y, d.zx -= c0.z + p2.x + f0.z;
  d.yy -= c1.y + p1.y + f1.y, d.zy -= c1.z + p2.y + f1.z, d.zz -= c2.z + p2.z + f2.z;

  const auto follow = [](const Vec3<T>& one, const Vec3<T>& z) { return one - z; };
  const T o(0), i(1);
  done = {{follow({i, o, o}, Z.c0), follow({o, i, o}, Z.c1), follow({o, o, i}, Z.c2)}, W, arm, right};
  row = {{Kx.x, Kx.y, Kx.z, Ky.y, Ky.z, Kz.z}, pull}, coupling = C;
  return is_definite;
}

}  // namespace tendril::math
