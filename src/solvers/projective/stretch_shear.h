#pragma once

#include "math/mat3.h"

namespace tendril::solvers::projective {

// "Stretch and Shear", Sec. 4.3 [strauss2020]: an edge e = (x1 - x0)/l and the director d3 of its frame.
//   S q = (x0, x1, d3)      A = [-1/l  1/l  -1],  B = 1      A S q = e - d3, the strain in the world
//   p   = R (1 - diag(GA, GA, EA) / k) gamma,  gamma = Rᵀ e - e3
//   w   = k l,  k = max(EA, GA)
// so that w (A S q - p) = l R diag(GA, GA, EA) gamma: about each material axis only the fraction GA/k or EA/k of the
// strain is projected away. The report prints A without the -1, x_f* = d3 and u* = u ∂u: then positions know of frames
// only by projections, and information goes one segment an iteration. Its weight is one for both rows, which turns
// frames with a quarter of the torque.
template <class T>
struct StretchShear {
  T length, per_length;  // l, and 1/l with the sign with which the segment points along the strand
  T GA, EA;              // [N]
  Vec3<T> rest;          // Rᵀ e at rest: e3, but with internal damping

  T weight() const { return length * max(GA, EA); }  // [N m]
  // part of the edge's strain that is kept [-, world]
  Vec3<T> projection(const Vec3<T>& e, const Mat3<T>& R) const {
    const Vec3<T> gamma{dot(R.c0, e) - rest.x, dot(R.c1, e) - rest.y, dot(R.c2, e) - rest.z};
    const T per = T(1) / max(GA, EA);
    return R * Vec3<T>{(T(1) - per * GA) * gamma.x, (T(1) - per * GA) * gamma.y, (T(1) - per * EA) * gamma.z};
  }
};

// how it pulls: dE/de over l is the force, dE/dtheta = l force x e is the torque on its frame
template <class T>
struct StretchPull {
  Vec3<T> force;  // [N, world]
  T tension;      // along d3 [N]
  T energy;       // l/2 gammaᵀ diag(GA, GA, EA) gamma [J]
};
template <class T>
[[gnu::always_inline]] inline StretchPull<T> pull(const StretchShear<T>& s, const Vec3<T>& e, const Mat3<T>& R) {
  const Vec3<T> gamma{dot(R.c0, e) - s.rest.x, dot(R.c1, e) - s.rest.y, dot(R.c2, e) - s.rest.z};
  const Vec3<T> n{s.GA * gamma.x, s.GA * gamma.y, s.EA * gamma.z};
  return {R * n, n.z, T(0.5) * s.length * dot(gamma, n)};
}

}  // namespace tendril::solvers::projective
