#pragma once

#include <type_traits>
#include <vector>

#include "math/quat_pack.h"
#include "rod/model.h"

namespace tendril::solvers {

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

// Fixed-point iteration w <- w + change(w) from `start`, until the next change, estimated from the last two, is below
// round-off. Where changes do not shrink by half each time, w is `start` and is_found is false.
template <class T>
struct FoundSpin {
  Vec3<T> w;
  Truth<T> is_found;
};
template <class T, class Change>
FoundSpin<T> iterate_spin(const Vec3<T>& start, Change change_at) {
  const T small = T(1e-30) * norm_squared(start);
  Vec3<T> w = start;
  T last = norm_squared(start);
  FoundSpin<T> out{start, !(last > T(0))};
  for (Truth<T> open = last > T(0); any(open);) {
    const Vec3<T> change = change_at(w);
    const T size = norm_squared(change);
    w += change;
    const Truth<T> is_there = open & (size * size <= small * last);
    out.w = select(is_there, w, out.w), out.is_found = out.is_found | is_there;
    open = open & !is_there & (size < T(0.25) * last);
    last = size;
  }
  return out;
}

// By Newton's method: J w = m with m = exp(-h w) J w_old, whose two sides differ by J dw - h m x dw more with w + dw.
// An axis without inertia goes on as it was.
template <class T>
FoundSpin<T> free_spin_of_any(const Vec3<T>& J, const Vec3<T>& start, T h) {
  const T unit = T(1) / max(J.x, max(J.y, J.z)), one(1), none(0);
  const Vec3<T> has_inertia{select(J.x > none, one, none), select(J.y > none, one, none),
                            select(J.z > none, one, none)};
  const Vec3<T> inertia{select(J.x > none, J.x * unit, one), select(J.y > none, J.y * unit, one),
                        select(J.z > none, J.z * unit, one)};
  const Vec3<T> momentum = scale(has_inertia, scale(inertia, start));
  return iterate_spin(start, [&](const Vec3<T>& w) {
    const Vec3<T> m = rotate(quaternion_exp(-h * w), momentum), left = scale(has_inertia, m - scale(inertia, w));
    return scale(has_inertia, solve_diagonal_and_skew(inertia, -h * m, left));
  });
}

// Where J = (A, A, C) the turn about w leaves two equations, with D = C/A - 1, w = t + z e3, a = |w|:
//   z (1 + D - D f |t|²) = (1 + D) z_old                    f = (1 - cos ha) / a²
//   (1 + D f z²) t + D g z t x e3 = t_old                   g = sin(ha) / a
// f and g hardly change with w, so that solving for z, then for t, is there after two or three rounds.
template <class T>
FoundSpin<T> free_spin_of_round(const Vec3<T>& J, const Vec3<T>& start, T h) {
  const T ratio = J.z / J.x, D = ratio - T(1), across = start.x * start.x + start.y * start.y;
  const T axial = ratio * start.z;
  T t2 = across;
  return iterate_spin(start, [&](const Vec3<T>& w) {
    const auto [c, s] = half_angle(h * h * norm_squared(w));
    const T hs = h * s, f = T(2) * hs * hs, g = T(2) * hs * c;
    const T z = axial / (ratio - D * f * t2), along = T(1) + D * f * z * z, aside = D * g * z;
    const T per = T(1) / (along * along + aside * aside);
    t2 = per * across;
    return Vec3<T>{per * (along * start.x - aside * start.y), per * (along * start.y + aside * start.x), z} - w;
  });
}
}  // namespace detail

// The angular velocity [rad/s, in its own frame at the start] at which something turns through a step without moments:
// its angular momentum at the end of the step is the one at the start, exp(h w) J w = J w_old. J in any unit.
// What turns too far in one step for the iterations goes on as it was.
template <class T>
Vec3<T> free_spin(const Vec3<T>& J, const Vec3<T>& start, T h) {
  if constexpr (!std::is_floating_point_v<T>)
    if (!any((J.x < J.y) | (J.x > J.y) | (J.x <= T(0)) | (J.z <= T(0)))) {
      const detail::FoundSpin<T> round = detail::free_spin_of_round(J, start, h);
      if (!any(~round.is_found)) return round.w;
    }
  return detail::free_spin_of_any(J, start, h).w;
}

}  // namespace tendril::solvers
