#pragma once

#include "contact/closest.h"
#include "contact/friction.h"
#include "contact/solid.h"
#include "math/mat3.h"

namespace tendril::contact {

// How the gap of a pair bends: minus its second derivative, a form in the motion r of the points against each other and
// in how the segments turn towards the other side, α = n·(u1 - u0) of a and β of b:
//   r·slide r + 2 r·(a α + b β) + aa α² + 2 ab α β + bb β²   [m]
// A segment that turns makes the nearest points slide along it, and the gap closes more than it does at the points that
// were nearest: two that lie along each other rest on their ends because of this. That part, aa to bb, is positive
// semi-definite, as the gap is a minimum over points; the others are not.
struct GapCurvature {
  Mat3d slide;                    // [1/m]
  Vec3d a, b;                     // [1/m]
  double aa = 0, ab = 0, bb = 0;  // [1/m]
};

inline GapCurvature operator*(double k, const GapCurvature& c) {
  return {k * c.slide, k * c.a, k * c.b, k * c.aa, k * c.ab, k * c.bb};
}

// With m = 1 + c φ, G = least m g over (s, t): of m g the derivatives by (s, t) and the places are
//   C = w·r + m (α, -β),  w = (m/d) (1 - n nᵀ) (u, -v) + c φ' n,
// and A those by (s, t) twice; then  -G'' = Cᵀ A⁻¹ C - (m/d) r·(1 - n nᵀ) r.  A point at an end stays there.
inline GapCurvature gap_curvature(const closest::Quadratic& f, const Steady& at) {
  constexpr double c = steadiness;
  const double m = at.slope, g = at.gap / m, bend = m / at.distance;
  const bool slides[2] = {at.s > 0 && at.s<1, at.t> 0 && at.t < 1};
  const Vec3d along[2] = {f.u, -f.v}, n = at.normal;
  const double rise[2] = {c * 2 * (at.s - 0.5), c * 2 * (at.t - 0.5)};  // c φ'
  Vec3d w[2];
  for (int k = 0; k < 2; ++k) w[k] = bend * tangential(along[k], n) + rise[k] * n;
  const auto A = [&](int k, int l) {
    return bend * dot(tangential(along[k], n), along[l]) + rise[k] * dot(n, along[l]) + rise[l] * dot(n, along[k]) +
           (k == l ? 2 * c * g : 0);
  };
  double ss = 0, st = 0, tt = 0;  // A⁻¹
  if (slides[0] && slides[1]) {
    const double per_determinant = 1 / (A(0, 0) * A(1, 1) - A(0, 1) * A(0, 1));
    ss = A(1, 1) * per_determinant, st = -A(0, 1) * per_determinant, tt = A(0, 0) * per_determinant;
  } else {
    if (slides[0]) ss = 1 / A(0, 0);
    if (slides[1]) tt = 1 / A(1, 1);
  }
  const Vec3d by_s = ss * w[0] + st * w[1], by_t = st * w[0] + tt * w[1];
  GapCurvature out;
  out.slide = outer(by_s, w[0]) + outer(by_t, w[1]) + (-bend) * (Mat3d::identity() + (-1.0) * outer(n, n));
  out.a = m * by_s, out.b = -m * by_t;
  out.aa = m * m * ss, out.ab = -m * m * st, out.bb = m * m * tt;
  return out;
}

// The same of a segment from a0 to a1 and a solid, in the frame of the body, by the distance's second derivative B,
// which is that of its nearest point p: B = (1 - n nᵀ - p')/d.
inline GapCurvature gap_curvature(const Solid& solid, const Vec3d& a0, const Vec3d& a1, const SteadyToSolid& at) {
  constexpr double c = steadiness;
  const Vec3d here = at.point + at.distance * at.normal, u = a1 - a0, n = at.normal;
  Mat3d B = Mat3d::identity() + (-1.0) * outer(n, n);
  const Vec3d across = any_perpendicular(n);
  for (const Vec3d& t : {across, cross(n, across)}) {  // p moves piecewise linearly, or nearly so
    const double step = 1e-5 * at.distance;
    B += (-1 / step) * outer(tangential(nearest_in_core(solid, here + step * t) - at.point, n), t);
  }
  B = (0.5 * at.slope / at.distance) * (B + transpose(B));
  const double rise = c * 2 * (at.s - 0.5);
  const Vec3d w = B * u + rise * n;
  GapCurvature out;
  out.slide = (-1.0) * B;
  if (!(at.s > 0 && at.s < 1)) return out;
  const double per_A = 1 / (dot(u, B * u) + 2 * rise * dot(n, u) + 2 * c * at.gap / at.slope);
  out.slide += per_A * outer(w, w);
  out.a = (at.slope * per_A) * w, out.aa = at.slope * at.slope * per_A;
  return out;
}

}  // namespace tendril::contact
