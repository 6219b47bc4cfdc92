#pragma once

#include <algorithm>

#include "math/pack.h"
#include "math/quat.h"

namespace tendril::solvers::stable {

// a symmetric 4x4 matrix, rows and columns in the order w, x, y, z
template <class T>
struct Sym4 {
  T ww{}, wx{}, wy{}, wz{}, xx{}, xy{}, xz{}, yy{}, yz{}, zz{};
};

template <class T>
Quat<T> operator*(const Sym4<T>& a, const Quat<T>& q) {
  return {a.ww * q.w + a.wx * q.x + a.wy * q.y + a.wz * q.z, a.wx * q.w + a.xx * q.x + a.xy * q.y + a.xz * q.z,
          a.wy * q.w + a.xy * q.x + a.yy * q.y + a.yz * q.z, a.wz * q.w + a.xz * q.x + a.yz * q.y + a.zz * q.z};
}

// a += u uᵀ
template <class T>
void add_square(Sym4<T>& a, const Quat<T>& u) {
  a.ww += u.w * u.w, a.wx += u.w * u.x, a.wy += u.w * u.y, a.wz += u.w * u.z;
  a.xx += u.x * u.x, a.xy += u.x * u.y, a.xz += u.x * u.z;
  a.yy += u.y * u.y, a.yz += u.y * u.z, a.zz += u.z * u.z;
}

// a += the matrix of qᵀ M q = v·R(q) p, R(q) = (w² - |u|²) I + 2 u uᵀ + 2 w [u]x
template <class T>
void add_rotation_form(Sym4<T>& a, const Vec3<T>& v, const Vec3<T>& p) {
  const T trace = dot(v, p);
  const Vec3<T> c = cross(p, v);
  a.ww += trace, a.wx += c.x, a.wy += c.y, a.wz += c.z;
  a.xx += T(2) * v.x * p.x - trace, a.yy += T(2) * v.y * p.y - trace, a.zz += T(2) * v.z * p.z - trace;
  a.xy += v.x * p.y + v.y * p.x, a.xz += v.x * p.z + v.z * p.x, a.yz += v.y * p.z + v.z * p.y;
}

// A + lambda = L Lᵀ; what is solved with it
template <class T>
struct ShiftedSolution {
  Quat<T> q;         // (A + lambda) q = b
  T slope;           // |L⁻¹ q|², minus half the derivative of |q|²
  T smallest_pivot;  // positive when A + lambda is positive definite
};

template <class T>
ShiftedSolution<T> solve_shifted(const Sym4<T>& a, const Quat<T>& b, T lambda) {
  using std::sqrt;
  const T tiny(1e-30);
  const T d0 = a.ww + lambda, i0 = T(1) / sqrt(max(d0, tiny));
  const T l10 = a.wx * i0, l20 = a.wy * i0, l30 = a.wz * i0;
  const T d1 = a.xx + lambda - l10 * l10, i1 = T(1) / sqrt(max(d1, tiny));
  const T l21 = (a.xy - l20 * l10) * i1, l31 = (a.xz - l30 * l10) * i1;
  const T d2 = a.yy + lambda - l20 * l20 - l21 * l21, i2 = T(1) / sqrt(max(d2, tiny));
  const T l32 = (a.yz - l30 * l20 - l31 * l21) * i2;
  const T d3 = a.zz + lambda - l30 * l30 - l31 * l31 - l32 * l32, i3 = T(1) / sqrt(max(d3, tiny));
  const auto forward = [&](const Quat<T>& r) {
    Quat<T> f;
    f.w = r.w * i0;
    f.x = (r.x - l10 * f.w) * i1;
    f.y = (r.y - l20 * f.w - l21 * f.x) * i2;
    f.z = (r.z - l30 * f.w - l31 * f.x - l32 * f.y) * i3;
    return f;
  };
  const Quat<T> f = forward(b);
  Quat<T> q;
  q.z = f.z * i3;
  q.y = (f.y - l32 * q.z) * i2;
  q.x = (f.x - l21 * q.y - l31 * q.z) * i1;
  q.w = (f.w - l10 * q.x - l20 * q.y - l30 * q.z) * i0;
  const Quat<T> w = forward(q);
  return {q, dot(w, w), min(min(d0, d1), min(d2, d3))};
}

// the unit q of least 1/2 qᵀAq - bᵀq: (A + lambda) q = b with |q| = 1 and lambda above minus the least eigenvalue.
// Newton's method on 1/|q(lambda)| [more1983], kept between bounds. It starts from the multiplier at `q`, the last
// iterate, which is exact to second order; `bound` is at least minus the least eigenvalue, so that lambda <= bound +
// |b|.
template <class T>
Quat<T> minimum_on_sphere(const Sym4<T>& a, const Quat<T>& b, const Quat<T>& q, T bound) {
  using std::sqrt;
  T high = bound + norm(b);
  T low = max(max(-a.ww, -a.xx), max(-a.yy, -a.zz));
  T lambda = min(max(dot(b, q) - dot(q, a * q), low), high);
  const double precision = std::max(64 * round_off<T>(), 1e-9);
  ShiftedSolution<T> solution;
  for (int step = 0; step < 40; ++step) {
    solution = solve_shifted(a, b, lambda);
    const T length = sqrt(dot(solution.q, solution.q));
    const auto definite = solution.smallest_pivot > T(4 * round_off<T>()) * high;
    const auto short_enough = length < T(1);
    const auto open = select(definite, (length - T(1)) * (length - T(1)), T(1)) > T(precision * precision);
    if (!any(open)) break;
    // a lambda below the root has an indefinite matrix or a solution that is too long
    high = select(definite, select(short_enough, min(high, lambda), high), high);
    low = select(definite, select(short_enough, low, max(low, lambda)), max(low, lambda));
    const T newton = lambda + (length - T(1)) * length * length / max(solution.slope, T(1e-30));
    const T middle = T(0.5) * (low + high);
    const T next = select(definite, newton, middle);
    const T kept = select(next < low, middle, select(next > high, middle, next));
    lambda = select(open, kept, lambda);  // a lane that is done does not follow the others
  }
  return normalized(solution.q);
}

}  // namespace tendril::solvers::stable
