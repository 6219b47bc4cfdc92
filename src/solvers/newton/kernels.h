#pragma once

#include <algorithm>
#include <iterator>

#include "math/mat3.h"
#include "math/pack.h"
#include "math/quat.h"
#include "math/sym3.h"
#include "rod/strain.h"

// Energy, gradient and second derivatives of the elements of a rod, as functions of increments in the world's frame:
//   x <- x + u,   q <- exp(theta) q
// T is double or a SIMD pack.

namespace tendril::solvers::newton {

// exp(theta) q but for the third order
template <class T>
inline Quat<T> turned(const Vec3<T>& theta, const Quat<T>& q) {
  const Vec3<T> half = T(0.5) * theta, v = q.imaginary(), turn = v + q.w * half + cross(half, v);
  const Quat<T> p{q.w - dot(half, v), turn.x, turn.y, turn.z};
  return reciprocal_root(dot(p, p)) * p;
}

// of the identity
template <class T>
inline Quat<T> turn_by(const Vec3<T>& theta) {
  const Vec3<T> half = T(0.5) * theta;
  const T w = reciprocal_root(T(1) + dot(half, half));
  return {w, w * half.x, w * half.y, w * half.z};
}

// the stretching and shearing of one segment: l/2 gammaᵀ diag(GA, GA, EA) gamma, gamma = R(q)ᵀ (x1 - x0)/l - p
// p is e3, with internal damping a little more (problem.h)
template <class T>
struct Stretch {
  T length, GA, EA;
  Vec3<T> p;
};

template <class T>
struct StretchState {
  Vec3<T> e;  // (x1 - x0) / l
  Quat<T> q;
};

template <class T>
[[gnu::always_inline]] inline Vec3<T> strain(const Stretch<T>& s, const StretchState<T>& at) {
  return rotate(conjugate(at.q), at.e) - s.p;
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> strain(const Stretch<T>& s, const Vec3<T>& e, const Mat3<T>& R) {  // R of q
  return Vec3<T>{dot(R.c0, e), dot(R.c1, e), dot(R.c2, e)} - s.p;
}
template <class T>
inline Vec3<T> stress(const Stretch<T>& s, const Vec3<T>& gamma) {  // [N, material frame]
  return {s.GA * gamma.x, s.GA * gamma.y, s.EA * gamma.z};
}
template <class T>
inline T stretch_energy(const Stretch<T>& s, const Vec3<T>& gamma) {
  return T(0.5) * s.length * dot(gamma, stress(s, gamma));
}

// Derivatives by (x0, x1, theta). With A = R diag(GA, GA, EA) Rᵀ, the force n = A gamma and e = R (p + gamma):
//   gradient   x1: n,   theta: l n x e
//   x1 x1      A / l
//   x1 theta   A [e] - [n]
//   theta²     l ([e]ᵀ A [e] + sym(n eᵀ) - n·e 1)
// and x0 is the opposite of x1. All but [n], sym(n eᵀ) and n·e is positive semi-definite. The second derivatives are
// not taken at gamma but at `predicted`, the strain of the last linear solution: the turn of a stiff segment stretches
// it only in its second order, and that stretch is no force that stays. `hessian_share` between 0 and 1 blends from the
// semi-definite part, with the stiffening by tension, to all of it.
//
// With the arm a = GA e - n and side = e x d3 these are
//   x1 x1      (GA 1 + (EA - GA) d3 d3ᵀ) / l
//   x1 theta   [a] - (EA - GA) d3 sideᵀ
//   theta²     l (a·e 1 - sym(a eᵀ) + (EA - GA) side sideᵀ)
// All but n in these is a spring, S = x1 x1, of which x1 - x0 - theta x l e is the length. `without_spring` leaves it
// out: then a = -n, and there is no side (math/chain_spring.h).
template <class T>
struct StretchTerms {
  Vec3<T> force, torque;
  Vec3<T> arm, side;
  Vec3<T> e;  // of the spring
  Sym3<T> theta_theta;
};
template <class T>
[[gnu::always_inline]] inline void add_turn_terms(const Stretch<T>& s, const Vec3<T>& e_now, const Vec3<T>& e,
                                                  const Vec3<T>& d3, T tension, StretchTerms<T>& out) {
  out.torque = s.length * cross(out.force, e_now);
  out.theta_theta = symmetric_outer(-s.length * out.arm, e) + square(-s.length * tension, d3);
  out.theta_theta += s.length * (dot(out.arm, e) + tension);
}
template <bool without_spring = false, class T>
[[gnu::always_inline]] inline StretchTerms<T> stretch_terms(const Stretch<T>& s, const Vec3<T>& e_now, const Mat3<T>& R,
                                                            const Vec3<T>& gamma, const Vec3<T>& predicted,
                                                            T hessian_share) {
  const Vec3<T> n_material = stress(s, predicted), n = R * (hessian_share * n_material);
  const Vec3<T> e = e_now + R * (hessian_share * (predicted - gamma));
  StretchTerms<T> out;
  out.force = R * stress(s, gamma);
  out.arm = without_spring ? -n : s.GA * e - n, out.e = e;
  add_turn_terms(s, e_now, e, R.c2, max(n_material.z, T(0)) * (T(1) - hessian_share), out);
  if constexpr (!without_spring) {
    out.side = cross(e, R.c2);
    out.theta_theta += square(s.length * (s.EA - s.GA), out.side);
  }
  return out;
}

// Where GA = EA and p = e3 little is left of them, and no side. Strains need no frame of their own: gamma_world = e -
// d3 is the force over GA, and the arm is GA (e_now - hessian_share gamma_world), whatever is predicted. It is
// all of the spring's, whose e is arm / GA; without it theta² lacks l/GA (arm² 1 - arm armᵀ).
template <bool without_spring = false, class T>
[[gnu::always_inline]] inline StretchTerms<T> isotropic_stretch_terms(const Stretch<T>& s, const Vec3<T>& e_now,
                                                                      const Mat3<T>& R, const Vec3<T>& gamma_world,
                                                                      const Vec3<T>& predicted, T hessian_share) {
  StretchTerms<T> out;
  out.force = s.GA * gamma_world;
  const Vec3<T> unstrained = e_now - hessian_share * gamma_world, strained = R * (hessian_share * predicted);
  out.arm = s.GA * unstrained, out.e = unstrained;
  add_turn_terms(s, e_now, without_spring ? strained : unstrained + strained, R.c2,
                 max(s.GA * predicted.z, T(0)) * (T(1) - hessian_share), out);
  return out;
}

// and all of them, hessian_share = 1, with the inertia of a round segment that is where it would turn to by itself
// (spin_terms_at_goal): the arm is GA d3, and d3·e = 1 + predicted.z
template <bool without_spring = false, class T>
[[gnu::always_inline]] inline StretchTerms<T> isotropic_terms_at_goal(const Stretch<T>& s, const Vec3<T>& spin_weight,
                                                                      const Vec3<T>& e_now, const Vec3<T>& d3,
                                                                      const Vec3<T>& gamma_world, T predicted_z,
                                                                      const Vec3<T>& predicted_world) {
  const T k = s.length * s.GA, spring = without_spring ? T(0) : k;
  StretchTerms<T> out;
  out.force = s.GA * gamma_world, out.torque = s.length * cross(out.force, e_now);
  out.arm = s.GA * d3, out.e = d3;
  out.theta_theta = symmetric_outer((spin_weight.z - spin_weight.x - spring) * d3 - k * predicted_world, d3);
  out.theta_theta += spin_weight.x + spring + k * predicted_z;
  return out;
}

template <class T>
struct StretchDerivatives {
  Vec3<T> force, torque;
  Sym3<T> xx, theta_theta;
  Mat3<T> x_theta;
};
template <class T>
[[gnu::always_inline]] inline StretchDerivatives<T> derivatives(const Stretch<T>& s, const Vec3<T>& e, const Mat3<T>& R,
                                                                const Vec3<T>& gamma, const Vec3<T>& predicted,
                                                                T hessian_share) {
  const StretchTerms<T> terms = stretch_terms(s, e, R, gamma, predicted, hessian_share);
  const T excess = s.EA - s.GA, per_length = T(1) / s.length;
  Sym3<T> xx = square(excess * per_length, R.c2);
  xx += s.GA * per_length;
  return {terms.force, terms.torque, xx, terms.theta_theta, skew(terms.arm) + outer(-excess * R.c2, terms.side)};
}
template <class T>
[[gnu::always_inline]] inline StretchDerivatives<T> derivatives(const Stretch<T>& s, const StretchState<T>& at,
                                                                const Vec3<T>& gamma, const Vec3<T>& predicted,
                                                                T hessian_share) {
  return derivatives(s, at.e, rotation_matrix(at.q), gamma, predicted, hessian_share);
}

// the strain that a linear step leads to
template <class T>
inline Vec3<T> predicted_strain(const StretchState<T>& at, const Vec3<T>& gamma, const Vec3<T>& de,
                                const Vec3<T>& theta) {
  return gamma + rotate(conjugate(at.q), de + cross(at.e, theta));
}

// What an edge must go beyond e + de for its strain to go where the linear step leads (retraction.h): in the frame that
// turns by turn_by(theta) it is e + d, d = de - theta x e. With w = 1 / (1 + theta²/4) that turn takes v to
// v + w theta x (v + theta x v / 2), so that
//   e' - e - de = w theta x (d + theta x (e + d) / 2 - theta²/4 e),
// of second order throughout: floats lose nothing by it.
template <class T>
[[gnu::always_inline]] inline Vec3<T> beyond_linear(const Vec3<T>& e, const Vec3<T>& de, const Vec3<T>& theta) {
  const Vec3<T> d = de + cross(e, theta);
  const T quarter = T(0.25) * norm_squared(theta);
  const Vec3<T> turned = d + T(0.5) * cross(theta, e + d) - quarter * e;
  return (T(1) / (T(1) + quarter)) * cross(theta, turned);
}

// 2 atan2(|v|, w) / |v| of a unit quaternion (w, v), w >= 0: the rotation vector is this times v
inline double log_factor(double w, double sine2) {
  if (sine2 > 0.01 || w < 0) {
    const double sine = std::sqrt(sine2) + 1e-150;
    return 2 * std::atan2(sine, w) / sine;
  }
  // 2 asin(s) / s
  return 2 + sine2 * (1.0 / 3 +
                      sine2 * (3.0 / 20 + sine2 * (5.0 / 56 + sine2 * (35.0 / 576 +
                                                                       sine2 * (63.0 / 1408 + sine2 * 231.0 / 6656)))));
}
template <class P>
[[gnu::always_inline]] inline P log_series(P sine2) {
  using S = typename P::Scalar;
  if constexpr (sizeof(S) == sizeof(float))
    return P(S(2)) + sine2 * (S(1.0 / 3) + sine2 * (S(3.0 / 20) + sine2 * S(5.0 / 56)));
  return P(S(2)) +
         sine2 * (S(1.0 / 3) +
                  sine2 * (S(3.0 / 20) +
                           sine2 * (S(5.0 / 56) +
                                    sine2 * (S(35.0 / 576) + sine2 * (S(63.0 / 1408) + sine2 * S(231.0 / 6656))))));
}
// Of half the turn, (w', v') = (1 + w, v) / |(1 + w, v)|, it is w' times this: so until the series is exact.
template <class S, int bytes>
[[gnu::noinline]] inline Pack<S, bytes> log_factor_by_halves(Pack<S, bytes> w, Pack<S, bytes> sine2) {
  using P = Pack<S, bytes>;
  P halves(S(1));
  while (any(sine2 > P(S(0.01))) || any(w < P(S(0)))) {
    const P half_w2 = S(0.5) * max(P(S(1)) + w, P(S(1e-12)));
    w = sqrt(half_w2);
    halves *= w;
    sine2 = S(0.25) * sine2 / half_w2;
  }
  return log_series(sine2) / halves;
}
template <class S, int bytes>
[[gnu::always_inline]] inline Pack<S, bytes> log_factor(Pack<S, bytes> w, Pack<S, bytes> sine2) {
  using P = Pack<S, bytes>;
  if (any((sine2 > P(S(0.01))) | (w < P(S(0))))) return log_factor_by_halves(w, sine2);
  return log_series(sine2);
}

// c(a²) = (1 - a/2 cot(a/2)) / a² of the rotation vector's Jacobian, and its derivative by a². At whole turns
// it has no bound, and beside second derivatives of such a size all others are noise: it stops a little before them.
template <class T>
struct JacobianFactor {
  T c, slope;
};
// sum of |B_2k| / (2k)! a^(2k - 2), to round-off for a < 1
constexpr double jacobian_terms[] = {1.0 / 12.0,
                                     1.0 / 720.0,
                                     1.0 / 30240.0,
                                     1.0 / 1209600.0,
                                     1.0 / 47900160.0,
                                     691.0 / 1307674368000.0,
                                     1.0 / 74724249600.0,
                                     3617.0 / 10670622842880000.0,
                                     43867.0 / 5109094217170944000.0,
                                     174611.0 / 802857662698291200000.0};
template <int terms = static_cast<int>(std::size(jacobian_terms)), class T>
[[gnu::always_inline]] inline JacobianFactor<T> jacobian_series(T a2) {
  constexpr int last = terms - 1;
  JacobianFactor<T> sum{T(jacobian_terms[last]), T(last * jacobian_terms[last])};
  for (int k = last - 1; k >= 0; --k) {
    sum.c = T(jacobian_terms[k]) + a2 * sum.c;
    if (k > 0) sum.slope = T(k * jacobian_terms[k]) + a2 * sum.slope;
  }
  return sum;
}
inline JacobianFactor<double> jacobian_factor(double a2) {
  if (a2 < 1) return jacobian_series(a2);
  constexpr double least_sine = 1e-3;
  const double a = std::sqrt(a2), half = 0.5 * a, exact = std::sin(half);
  const double sine = std::copysign(std::max(std::abs(exact), least_sine), exact), cot = std::cos(half) / sine;
  const double c = (1 - half * cot) / a2;
  return {c, (0.25 / (sine * sine) - 0.5 * cot / a - 2 * c) / (2 * a2)};
}
template <class S, int bytes>
[[gnu::noinline]] inline JacobianFactor<Pack<S, bytes>> jacobian_factor_of_large(Pack<S, bytes> a2) {
  if (!any(a2 > Pack<S, bytes>(S(1)))) return jacobian_series(a2);
  JacobianFactor<Pack<S, bytes>> out;
  for (int lane = 0; lane < Pack<S, bytes>::lanes; ++lane) {
    const JacobianFactor<double> exact = jacobian_factor(double(a2.v[lane]));
    out.c.v[lane] = S(exact.c), out.slope.v[lane] = S(exact.slope);
  }
  return out;
}
template <class S, int bytes>
[[gnu::always_inline]] inline JacobianFactor<Pack<S, bytes>> jacobian_factor(Pack<S, bytes> a2) {
  if (any(a2 > Pack<S, bytes>(S(0.05)))) return jacobian_factor_of_large(a2);
  return jacobian_series < sizeof(S) == sizeof(float) ? 3 : 6 > (a2);  // as exact as all terms are for a < 1
}

// the bending and twisting between two frames: 1/2 (phi - rest)ᵀ diag(K) (phi - rest), phi = log(q̄_a q_b), with as many
// whole turns as make this least: see cheapest_share
template <class T>
struct Bend {
  Vec3<T> K;     // stiffness over length [N m]
  Vec3<T> rest;  // [rad]
  T ridge;       // where Re(q̄_a q_b) is not below this no other turn is cheaper than the shortest
};
// About u it is cheapest at an angle of uᵀ K rest / uᵀ K u, at most r = |rest|_K over the root of the least stiffness.
// A turn of a <= pi is not the cheapest only where a > pi - r, and there cos(a/2) < sin(r/2) <= r/2.
template <class T>
[[gnu::always_inline]] inline Bend<T> make_bend(const Vec3<T>& K, const Vec3<T>& rest) {
  using std::sqrt;
  return {K, rest, T(0.5) * sqrt(dot(rest, scale(K, rest)) / min(K.x, min(K.y, K.z)))};
}

// `isotropic` promises K1 = K2 = K3
template <bool isotropic = false, class T>
[[gnu::always_inline]] inline Vec3<T> bend_moment(const Bend<T>& b, const Vec3<T>& phi) {  // [N m, material frame]
  if constexpr (isotropic) return b.K.x * (phi - b.rest);
  return scale(b.K, phi - b.rest);
}
template <bool isotropic = false, class T>
[[gnu::always_inline]] inline T bend_energy(const Bend<T>& b, const Vec3<T>& phi) {
  return T(0.5) * dot(phi - b.rest, bend_moment<isotropic>(b, phi));
}

// of length at most pi
template <class T>
[[gnu::always_inline]] inline Vec3<T> turn_angle(const Quat<T>& turn) {
  const Vec3<T> v{flip_where_negative(turn.x, turn.w), flip_where_negative(turn.y, turn.w),
                  flip_where_negative(turn.z, turn.w)};
  return log_factor(flip_where_negative(turn.w, turn.w), dot(v, v)) * v;
}
template <class T>
[[gnu::noinline]] inline T cheapest_share(const Bend<T>& b, const Vec3<T>& phi) {
  return rod::cheapest_share(phi, b.rest, b.K);
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> bend_angle(const Bend<T>& b, const Quat<T>& q_a, const Quat<T>& q_b) {
  const Quat<T> turn = conjugate(q_a) * q_b;
  const T w = flip_where_negative(turn.w, turn.w);
  const Vec3<T> v{flip_where_negative(turn.x, turn.w), flip_where_negative(turn.y, turn.w),
                  flip_where_negative(turn.z, turn.w)};
  T factor = log_factor(w, dot(v, v));
  if (any(w < b.ridge)) [[unlikely]]
    factor *= cheapest_share(b, factor * v);
  return factor * v;
}

// Derivatives by (theta_a, theta_b), all in the world's frame. With m = K (phi - rest), a = |phi| and
//   J = (1 - c a²) 1 - [phi]/2 + c phi phiᵀ   of   d phi = J (theta_b - theta_a):
//   gradient   b: t = Jᵀ m,   a: -t
//   bb, aa     S = Jᵀ K J + sym(d(Jᵀm)/dphi J)
//   ab         -S + [t]/2, since exp(-theta_a) exp(theta_b) = exp(theta_b - theta_a - theta_a x theta_b / 2 + …)
// K = K1 1 + (K2 - K1) d2 d2ᵀ + (K3 - K1) d3 d3ᵀ and JᵀJ = 1 + f (phi phiᵀ - a² 1), f = 2c - 1/4 - c² a², leave nothing
// but outer products of vectors; and so does the second half of S, which is
//   sym(g phiᵀ) + phi·m (c - c² a² - 1/4) 1,
//   g = (1/4 - c - (2c' + c²) a²) m + c phi x m + 2 (c' + c²) (phi·m) phi,   c' = dc/da².
// `hessian_share` = 0 leaves out what may be indefinite: this half, and [t].
template <class T>
struct BendDerivatives {
  Vec3<T> moment;  // t
  Sym3<T> S;
  Vec3<T> half_moment;  // hessian_share t / 2
};
// R of q_a
template <bool isotropic = false, class T>
[[gnu::always_inline]] inline BendDerivatives<T> derivatives(const Bend<T>& b, const Mat3<T>& R, const Vec3<T>& angle,
                                                             T hessian_share) {
  const Vec3<T> phi = R * angle, m = R * bend_moment<isotropic>(b, angle), turning = cross(phi, m);
  const T a2 = dot(phi, phi), phi_m = dot(phi, m);
  const auto [c, slope] = jacobian_factor(a2);
  const T c2 = c * c, straight = T(1) - c * a2, f = T(2) * c - T(0.25) - c2 * a2;
  const Vec3<T> g = (T(0.25) - c - (T(2) * slope + c2) * a2) * m + c * turning + (T(2) * (slope + c2) * phi_m) * phi;
  const T round = b.K.x * (T(1) - f * a2) + hessian_share * phi_m * (c * straight - T(0.25));
  BendDerivatives<T> out;
  out.moment = straight * m + T(0.5) * turning + (c * phi_m) * phi;
  out.S = symmetric_outer(hessian_share * g + (f * b.K.x) * phi, phi);
  out.S += round;
  if constexpr (!isotropic) {  // Jᵀ d2 and Jᵀ d3
    const Vec3<T> half = T(0.5) * angle;
    const Vec3<T> y = R * ((c * angle.y) * angle + Vec3<T>{-half.z, straight, half.x});
    const Vec3<T> z = R * ((c * angle.z) * angle + Vec3<T>{half.y, -half.x, straight});
    out.S += square(b.K.y - b.K.x, y) + square(b.K.z - b.K.x, z);
  }
  out.half_moment = (T(0.5) * hessian_share) * out.moment;
  return out;
}
// Where EI1 = EI2 = GJ = K and the rest is straight nothing needs a frame: phi = log(q_b q̄_a) is in the world's, its
// moment K phi along it, and
//   S = K ((1 - s a²) 1 + s phi phiᵀ),   s = f + hessian_share (c - f)
template <class T>
[[gnu::always_inline]] inline Vec3<T> straight_bend_angle(const Quat<T>& q_a, const Quat<T>& q_b) {
  return turn_angle(q_b * conjugate(q_a));
}
template <bool all, class T>  // `all` promises hessian_share = 1
[[gnu::always_inline]] inline BendDerivatives<T> straight_derivatives(T K, const Vec3<T>& phi, T hessian_share) {
  const T a2 = dot(phi, phi), c = jacobian_factor(a2).c;
  T s = c;
  if constexpr (!all) {
    const T f = T(2) * c - T(0.25) - c * c * a2;
    s = f + hessian_share * (c - f);
  }
  BendDerivatives<T> out;
  out.moment = K * phi;
  out.S = square(K * s, phi);
  out.S += K - K * s * a2;
  out.half_moment = (all ? T(0.5) : T(0.5) * hessian_share) * out.moment;
  return out;
}
template <class T>
[[gnu::always_inline]] inline BendDerivatives<T> derivatives(const Bend<T>& b, const Quat<T>& q_a, const Vec3<T>& angle,
                                                             T hessian_share) {
  return derivatives(b, rotation_matrix(q_a), angle, hessian_share);
}

// the spin inertia of a segment or a body: 2/h² |Im(q̄_y q)|²_J, where q_y is where it would turn to without moments
template <class T>
struct Spin {
  Vec3<T> weight;  // J / h² [N m]
  Quat<T> goal;    // q_y
};
template <class T>
[[gnu::always_inline]] inline Vec3<T> half_turn(const Spin<T>& s, const Quat<T>& q) {
  const Quat<T> p = conjugate(s.goal) * q;
  return {flip_where_negative(p.x, p.w), flip_where_negative(p.y, p.w), flip_where_negative(p.z, p.w)};
}
template <class T>
inline T spin_energy(const Spin<T>& s, const Vec3<T>& v) {
  return T(2) * dot(v, scale(s.weight, v));
}
// In the world's frame, with w = |Re(q̄_y q)|: dv = J theta / 2, J = w 1 - [v], JᵀJ = 1 - v vᵀ. The second derivatives
// are without those of v, but along v, where half a turn away nothing would be left, as large as at the goal.
template <class T>
struct SpinDerivatives {
  Vec3<T> torque;
  Sym3<T> theta_theta;
};
template <class T>
[[gnu::always_inline]] inline SpinDerivatives<T> derivatives(const Spin<T>& s, const Vec3<T>& half_turn) {
  using std::sqrt;
  const T w = sqrt(max(T(1) - dot(half_turn, half_turn), T(0)));
  const Mat3<T> R = rotation_matrix(s.goal);
  const Vec3<T> v = R * half_turn, weighed = R * (T(2) * scale(s.weight, half_turn));
  const auto by_turn = [&](const Vec3<T>& d) { return w * d + cross(v, d); };
  const Vec3<T> y = by_turn(R.c1), z = by_turn(R.c2);
  const T least = s.weight.x, most = max(s.weight.x, max(s.weight.y, s.weight.z));
  SpinDerivatives<T> out;
  out.torque = by_turn(weighed);
  out.theta_theta = square(most - least, v) + square(s.weight.y - least, y) + square(s.weight.z - least, z);
  out.theta_theta += least;
  return out;
}

// The same from where it is, not from where it would turn to. (w, v) = ± q q̄_y in the world's frame, w >= 0, has the
// same v along the directors d of both, and they turn towards each other: w d_y + v x d_y = w d - v x d.
template <class T>
struct SpinTurn {
  T w;
  Vec3<T> v;
};
template <class T>
[[gnu::always_inline]] inline SpinTurn<T> spin_turn(const Quat<T>& p) {  // q q̄_y
  return {flip_where_negative(p.w, p.w),
          {flip_where_negative(p.x, p.w), flip_where_negative(p.y, p.w), flip_where_negative(p.z, p.w)}};
}
template <class T>
[[gnu::always_inline]] inline SpinTurn<T> spin_turn(const Quat<T>& goal, const Quat<T>& q) {
  return spin_turn(q * conjugate(goal));
}
template <class T>
struct SpinTerms {
  Vec3<T> torque;
  Sym3<T> theta_theta;
  T energy;
};
// R of q; `round` promises equal weights about d1 and d2
template <bool round = false, class T>
[[gnu::always_inline]] inline SpinTerms<T> spin_terms(const Vec3<T>& weight, const Mat3<T>& R, const SpinTurn<T>& p) {
  const auto by_turn = [&](const Vec3<T>& d) { return p.w * d - cross(p.v, d); };
  const T least = weight.x, more_z = weight.z - least, along_z = dot(p.v, R.c2);
  const Vec3<T> z = by_turn(R.c2);
  const T most = round ? max(weight.x, weight.z) : max(weight.x, max(weight.y, weight.z));
  SpinTerms<T> out;
  out.torque = (least * p.w) * p.v + (more_z * along_z) * z;
  out.theta_theta = square(most - least, p.v) + square(more_z, z);
  out.theta_theta += least;
  out.energy = least * dot(p.v, p.v) + more_z * along_z * along_z;
  if constexpr (!round) {
    const T more_y = weight.y - least, along_y = dot(p.v, R.c1);
    const Vec3<T> y = by_turn(R.c1);
    out.torque += (more_y * along_y) * y;
    out.theta_theta += square(more_y, y);
    out.energy += more_y * along_y * along_y;
  }
  out.torque = T(2) * out.torque, out.energy = T(2) * out.energy;
  return out;
}
// of these theta_theta is all that is left where it would turn to by itself: its inertia
template <bool round = false, class T>
[[gnu::always_inline]] inline Sym3<T> spin_terms_at_goal(const Vec3<T>& weight, const Mat3<T>& R) {
  Sym3<T> out = square(weight.z - weight.x, R.c2);
  if constexpr (!round) out += square(weight.y - weight.x, R.c1);
  out += weight.x;
  return out;
}

}  // namespace tendril::solvers::newton
