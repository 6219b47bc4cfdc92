#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rod/model.h"
#include "rod/strain.h"

// Moments and strains of single bends and segments with their derivatives. Turns w are in world axes, q <- exp(w) q.
namespace tendril::alpha {

// d/dphi of J(phi)ᵀ m for a constant m, where J is the rotation_vector_jacobian(phi) of rod/strain.h:
//   Jᵀ m = m + phi x m / 2 + c phi x (phi x m),   c = (1 - g) / a²,   g = a/2 cot(a/2),   a = |phi|
//   dc/da / a = -(g' / a + 2 c) / a²,   g' = cot(a/2) / 2 - a / (4 sin²(a/2))
inline Mat3d derivative_of_moment(const Vec3d& phi, const Vec3d& m) {
  const double a2 = norm_squared(phi), a = std::sqrt(a2);
  double c = 1.0 / 12 + a2 / 720, slope = 1.0 / 360 + a2 / 7560;
  if (a > 0.1) {
    const double cot = 1 / std::tan(0.5 * a), sine = std::sin(0.5 * a), g = 0.5 * a * cot;
    c = (1 - g) / a2;
    slope = -((0.5 * cot - 0.25 * a / (sine * sine)) / a + 2 * c) / a2;
  }
  const Vec3d once = cross(phi, m), twice = cross(phi, once);
  return (-0.5) * skew(m) + (-c) * (skew(once) + skew(phi) * skew(m)) + slope * outer(twice, phi);
}

// what a bend does to its frame b, the opposite to a
struct BendMoment {
  Vec3d angle;                     // beyond rest [rad]
  Vec3d moment;                    // on b [N m, world]
  Mat3d by_turn_a{}, by_turn_b{};  // derivatives of `moment`
};

// How the moment follows from the angle at one border of a time step: K/l (share angle + rate (angle - angle_old)),
// where `rate` is internal damping over the time step.
struct BendLaw {
  double share = 1, rate = 0;
  Vec3d angle_old;
};

// the angles are those of bend_strain() in rod/strain.h; `rest_angle` is the shortest one of bend.rest
inline BendMoment bend_moment(const Bend& bend, const Vec3d& rest_angle, const Quatd& q_a, const Quatd& q_b,
                              const BendLaw& law) {
  const Vec3d stiffness{bend.EI1, bend.EI2, bend.GJ}, per_length = (1 / bend.length) * stiffness;
  const auto moments = [&](const Vec3d& angle) {
    return scale(per_length, law.share * angle + law.rate * (angle - law.angle_old));
  };
  BendMoment out;
  if (bend.holds_an_axis()) {  // Newton's method does without the curvature of this angle, which is measured to a clamp
    const BendStrain strain = swing_strain(q_a, q_b * bend.turn, bend.rest, !bend.b.is_body);
    const Mat3d to_angle = strain.jacobian * transpose(rotation_matrix(strain.frame));
    out.angle = strain.angle;
    out.moment = -(transpose(to_angle) * moments(strain.angle));
    out.by_turn_b = transpose(to_angle) * ((-(law.share + law.rate)) * Mat3d::diagonal(per_length) * to_angle);
    out.by_turn_a = -1.0 * out.by_turn_b;
    return out;
  }
  const Vec3d phi = bend_angle(q_a, q_b * bend.turn, bend.rest, stiffness);
  const Mat3d J = rotation_vector_jacobian(phi), R = rotation_matrix(q_a);
  out.angle = phi - rest_angle;
  const Vec3d m = moments(out.angle), moment_in_a = transpose(J) * m;
  out.moment = -(R * moment_in_a);
  const Mat3d by_angle =
      transpose(J) * ((law.share + law.rate) * Mat3d::diagonal(per_length)) + derivative_of_moment(phi, m);
  out.by_turn_b = -1.0 * (R * (by_angle * (J * transpose(R))));
  out.by_turn_a = -1.0 * out.by_turn_b + (-1.0) * skew(out.moment);
  return out;
}

// how far it is turned beyond rest, alone [rad]
inline Vec3d angle_beyond_rest(const Bend& bend, const Vec3d& rest_angle, const Quatd& q_a, const Quatd& q_b) {
  if (bend.holds_an_axis()) return swing_strain(q_a, q_b * bend.turn, bend.rest, !bend.b.is_body).angle;
  return bend_angle(q_a, q_b * bend.turn, bend.rest, {bend.EI1, bend.EI2, bend.GJ}) - rest_angle;
}

// the rotation vector of a turn which may be more than half a circle: the one nearest to a guess
inline Vec3d angle_near(const Quatd& turn, const Vec3d& guess) {
  const Vec3d shortest = shortest_angle(turn);
  const double a = norm(shortest);
  if (a < 1e-6) return shortest;
  constexpr double circle = 2 * std::numbers::pi;
  const Vec3d axis = shortest / a;
  const double turns = std::round((dot(guess, axis) - a) / circle);
  return (a + circle * turns) * axis;
}

// the stiffness of a segment against stretch and shear, as a compliance; where there is none it carries no force
struct Compliance {
  Vec3d compliance;  // 1/K [1/N], or 1
  Vec3d has_strain;  // 1, or 0 where K = 0
};
inline Compliance compliance_of(const Segment& segment) {
  const Vec3d K{segment.GA, segment.GA, segment.EA};
  Compliance out;
  for (int k = 0; k < 3; ++k) out.compliance[k] = K[k] > 0 ? 1 / K[k] : 1, out.has_strain[k] = K[k] > 0 ? 1 : 0;
  return out;
}

}  // namespace tendril::alpha
