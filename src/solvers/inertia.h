#pragma once

#include <vector>

#include "math/quat_pack.h"
#include "rod/model.h"

namespace tendril {

// c m of each vertex, from the external damping of its segments [kg/s]
std::vector<double> damped_mass(const Model& model);

namespace detail {
// (diag(d) + [s])⁻¹ r
template <class T>
Vec3<T> solve_diagonal_and_skew(const Vec3<T>& d, const Vec3<T>& s, const Vec3<T>& r) {
  const Vec3<T> minors{d.y * d.z, d.x * d.z, d.x * d.y};
  const T determinant = d.x * minors.x + dot(s, scale(d, s));
  return (scale(minors, r) + dot(s, r) * s - cross(scale(d, s), r)) / determinant;
}
}  // namespace detail

// The angular velocity [rad/s, in its own frame at the start] at which something turns through a step without moments:
// its angular momentum at the end of the step is the one at the start, exp(h w) J w = J w_old. J in any unit.
//
// By Newton's method: J w = m with m = exp(-h w) J w_old, whose two sides differ by J dw - h m x dw more with w + dw.
// An axis without inertia goes on as it was, and so does what turns too far in one step for the iteration.
template <class T>
Vec3<T> free_spin(const Vec3<T>& J, const Vec3<T>& start, T h) {
  const T unit = T(1) / max(J.x, max(J.y, J.z)), one(1), none(0);
  const Vec3<T> has_inertia{select(J.x > none, one, none), select(J.y > none, one, none),
                            select(J.z > none, one, none)};
  const Vec3<T> inertia{select(J.x > none, J.x * unit, one), select(J.y > none, J.y * unit, one),
                        select(J.z > none, J.z * unit, one)};
  const Vec3<T> momentum = scale(has_inertia, scale(inertia, start));
  const T small = T(1e-30) * norm_squared(start);
  Vec3<T> found = start, w = start;
  T last = norm_squared(start);
  for (Truth<T> open = last > none; any(open);) {
    const Vec3<T> m = rotate(quaternion_exp(-h * w), momentum), left = scale(has_inertia, m - scale(inertia, w));
    const Vec3<T> change = scale(has_inertia, detail::solve_diagonal_and_skew(inertia, -h * m, left));
    const T size = norm_squared(change);
    w += change;
    const Truth<T> is_there = open & (size * size <= small * last);  // the next change, if they go on shrinking alike
    found = select(is_there, w, found);
    open = open & !is_there & (size < T(0.25) * last);
    last = size;
  }
  return found;
}

}  // namespace tendril
