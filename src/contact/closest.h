#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/vec3.h"

namespace tendril::contact {

// the nearest points of two segments, a(s) = a0 + s (a1 - a0) and b(t) = b0 + t (b1 - b0)
struct Nearest {
  double s = 0, t = 0;  // in [0, 1]
  Vec3d normal;         // unit, from b(t) to a(s); zero when the distance is
  double distance = 0;  // [m]
};

// Of the many points of two surfaces the nearest two jump from end to end where segments turn through parallel, so that
// their gap g has kinks. What counts as the gap of a pair is therefore
//   G = least over s, t of  g(s, t) (1 + c φ),   φ = (s - ½)² + (t - ½)²,
// whose points move steadily: a smooth function of the places, zero where the true gap is, and at most c/2 of it more.
// Where c < 1 and g > 0 every extremum is a minimum, so that there is one alone.
struct Steady : Nearest {
  double gap = 0;    // G [m]
  double slope = 1;  // 1 + c φ: of G by the distance of the points
};
constexpr double steadiness = 0.6;  // c

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

inline Nearest nearest(const Quadratic& f) {
  double s, t;
  minimise(f, 0, s, t);
  return at(f, s, t);
}

// The steady points of surfaces that are at a sum of radii around the segments. They are extremal where
//   (1 + c φ) d' + c g φ' = 0,  as they are for d²/2 + pull φ/2  if  pull = 2 c g d / (1 + c φ):
// a number that is sought by the secant method.
inline Steady steady(const Quadratic& f, double radius) {
  constexpr double c = steadiness, enough = 1e-12;
  Steady out;
  double wanted = 0;
  const auto go = [&](double pull) {
    double s, t;
    minimise(f, pull, s, t);
    static_cast<Nearest&>(out) = at(f, s, t);
    out.slope = 1 + c * ((s - 0.5) * (s - 0.5) + (t - 0.5) * (t - 0.5));
    out.gap = (out.distance - radius) * out.slope;
    wanted = std::max(2 * c * (out.distance - radius) * out.distance / out.slope, 0.0);
    return wanted - pull;
  };
  double old = 0, old_error = go(old);
  if (!(out.distance > radius)) return out.gap = out.distance - radius, out.slope = 1, out;
  double pull = wanted;
  for (int n = 0; n < 30; ++n) {
    const double error = go(pull);
    if (std::abs(error) <= enough * pull || error == old_error) break;
    const double next = pull - error * (pull - old) / (error - old_error);
    old = pull, old_error = error;
    pull = next > 0 && std::abs(next - pull) < pull ? next : wanted;
  }
  return out;
}

}  // namespace closest

// the true ones; of the many that parallel segments have, any
inline Nearest nearest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1) {
  return closest::nearest(closest::Quadratic(a0, a1, b0, b1));
}

inline Steady steady_nearest_points(const Vec3d& a0, const Vec3d& a1, const Vec3d& b0, const Vec3d& b1, double radius) {
  return closest::steady({a0, a1, b0, b1}, radius);
}

}  // namespace tendril::contact
