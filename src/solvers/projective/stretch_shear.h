#pragma once

#include "math/mat3.h"
#include "math/pack.h"
#include "math/quat.h"

namespace tendril::projective {

// "Stretch and Shear", Sec. 4.3 [strauss2020]: an edge e = (x1 - x0)/l and the director d3 of its frame.
//   S q = (x0, x1)      A = [-1/l  1/l],  B = 1      A S q = e
//   p   = r + (1 - K/k) gamma,   r = R p0, where e rests: d3;  gamma = e - r
//   w   = k l,  k = max(EA, GA)
// so that w/l (A S q - p) = R diag(GA, GA, EA) Rᵀ gamma: about each material axis only the fraction GA/k or EA/k of the
// strain is projected away. Frames feel it as d3, a part of r: the global system couples x0, x1 and d3 by
// A = [-1/l  1/l  -1]. The report prints A without the -1, and p = d3, u* = u ∂u: then positions know of frames only by
// projections, and information goes one segment an iteration. Its weight is one for both rows, which turns frames with
// a quarter of the torque.
template <class T>
struct StretchShear {
  T length, per_length;  // l, and 1/l with the sign with which the segment points along the strand
  T GA, EA;              // [N]
  Vec3<T> rest;          // p0: e3, but with internal damping

  T stiffness() const { return max(GA, EA); }         // k [N]
  T weight() const { return length * stiffness(); }   // [N m]
  T across() const { return weight() * per_length; }  // w Aᵀ of x1 [N]
  T along() const { return across() * per_length; }   // w Aᵀ A of x1 [N/m]
};

// where the edge rests, r; `is_straight` promises p0 = e3
template <bool is_straight, class T>
[[gnu::always_inline]] inline Vec3<T> resting_edge(const StretchShear<T>& s, const Quat<T>& q) {
  if constexpr (is_straight) return director3(q);
  return rotation_matrix(q) * s.rest;
}

template <class T>
[[gnu::always_inline]] inline Vec3<T> resting_edge(const StretchShear<T>& s, const Quat<T>& q, bool is_straight) {
  return is_straight ? resting_edge<true>(s, q) : resting_edge<false>(s, q);
}

// p beyond r
template <class T>
[[gnu::always_inline]] inline Vec3<T> kept_strain(const StretchShear<T>& s, const Vec3<T>& gamma, const Vec3<T>& d3) {
  const T per = T(1) / s.stiffness();
  return (T(1) - per * s.GA) * gamma + (per * (s.GA - s.EA) * dot(gamma, d3)) * d3;
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> projection(const StretchShear<T>& s, const Vec3<T>& e, const Quat<T>& q) {
  const Vec3<T> rest = resting_edge<false>(s, q);
  return rest + kept_strain(s, e - rest, director3(q));
}

// how it pulls: dE/de over l is the force, dE/dtheta = l force x e is the torque on its frame
template <class T>
struct StretchPull {
  Vec3<T> force;  // w/l (A S q - p) [N, world]
  T tension;      // along d3 [N]
  T energy;       // l/2 gammaᵀ diag(GA, GA, EA) gamma [J]
};
template <class T>
[[gnu::always_inline]] inline StretchPull<T> pull(const StretchShear<T>& s, const Vec3<T>& e, const Vec3<T>& rest,
                                                  const Vec3<T>& d3) {
  StretchPull<T> out;
  const Vec3<T> gamma = e - rest;
  out.force = s.GA * gamma + ((s.EA - s.GA) * dot(gamma, d3)) * d3;
  out.tension = dot(out.force, d3);
  out.energy = T(0.5) * s.length * dot(gamma, out.force);
  return out;
}

}  // namespace tendril::projective
