#pragma once

#include "math/mat3.h"
#include "math/pack.h"
#include "math/quat.h"

namespace tendril::solvers::projective {

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
  T length, per_length;            // l, and 1/l with the sign with which the segment points along the strand
  T stiffness;                     // k [N]
  T kept_across, more_kept_along;  // 1 - GA/k, and (GA - EA)/k: what is not projected away [-]
  Vec3<T> rest;                    // p0: e3, but with internal damping
  T GA;                            // [N]

  T weight() const { return length * stiffness; }     // w [N m]
  T across() const { return weight() * per_length; }  // w Aᵀ of x1 [N]
  T along() const { return across() * per_length; }   // w Aᵀ A of x1 [N/m]
};
template <class T>
inline StretchShear<T> make_stretch_shear(T length, T per_length, T GA, T EA, const Vec3<T>& rest) {
  const T k = max(GA, EA);
  return {length, per_length, k, T(1) - GA / k, (GA - EA) / k, rest, GA};
}

// where the edge rests, r; `is_straight` promises p0 = e3
template <class T>
[[gnu::always_inline]] inline Vec3<T> resting_edge(const StretchShear<T>& s, const Quat<T>& q, bool is_straight) {
  return is_straight ? director3(q) : rotation_matrix(q) * s.rest;
}

// p, of e and of where it rests
template <class T>
[[gnu::always_inline]] inline Vec3<T> projection(const StretchShear<T>& s, const Vec3<T>& e, const Vec3<T>& rest,
                                                 const Vec3<T>& d3) {
  const Vec3<T> gamma = e - rest;
  return rest + s.kept_across * gamma + (s.more_kept_along * dot(gamma, d3)) * d3;
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
  out.force = s.stiffness * (e - projection(s, e, rest, d3));
  out.tension = dot(out.force, d3);
  out.energy = T(0.5) * s.length * dot(e - rest, out.force);
  return out;
}

}  // namespace tendril::solvers::projective
