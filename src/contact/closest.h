#pragma once

#include <algorithm>
#include <limits>

#include "math/vec3.h"

namespace tendril {

// the nearest points of two segments, a(s) = a0 + s (a1 - a0) and b(t) = b0 + t (b1 - b0)
struct Nearest {
  double s = 0, t = 0;  // in [0, 1]
  Vec3d normal;         // unit, from b(t) to a(s); zero when the distance is
  double distance = 0;  // [m]
};

namespace closest {

// what the squared distance is made of, as a function of (s, t):
//   |w + s u - t v|²,  u = a1 - a0,  v = b1 - b0,  w = a0 - b0
struct Quadratic {
  Vec3d u, v, w;
  double uu, uv, vv, uw, vw;
  double parallelogram;  // |u x v|²
  double apart;          // (u x v)·(w x v)

  Quadratic(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) : u(a1 - a0), v(b1 - b0), w(a0 - b0) {
    uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const Vec3d uxv = cross(u, v);
    parallelogram = dot(uxv, uxv);
    apart = dot(uxv, cross(w, v));
  }
};

// the minimum over the unit square of |w + s u - t v|² + pull ((s - ½)² + (t - ½)²)
//
// The gradient vanishes at
//   (uu + pull) s - uv t = pull/2 - uw,   (vv + pull) t - uv s = pull/2 + vw.
// First s among all t, then t among [0, 1] for this s, then s for this t: where no bound acts the last step changes
// nothing, where one acts convexity puts the minimum on that edge, which the last step searches. The determinant
// comes from cross products, a sum of squares, so that nearly parallel segments lose no digits.
inline void minimise(const Quadratic& f, double pull, double& s, double& t) {
  constexpr double tiny = std::numeric_limits<double>::min();  // a segment without length: 0/tiny = 0
  const double inverse_a = 1 / std::max(f.uu + pull, tiny);
  const double inverse_b = 1 / std::max(f.vv + pull, tiny);
  const double determinant = f.parallelogram + pull * (f.uu + f.vv + pull);
  const double s_among_all = (pull * (0.5 * (f.vv + f.uv + pull) - f.uw) - f.apart) / std::max(determinant, tiny);
  s = std::clamp(s_among_all, 0.0, 1.0);
  t = std::clamp((f.uv * s + f.vw + 0.5 * pull) * inverse_b, 0.0, 1.0);
  s = std::clamp((f.uv * t - f.uw + 0.5 * pull) * inverse_a, 0.0, 1.0);
}

inline Nearest at(const Quadratic& f, double s, double t) {
  const Vec3d between = f.w + s * f.u - t * f.v;
  const double distance = norm(between);
  return {s, t, (distance > 0 ? 1 / distance : 0.0) * between, distance};
}

// the true ones
inline Nearest nearest(const Quadratic& f) {
  double s, t;
  minimise(f, 0, s, t);
  return at(f, s, t);
}

// the steady ones, see below
inline Nearest steady(const Quadratic& f, double true_distance, double slack) {
  double s, t;
  minimise(f, 2 * slack * (slack + 2 * true_distance), s, t);
  return at(f, s, t);
}

}  // namespace closest

// the true ones; of the many that parallel segments have, any
inline Nearest nearest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
  return closest::nearest(closest::Quadratic(a0, a1, b0, b1));
}

// points that are continuous in the ends of the segments, also where these turn through parallel and the true ones
// jump; their distance D is at most `slack` more than the true one, d:
//
//   they minimise |a(s) - b(t)|² + pull ((s - ½)² + (t - ½)²), where the second term is at most pull/2, so
//   D² <= d² + pull/2 = (d + slack)²  for  pull = 2 slack (slack + 2 d);  without slack they are the true ones.
//
// The normal n still separates: n·u is zero at the true points and pull |s - ½| / D here, which brings a vertex of a
// nearer to b, measured along n, by at most pull (1 - s) (s - ½) / D <= pull/(16 D); the same holds for b. So the
// segments are apart along n by at least D - pull/(8 D) >= D - slack/2 - slack²/(4 D).
inline Nearest steady_nearest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1, double slack) {
  const closest::Quadratic f(a0, a1, b0, b1);
  return closest::steady(f, closest::nearest(f).distance, slack);
}

}  // namespace tendril
