#pragma once

#include <algorithm>

#include "contact/ccd.h"
#include "contact/closest.h"
#include "contact/moving_segment.h"
#include "contact/solid.h"

namespace tendril::contact {

// Two things on a substep, apart along a normal that turns from n to m, (1 - t) n + t m, and has any length. All points
// go straight, those of a solid but for a bulge B. By how much a is before b is then at least a quadratic in t, whose
// Bernstein coefficients are, r the radii,
//   n·(a0 - b0) - r,   ½ [n·(a1 - b1) + m·(a0 - b0)] - r - 2 B,   m·(a1 - b1) - r
// The two stay apart if the outer ones are positive and the middle one is not negative. Both kinds of pairs know
//   lead(n, t)            the outer ones
//   middle(n, t0, m, t1)  twice the middle one, of a part of the substep
//   nearest_normal(t)     along which the lead is largest

struct TwoSegments {
  MovingSegment a, b;
  double radii;

  double lead(const Vec3d& n, double t) const {
    return least([&](int i, int j) { return dot(n, between(i, j, t)); }) - radii;
  }
  double middle(const Vec3d& n, double t0, const Vec3d& m, double t1) const {
    return least([&](int i, int j) { return dot(n, between(i, j, t1)) + dot(m, between(i, j, t0)); }) - 2 * radii;
  }
  Vec3d nearest_normal(double t) const { return nearest_points(a.at(0, t), a.at(1, t), b.at(0, t), b.at(1, t)).normal; }

 private:
  Vec3d between(int i, int j, double t) const { return a.at(i, t) - b.at(j, t); }
  template <class Function>
  static double least(const Function& f) {
    return std::min({f(0, 0), f(0, 1), f(1, 0), f(1, 1)});
  }
};

struct SegmentAndSolid {
  MovingSegment a;
  const Solid& solid;
  Pose from, to;
  double radius;  // of the segment
  double bulge;   // on the whole substep

  double lead(const Vec3d& n, double t) const {
    const Pose at = pose(t);
    return std::min(height(n, 0, t, at), height(n, 1, t, at)) - top(n, at);
  }
  double middle(const Vec3d& n, double t0, const Vec3d& m, double t1) const {
    const Pose at0 = pose(t0), at1 = pose(t1);
    const auto sum = [&](int k) { return height(n, k, t1, at1) + height(m, k, t0, at0); };
    return std::min(sum(0), sum(1)) - top(n, at1) - top(m, at0) - 4 * (t1 - t0) * (t1 - t0) * bulge;
  }
  Vec3d nearest_normal(double t) const {
    const Pose at = pose(t);
    const auto seen = [&](int k) { return rotate(conjugate(at.q), a.at(k, t) - at.x); };
    return rotate(at.q, nearest_points(solid, seen(0), seen(1)).normal);
  }

 private:
  Pose pose(double t) const { return t == 0 ? from : t == 1 ? to : pose_between(from, to, t); }
  double height(const Vec3d& n, int k, double t, const Pose& at) const { return dot(n, a.at(k, t) - at.x); }
  double top(const Vec3d& n, const Pose& at) const { return support(solid, rotate(conjugate(at.q), n)) + radius; }
};

}  // namespace tendril::contact
