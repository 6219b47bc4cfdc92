#pragma once

#include <cmath>

#include "math/mat3.h"
#include "math/quat.h"

// A spherical joint with the coordinates Q: child = parent exp(Q), turning with omega_child - omega_parent = R J(Q) Q'.

namespace tendril::solvers::redmax {

// f = (1 - cos a)/a², g = (a - sin a)/a³, and their derivatives by a²/2
struct TurnFactors {
  double f, g, df, dg;
};
inline TurnFactors turn_factors(double a2) {
  if (a2 < 1e-2)  // to 1e-14
    return {0.5 - a2 / 24 * (1 - a2 / 30 * (1 - a2 / 56)), 1. / 6 - a2 / 120 * (1 - a2 / 42 * (1 - a2 / 72)),
            -1. / 12 * (1 - a2 / 15 * (1 - 3 * a2 / 112 * (1 - 2 * a2 / 135))),
            -1. / 60 * (1 - a2 / 21 * (1 - a2 / 48))};
  const double a = std::sqrt(a2), c = std::cos(a), s = std::sin(a);
  const double f = (1 - c) / a2, g = (a - s) / (a2 * a);
  return {f, g, (s / a - 2 * f) / a2, (f - 3 * g) / a2};
}

// J(Q) = 1 + f [Q] + g [Q]², the left Jacobian of the exponential map
inline Mat3d turn_jacobian(const Vec3d& Q) {
  const TurnFactors t = turn_factors(norm_squared(Q));
  const Mat3d X = skew(Q);
  return Mat3d::identity() + t.f * X + t.g * (X * X);
}

// d/dt (J(Q) Q') where Q' stays: with Q' = p, J p = p + f Q x p + g Q x (Q x p)
inline Vec3d turn_jacobian_rate(const Vec3d& Q, const Vec3d& p) {
  const TurnFactors t = turn_factors(norm_squared(Q));
  const double half_rate = dot(Q, p);  // of a²/2
  const Vec3d turned = cross(Q, p);
  return (half_rate * t.df) * turned + (half_rate * t.dg) * cross(Q, turned) + t.g * cross(p, turned);
}

// masses that turn about a point as one
struct Composite {
  double mass = 0;  // [kg]
  Vec3d first;      // sum m r [kg m]
  Mat3d inertia;    // about the point [kg m²]

  void add_point_mass_here(double m) { mass += m; }
  // about a point from which the old one lies at a: r <- r + a
  Composite seen_over(const Vec3d& a) const {
    const double more = 2 * dot(a, first) + mass * norm_squared(a);
    const Mat3d mixed = outer(first, a);
    return {mass, first + mass * a,
            inertia + more * Mat3d::identity() + -1.0 * (mixed + transpose(mixed) + outer(mass * a, a))};
  }
};

}  // namespace tendril::solvers::redmax
