#pragma once

#include <tuple>

#include "contact/barrier.h"
#include "contact/friction.h"
#include "rod/state.h"

namespace tendril::contact {

// Two things that may touch: a segment of a rod, or an edge of a body, and another segment or a solid. What most pairs
// are asked for, being far apart, stands together: four lines of the cache, of which they need the first three.
struct alignas(64) Pair {
  int a = 0, b = 0;    // segment or edge; segment or solid
  int vertex[4] = {};  // two of a, two of b; -1: of a body
  int body_a = -1;     // whose edge a is; -1: a is a segment
  int body = -1;       // whose solid b is; -1: b is a segment
  double radius = 0;   // r_a + r_b [m]

  // at the last waypoint of the path
  Vec3d normal;           // unit, from b to a
  double weight[4] = {};  // of the vertices in how the points that are nearest move against each other: +1 for a in
                          // all, -1 for b
  double gap = 0;         // between the surfaces, as it counts: see Steady [m]
  double true_gap = 0;    // [m]
  double apart = 0;       // the surfaces, at the points that count [m]
  double slope = 1;       // the gap changes by slope normal·(how the points move against each other)
  Vec3d slip;             // along the surface, see FrictionSpring [m]

  Barrier barrier;
  FrictionSpring spring;

  // with solids
  Vec3d point_a;  // of a's surface and of b's, in the frames of their bodies [m]
  Vec3d point;
  Vec3d core_a;  // a radius below them: what is round may turn without changing the gap
  Vec3d core;

  bool with_solid() const { return body >= 0; }
  auto order() const { return std::tuple(body_a >= 0, with_solid(), a, b); }  // by which lists are sorted

  // by which the barrier pushes the two apart, at the waypoint [N]
  double normal_force() const { return -slope * barrier.at(gap).slope; }

  // how the points have moved against each other since the waypoint, given the displacements of the vertices
  template <class Displacement>
  Vec3d relative(Displacement displacement) const {
    Vec3d sum;
    for (int k = 0; k < 4; ++k)
      if (vertex[k] >= 0) sum += weight[k] * displacement(vertex[k]);
    return sum;
  }
};

// what a pair does to its vertices: the force on a's point (b's is the opposite), and the stiffness against further
// motion, with its negative parts left out:  K = normal_stiffness n nᵀ + tangent_stiffness (1 - n nᵀ)
struct PairForce {
  Vec3d force;                   // on a [N]
  double normal_stiffness = 0;   // [N/m]
  double tangent_stiffness = 0;  // [N/m]
  double gap = 0;                // [m]
};

// the gap changes with `relative` as if the nearest points stayed the nearest: exact at the waypoint. A vertex that
// comes close to its planes may seem to be nearer than it is; the gap counts as at least a part of what it was.
inline PairForce force_of(const Pair& pair, const Vec3d& relative) {
  constexpr double least_share = 0.02;
  PairForce out;
  const double change = pair.slope * dot(pair.normal, relative);
  out.gap = std::max(pair.gap + change, least_share * std::min(pair.gap, pair.barrier.reach));
  if (!(out.gap < pair.barrier.reach)) return out;
  const Barrier::Value value = pair.barrier.at(out.gap);
  const double normal_force = -value.slope * pair.slope;
  out.force = normal_force * pair.normal;
  out.normal_stiffness = value.curvature * pair.slope * pair.slope;
  if (pair.spring.friction == 0) return out;
  const Vec3d slip = tangential(pair.slip + relative, pair.normal);
  out.tangent_stiffness = pair.spring.secant(norm(slip), normal_force);
  out.force -= out.tangent_stiffness * slip;
  return out;
}

}  // namespace tendril::contact
