#pragma once

#include "solvers/newton/kernels.h"

namespace tendril::solvers::projective {

// "Bending and Twisting", Sec. 4.3 [strauss2020]: the frames a and b of two segments that follow each other.
//   S q = (u_a, u_b)   p = the nearest pair in R⁸ at rest: both turn half-way,
//                      u_a* = u_a exp(phi/2),  u_b* = u_b exp(-phi/2),  phi = log(ū_a u_b) beyond rest, seen from each
//   A = [-1  1], B = 1  on their directors d3, w = max(EI1, EI2)/l, and on their turns about d3, w = GJ/l
// The report turns frames by u Omega/2 with Omega imaginary, which is no rotation; and one weight would mean EI1 = EI2
// = GJ. The pull here is that of the energy l/2 (kappa - kappa0)ᵀ diag(EI1, EI2, GJ) (kappa - kappa0): about each axis
// the pair turns the fraction K/w of the way that the weight alone would turn it. Natural curvature is in the rest.
template <class T>
using BendTwist = newton::Bend<T>;

template <class T>
struct BendPull {
  Vec3<T> moment;  // dE/dtheta of frame b, the opposite of a [N m, world]
  T energy;        // [J]
};
// With phi and m = K (phi - rest) in the world: moment = Jᵀ m, J = 1 - [phi]/2 + c [phi]² (rod/strain.h)
template <class T>
[[gnu::always_inline]] inline BendPull<T> pull(const BendTwist<T>& bend, const Quat<T>& a, const Quat<T>& b) {
  const Vec3<T> angle = newton::bend_angle(bend, a, b), along = newton::bend_moment(bend, angle);
  const T a2 = dot(angle, angle), c = newton::jacobian_factor(a2).c;
  const Vec3<T> moment = (T(1) - c * a2) * along + T(0.5) * cross(angle, along) + (c * dot(angle, along)) * angle;
  return {rotate(a, moment), T(0.5) * dot(angle - bend.rest, along)};
}

// the pair half-way between where the frames are and their pose at rest
template <class T>
struct FramePair {
  Quat<T> a, b;
};
inline FramePair<double> projection(const BendTwist<double>& bend, const Quatd& a, const Quatd& b) {
  const Quatd pose = a * quaternion_exp(bend.rest);                        // where b rests, seen from a
  const Vec3d left = newton::turn_angle(conjugate(pose) * b);              // of b beyond it
  const Quatd half = pose * quaternion_exp(0.5 * left) * conjugate(pose);  // in the world
  return {half * a, conjugate(half) * b};
}

}  // namespace tendril::solvers::projective
