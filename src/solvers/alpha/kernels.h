#pragma once

#include <algorithm>
#include <cmath>

#include "rod/model.h"
#include "rod/strain.h"
#include "solvers/alpha/angle_per_sine.h"

// Moments and strains of single bends and segments with their derivatives. Turns w are in world axes, q <- exp(w) q.
namespace tendril::solvers::alpha {

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

// How the moment follows from the angles at both borders of a time step:
//   K/l (now angle + before angle_old + rate (angle - angle_old))
// where `rate` is internal damping over the time step.
struct BendLaw {
  double now = 1, before = 0, rate = 0;
  Vec3d angle_old{};
};

// the two frames of a bend, b turned by Bend::turn
struct BendFrames {
  Quatd a, b;
};

// The turn from a to b, r = q̄_a q_b: its rotation vector is phi = G(u) s by the sine along its axis, s = sin(a) n, and
// u = 1 - cos(a). Both are linear in the directors a_i and b_j of the frames.
struct Sine {
  Vec3d s;
  double u;
};
inline Sine sine_of(const BendFrames& frames) {
  const Quatd r = conjugate(frames.a) * frames.b;
  const Vec3d v = r.imaginary();
  return {(2 * r.w) * v, 2 * norm_squared(v)};
}

// d s / dw, a matrix by its rows, and du / dw, where w turns b against a:  ds_1 = w . (b_2 x a_3 - b_3 x a_2) / 2, …
struct SineSlopes {
  Mat3d rows_of_s;  // in its columns
  Vec3d of_u;
};
inline SineSlopes slopes_of_sine(const Mat3d& a, const Mat3d& b) {
  return {{0.5 * (cross(b.c1, a.c2) - cross(b.c2, a.c1)), 0.5 * (cross(b.c2, a.c0) - cross(b.c0, a.c2)),
           0.5 * (cross(b.c0, a.c1) - cross(b.c1, a.c0))},
          0.5 * (cross(a.c0, b.c0) + cross(a.c1, b.c1) + cross(a.c2, b.c2))};
}

// The moment of a bend over a step, which does the work that its energy loses. The mean directors A = (a + a_old)/2 and
// B turn by a - a_old = w_a x A (see gibbs_turn), so with w = w_b - w_a
//   s - s_old = S(A, B) w,  u - u_old = U(A, B) w                                           S, U: slopes_of_sine()
//   phi - phi_old = (G + G_old)/2 (s - s_old) + (s + s_old)/2 G[u, u_old] (u - u_old) = P w
// by the divided difference G[,]. The moment -Pᵀ K/l (angle + angle_old)/2 on b and its opposite on a then work as much
// as 1/2 angle K/l angle falls, whatever the step. With other weights than 1/2 all is that of the moment in between,
// and the method is of second order all the same.
inline BendMoment conserving_moment(const Vec3d& per_length, const Vec3d& rest_angle, const BendFrames& frames,
                                    const BendFrames& old, const BendLaw& law) {
  const double now = law.now, before = law.before;
  const Mat3d a = rotation_matrix(frames.a), b = rotation_matrix(frames.b);
  const Mat3d A = now * a + before * rotation_matrix(old.a), B = now * b + before * rotation_matrix(old.b);
  const Sine sine = sine_of(frames), sine_old = sine_of(old);
  const AnglePerSine G = angle_per_sine(sine.u);
  const double mean_G = now * G.value + before * angle_per_sine(sine_old.u).value;
  const Vec3d mean_s = now * sine.s + before * sine_old.s;
  const DividedDifference slope = divided_difference(sine.u, sine.u + 2 * before * (sine_old.u - sine.u));
  BendMoment out;
  out.angle = G.value * sine.s - rest_angle;
  const Vec3d m = scale(per_length, now * out.angle + before * law.angle_old + law.rate * (out.angle - law.angle_old));
  // Pᵀ m = mean_G Sᵀ m + e U = Σ y_i(B) x A_i = Σ B_j x z_j(A)
  const SineSlopes mean = slopes_of_sine(A, B), here = slopes_of_sine(a, b);
  const double along = dot(mean_s, m), e = slope.value * along;
  const Vec3d of_s = mean.rows_of_s * m;
  out.moment = -(mean_G * of_s + e * mean.of_u);
  // by what m and the factors of S and U change with w
  const Vec3d m_s = here.rows_of_s * m;
  const Mat3d phi_by_w = G.value * transpose(here.rows_of_s) + outer(G.slope * sine.s, here.of_u);
  const Mat3d P_transposed = mean_G * mean.rows_of_s + slope.value * outer(mean.of_u, mean_s);
  const double slope_by_u = slope.by_u + (1 - 2 * before) * slope.by_v;
  const Mat3d by_w = P_transposed * ((now + law.rate) * Mat3d::diagonal(per_length)) * phi_by_w +
                     outer((now * G.slope) * of_s + (slope_by_u * along) * mean.of_u, here.of_u) +
                     outer((now * slope.value) * mean.of_u, m_s);
  // by what the directors of b and a change: (w x y_i) x A_i and B_j x (w x z_j)
  const Mat3d twist = (0.5 * mean_G) * skew(m) + (0.5 * e) * Mat3d::identity();
  const Mat3d y = -1.0 * (b * twist), z = -1.0 * (a * transpose(twist));
  const double y_A = dot(y.c0, A.c0) + dot(y.c1, A.c1) + dot(y.c2, A.c2),
               z_B = dot(z.c0, B.c0) + dot(z.c1, B.c1) + dot(z.c2, B.c2);
  out.by_turn_b = -1.0 * (by_w + now * (y * transpose(A) + (-y_A) * Mat3d::identity()));
  out.by_turn_a = by_w + now * (z * transpose(B) + (-z_B) * Mat3d::identity());
  return out;
}

// The moment at one border, of K/l (share angle + rate (angle - angle_old)) there; the angles are those of
// bend_strain() in rod/strain.h.
struct BorderLaw {
  double share = 1, rate = 0;
  Vec3d angle_old{};
};
inline BendMoment moment_at_border(const Bend& bend, const Vec3d& rest_angle, const BendFrames& frames,
                                   const BorderLaw& law) {
  const Vec3d stiffness{bend.EI1, bend.EI2, bend.GJ}, per_length = (1 / bend.length) * stiffness;
  const auto moments = [&](const Vec3d& angle) {
    return scale(per_length, law.share * angle + law.rate * (angle - law.angle_old));
  };
  BendMoment out;
  if (bend.holds_an_axis()) {  // Newton's method does without the curvature of this angle, which is measured to a clamp
    const BendStrain strain = swing_strain(frames.a, frames.b, bend.rest, !bend.b.is_body);
    const Mat3d to_angle = strain.jacobian * transpose(rotation_matrix(strain.frame));
    out.angle = strain.angle;
    out.moment = -(transpose(to_angle) * moments(strain.angle));
    out.by_turn_b = transpose(to_angle) * ((-(law.share + law.rate)) * Mat3d::diagonal(per_length) * to_angle);
    out.by_turn_a = -1.0 * out.by_turn_b;
    return out;
  }
  const Vec3d phi = bend_angle(frames.a, frames.b, bend.rest, stiffness);
  const Mat3d J = rotation_vector_jacobian(phi), R = rotation_matrix(frames.a);
  out.angle = phi - rest_angle;
  const Vec3d m = moments(out.angle), moment_in_a = transpose(J) * m;
  out.moment = -(R * moment_in_a);
  const Mat3d by_angle =
      transpose(J) * ((law.share + law.rate) * Mat3d::diagonal(per_length)) + derivative_of_moment(phi, m);
  out.by_turn_b = -1.0 * (R * (by_angle * (J * transpose(R))));
  out.by_turn_a = -1.0 * out.by_turn_b + (-1.0) * skew(out.moment);
  return out;
}

// bent by less than 120 degrees, and by no whole turns
inline bool is_moderate(const Bend& bend, const BendFrames& frames) {
  const Sine sine = sine_of(frames);
  if (sine.u > 1.5) return false;
  const Vec3d stiffness{bend.EI1, bend.EI2, bend.GJ};
  return cheapest_share(angle_per_sine(sine.u).value * sine.s, shortest_angle(bend.rest), stiffness) == 1;
}

// `rest_angle` is the shortest one of bend.rest
inline BendMoment bend_moment(const Bend& bend, const Vec3d& rest_angle, const BendFrames& frames,
                              const BendFrames& old, const BendLaw& law) {
  if (!bend.holds_an_axis() && is_moderate(bend, frames) && is_moderate(bend, old))
    return conserving_moment((1 / bend.length) * Vec3d{bend.EI1, bend.EI2, bend.GJ}, rest_angle, frames, old, law);
  BendMoment out = moment_at_border(bend, rest_angle, frames, {law.now, law.rate, law.angle_old});
  if (law.before > 0) out.moment += moment_at_border(bend, rest_angle, old, {law.before}).moment;
  return out;
}

// how far it is turned beyond rest, alone [rad]
inline Vec3d angle_beyond_rest(const Bend& bend, const Vec3d& rest_angle, const Quatd& q_a, const Quatd& q_b) {
  if (bend.holds_an_axis()) return swing_strain(q_a, q_b * bend.turn, bend.rest, !bend.b.is_body).angle;
  return bend_angle(q_a, q_b * bend.turn, bend.rest, {bend.EI1, bend.EI2, bend.GJ}) - rest_angle;
}

// The turn of a frame over a step as a Gibbs vector, 2 tan(a/2) along its axis [rad for small ones]:
//   R_new - R_old = turn/2 x (R_new + R_old)
// so that frames turn as positions do that go by the mean of two velocities, x_new - x_old = h (u_new + u_old)/2, and a
// rod that turns as a whole keeps its shape. It is the same in both frames, and never more than half a circle.
inline Vec3d gibbs_turn(const Quatd& turn) { return (2 / turn.w) * turn.imaginary(); }
inline Quatd quaternion_of_gibbs(const Vec3d& turn) { return normalized(Quatd{2, turn.x, turn.y, turn.z}); }
// its derivative by a further small turn w: 1 - [turn]/2 + turn turnᵀ/4
inline Mat3d gibbs_jacobian(const Vec3d& turn) {
  return Mat3d::identity() + (-0.5) * skew(turn) + 0.25 * outer(turn, turn);
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

}  // namespace tendril::solvers::alpha
