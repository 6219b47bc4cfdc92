#pragma once

#include "contact/pair.h"
#include "math/mat3.h"

namespace tendril::projective {

// "Sphere Collision" and "Self Collision", Sec. 4.3 [strauss2020], with whatever surface the pair has: the points of
// two surfaces that are nearest.
//   S q = vertices of the segment,  A = n·(weights),  B = 1
//   p   = the surface, n·x where the gap is closed by the barrier's force, and less where it is open
//   w   = the barrier's second derivative
// The report prints the sphere's projection with the sign reversed; it projects what does not touch onto itself, with a
// large weight in a fixed matrix, which acts as a viscous fluid. Here a pair beyond its reach has no row, and a row has
// A = n, not 1: what touches slides freely but for friction. The report's force factor, by which a point is projected
// beyond the surface so that its weight may be smaller, is the barrier: its force grows as the gap closes. Of two
// strands each sees where the other was.
struct Touch {
  int bundle = 0, lane = 0;
  int place[2] = {};      // of the segment's vertices in its strand
  double weight[2] = {};  // of them in how the points move against each other
  Vec3d waypoint[2];      // from where it is measured [m]
  Vec3d others;           // how the other side has moved, as it counts in Pair::relative [m]
  const Pair* pair = nullptr;
  double normal_force = 0;  // that limits friction [N]
};

struct TouchPull {
  Vec3d force;      // on a's point [N]
  Mat3d stiffness;  // against motion of the points [N/m]
  double energy = 0;
};

// Where the gap is less than a tenth of the reach, the barrier goes on as a parabola: what is linearised may be pressed
// in deeper than surfaces can.
inline Barrier::Value extended(const Barrier& barrier, double gap) {
  const double least = 0.1 * barrier.reach;
  if (gap >= least) return barrier.at(gap);
  const Barrier::Value edge = barrier.at(least);
  const double in = gap - least;
  return {edge.energy + in * (edge.slope + 0.5 * edge.curvature * in), edge.slope + edge.curvature * in,
          edge.curvature};
}

// `relative`: how the points have moved against each other since the waypoint
inline TouchPull pull(const Pair& pair, double normal_force, const Vec3d& relative) {
  TouchPull out;
  const double gap = pair.gap + pair.slope * dot(pair.normal, relative);
  if (!(gap < pair.barrier.reach)) return out;
  const Barrier::Value value = extended(pair.barrier, gap);
  out.energy = value.energy;
  out.force = (-value.slope * pair.slope) * pair.normal;
  out.stiffness = outer((value.curvature * pair.slope * pair.slope) * pair.normal, pair.normal);
  if (pair.spring.friction == 0 || normal_force == 0) return out;
  const Vec3d drag = tangential(pair.slip + relative, pair.normal);
  const double secant = pair.spring.secant(norm(drag), normal_force);
  out.energy += pair.spring.energy(norm(drag), normal_force);
  out.force -= secant * drag;
  out.stiffness += secant * (Mat3d::identity() + (-1.0) * outer(pair.normal, pair.normal));
  return out;
}

}  // namespace tendril::projective
