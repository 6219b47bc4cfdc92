#pragma once

#include <algorithm>
#include <cmath>

#include "contact/pair.h"

namespace tendril::solvers::stable {

enum class ContactRule {
  lasting,   // our own: a barrier that is infinite where surfaces touch, friction that remembers where things stuck
  published  // Eq. 30 to 33 [hsu2025]
};

// Contact as [hsu2025] prints it, for mode = "paper".
//
// Eq. 30:  E = -k (d - 1)² ln d,  d = (distance of the centrelines) / r;  0 beyond d = 1
// Eq. 32:  friction is a spring from where the points were at the start of the step: what sticks creeps
//
// The paper names neither r nor k. Here r is where our own barrier ends, and k such that surfaces that just touch are
// pushed apart as hard as our barrier pushes at half of its reach. Surfaces pressed harder than that overlap in the
// paper; here the regions hold them, and the step ends unsolved.
struct PublishedBarrier {
  double thickness = 0;  // r [m]
  double energy = 0;     // k [J]

  Barrier::Value at(double distance) const {
    const double d = distance / thickness, past = d - 1, log = std::log(d);
    if (!(d < 1)) return {};
    return {-energy * past * past * log, -energy / thickness * past * (2 * log + past / d),
            -energy / (thickness * thickness) * (2 * log + 4 * past / d - past * past / (d * d))};
  }
};

inline PublishedBarrier published_barrier(const Barrier& barrier, double radius) {
  PublishedBarrier out{radius + barrier.reach, 1};
  const double when_touching = out.at(std::max(radius, 0.5 * out.thickness)).slope;
  out.energy = barrier.at(0.5 * barrier.reach).slope / when_touching;
  return out;
}

// `relative` as in force_of, since the waypoint; `moved` the same since the start of the step
inline PairForce published_force(const Pair& pair, const Vec3d& relative, const Vec3d& moved) {
  const PublishedBarrier barrier = published_barrier(pair.barrier, pair.radius);
  PairForce out;
  out.gap = pair.gap + pair.slope * dot(pair.normal, relative);
  const double distance = std::max(out.gap + pair.radius, 0.02 * barrier.thickness);
  const Barrier::Value value = barrier.at(distance);
  if (value.curvature == 0) return out;
  const double normal_force = -value.slope * pair.slope;
  out.force = normal_force * pair.normal;
  out.normal_stiffness = value.curvature * pair.slope * pair.slope;
  const Vec3d slip = tangential(moved, pair.normal);
  const double length = norm(slip), limit = pair.spring.friction * normal_force;
  if (limit == 0) return out;
  out.tangent_stiffness = length * pair.spring.stiffness < limit ? pair.spring.stiffness : limit / length;
  out.force -= out.tangent_stiffness * slip;
  return out;
}

}  // namespace tendril::solvers::stable
