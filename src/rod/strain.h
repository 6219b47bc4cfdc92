#pragma once

#include <numbers>

#include "math/pack.h"
#include "math/quat.h"

namespace tendril::rod {

// stretch-shear strain of one segment, in its own frame [-]
//   gamma = R(q)^T (x1 - x0) / l - e3
// zero when the segment has its rest length l and lies along its third director
template <class T>
inline Vec3<T> stretch_shear_strain(const Vec3<T>& x0, const Vec3<T>& x1, const Quat<T>& q, T l) {
  const Vec3<T> gamma = rotate(conjugate(q), (x1 - x0) / l);
  return {gamma.x, gamma.y, gamma.z - T(1)};
}

// how two frames a and b are turned against each other, beyond their rest [rad]; the strain is angle / l
//   d angle / dt = jacobian R(frame)^T (omega_b - omega_a)
// so a moment m about the components of `angle` acts with -R(frame) jacobian^T m on b and the opposite on a
struct BendStrain {
  Vec3d angle;     // about the directors d1, d2, d3 of `frame`
  Mat3d jacobian;  // of `angle`, see above
  Quatd frame;     // in which both are written
};

// d log(exp(w) exp(angle)) / dw at w = 0, the inverse left Jacobian of the rotation vector
//   1 - [angle]/2 + c [angle]^2,   c = (1 - a/2 cot(a/2)) / a^2,   a = |angle|, not 2 pi, 4 pi, …
inline Mat3d rotation_vector_jacobian(const Vec3d& angle) {
  const double a2 = norm_squared(angle), a = std::sqrt(a2);
  const double c = a > 1e-2 ? (1 - 0.5 * a / std::tan(0.5 * a)) / a2 : 1.0 / 12 + a2 / 720;
  const Mat3d turn = skew(angle);
  return Mat3d::identity() + (-0.5) * turn + c * (turn * turn);
}

// Frames know a turn but for whole ones: it is phi + 2 pi k u, u = phi/|phi|, of any k. We take the cheapest, that of
// least (phi - rest)ᵀ K (phi - rest), so that the energy does not jump where another k becomes the best. About u the
// bend is turned
//   uᵀ K (phi - rest) / uᵀ K u
// too far, of which whole turns are taken off. This is what is left, over phi.
template <class T>
inline T cheapest_share(const Vec3<T>& phi, const Vec3<T>& rest, const Vec3<T>& K) {
  using std::abs, std::floor, std::sqrt;
  constexpr double turn = 2 * std::numbers::pi;
  constexpr double least_angle = 1e-6, least_stiffness = 1e-12;  // below the one is no axis, below the other only noise
  const T a2 = dot(phi, phi), a = sqrt(a2), too_far = a * dot(phi, scale(K, phi - rest));
  const T stiffness = dot(phi, scale(K, phi)) + T(least_stiffness) * (K.x + K.y + K.z) * a2;
  const auto off = (abs(too_far) > T(0.5 * turn) * stiffness) & (a > T(least_angle));
  return select(off, T(1) - T(turn) * floor(too_far / (T(turn) * stiffness) + T(0.5)) / a, T(1));
}

// all three angles: log(q̄_a q_b) - log(rest); `stiffness` about d1, d2, d3, of any unit
inline Vec3d bend_angle(const Quatd& q_a, const Quatd& q_b, const Quatd& rest, const Vec3d& stiffness) {
  const Vec3d phi = shortest_angle(conjugate(q_a) * q_b);
  return cheapest_share(phi, shortest_angle(rest), stiffness) * phi;
}
inline BendStrain bend_strain(const Quatd& q_a, const Quatd& q_b, const Quatd& rest, const Vec3d& stiffness) {
  const Vec3d angle = bend_angle(q_a, q_b, rest, stiffness);
  return {angle - shortest_angle(rest), rotation_vector_jacobian(angle), q_a};
}

// the strain of [deul2018], 2 Im(q̄_a q_b) - 2 Im(rest): 2 sin(a/2) along the axis of a turn by a
inline BendStrain quaternion_strain(const Quatd& q_a, const Quatd& q_b, const Quatd& rest) {
  Quatd turn = conjugate(q_a) * q_b;
  if (dot(turn, rest) < 0) turn = -turn;
  const Vec3d half = turn.imaginary();
  return {2.0 * (half - rest.imaginary()), turn.w * Mat3d::identity() + (-1.0) * skew(half), q_a};
}

// the swing that takes e3 to the unit vector t: angle / sin(angle) e3 x t, without a component along e3 [rad]
//   with g(c) = acos(c) / sin(acos(c)):  g' = (c g - 1) / (1 - c^2),  g = 1 + u/3 + 2 u^2/15 + …  in u = 1 - c
struct Swing {
  Vec3d angle;
  Mat3d jacobian;  // d angle / dw when t turns with w: dt = w x t
};
inline Swing swing_from_axis(const Vec3d& t) {
  const double sine2 = t.x * t.x + t.y * t.y, u = 1 - t.z;
  const bool small = u < 1e-4;
  const double g = small ? 1 + u / 3 + 2 * u * u / 15 : std::atan2(std::sqrt(sine2), t.z) / std::sqrt(sine2);
  const double slope = small ? -1.0 / 3 - 4 * u / 15 : (t.z * g - 1) / sine2;
  const Mat3d by_tangent{{0, g, 0}, {-g, 0, 0}, {-t.y * slope, t.x * slope, 0}};
  return {{-t.y * g, t.x * g, 0}, by_tangent * skew(-t)};
}

// bending only, the spin about d3 is free: the misalignment of the tangents, seen from the frame that carries the
// material (a, or b), so that neither turning about the other frame's tangent nor twist costs anything
inline BendStrain swing_strain(const Quatd& q_a, const Quatd& q_b, const Quatd& rest, bool seen_from_b) {
  const Quatd& own = seen_from_b ? q_b : q_a;
  const Quatd& other = seen_from_b ? q_a : q_b;
  const double sign = seen_from_b ? -1 : 1;
  const Swing now = swing_from_axis(director3(conjugate(own) * other));
  const Swing at_rest = swing_from_axis(director3(seen_from_b ? conjugate(rest) : rest));
  return {sign * (now.angle - at_rest.angle), now.jacobian, own};
}

}  // namespace tendril::rod
