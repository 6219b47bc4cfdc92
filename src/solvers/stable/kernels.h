#pragma once

#include "math/pack.h"
#include "math/quat.h"

namespace tendril::solvers::stable {

// Pure functions of one vertex or one segment; T is double or a pack of lanes.
//
// The energy of a segment with frame q, edge a = x1 - x0, rest length l, and of its bends:
//   l/2 gammaᵀ diag(GA, GA, EA) gamma,   gamma = R(q)ᵀ a / l - p,   p = e3 without internal damping
//   = l GA/2 |a/l - R p|² + l (EA - GA)/2 (a·d3/l - p·e3)²
// Of q, the first term is bilinear in R(q): a·(R p) = -<a q p, q>. So with v = -2 GA a (Eq. 15 [hsu2025]) and the pulls
// b of the bends the local problem is
//   min over |q| = 1 of  -1/2 <v q p, q> - <b, q>

// v q e3, the product of quaternions
template <class T>
Quat<T> stretch_pull(const Vec3<T>& v, const Quat<T>& q) {
  const T w = -(v.x * q.x + v.y * q.y + v.z * q.z);
  const T x = v.x * q.w + v.y * q.z - v.z * q.y;
  const T y = v.y * q.w + v.z * q.x - v.x * q.z;
  const T z = v.z * q.w + v.x * q.y - v.y * q.x;
  return {-z, y, -x, w};
}

// phi of Eq. 4 [hsu2025]: q and -q are one frame, the nearer of the two pulls
template <class T>
Quat<T> nearest_sign(const Quat<T>& pull, const Quat<T>& q) {
  const T s = dot(pull, q);
  return {flip_where_negative(pull.w, s), flip_where_negative(pull.x, s), flip_where_negative(pull.y, s),
          flip_where_negative(pull.z, s)};
}

// the torque [N m, world] of a pull b on the frame q: <b, dq> with dq = dtheta q / 2
template <class T>
Vec3<T> torque_of(const Quat<T>& pull, const Quat<T>& q) {
  return T(0.5) * (pull * conjugate(q)).imaginary();
}

// what a moment [N m, world] adds to b: the pull whose torque it is
template <class T>
Quat<T> pull_of_moment(const Vec3<T>& moment, const Quat<T>& q) {
  return T(2) * (moment * q);
}

// the share y of Eq. 26 [hsu2025], lambda = |v| + y |b|, at which |q(lambda)| = 1. The stretch term's matrix has the
// eigenvalues
// +|v| and -|v|; with the part g of |b|² in the first eigenspace and s = 2 |v| / |b| Eq. 19 [hsu2025] reads
//   g / y² + (1 - g) / (y + s)² = 1
// whose largest root, the global minimum, lies in [sqrt(g), 1]. Newton's method from y = 1, where g = 1 puts it; a lane
// that is done does not follow the others.
template <class T>
T exact_share(T g, T v_norm, T b_norm) {
  const T tiny(1e-30);
  const T rest = max(T(1) - g, T(0));
  const T r = b_norm / (b_norm + T(2) * v_norm + tiny);      // 1 / (1 + s)
  const T one_step = T(1) - T(0.5) * rest * (T(1) - r * r);  // the error is of the order of rest²
  auto open = rest > T(1e-5);
  if (!any(open)) return one_step;
  const T s = T(2) * v_norm / (b_norm + tiny);
  T y = select(open, T(1), one_step);
  for (int step = 0; step < 30; ++step) {
    const T r = T(1) / (y + s), z = y * r;
    const T slope = T(2) * y * max(T(1) - rest * s * r * r * r, T(1e-2));
    const T change = (y * y - g - rest * z * z) / slope;
    y = select(open, max(min(y - change, T(1)), T(1e-6)), y);
    open = select(open, change * change, T(0)) > T(1e-13) * y * y;  // the next change would be its square
    if (!any(open)) break;
  }
  return y;
}

enum class Lambda {
  exact,        // the root of Eq. 19 [hsu2025]
  approximate,  // Eq. 22, |v| + |b|
  stored        // Algorithm 1: one fixed-point step per sweep, from the share y that the segment keeps
};

// the share y after one step of Algorithm 1 [hsu2025]: lambda_fp² = |v b e3 + lambda b| + |v|² (Eq. 25). Eq. 27,
// (lambda_fp - |v|) / |b|, is written as (lambda_fp² - |v|²) / (lambda_fp + |v|) / |b|, which keeps its digits where
// |b| is small beside |v|.
template <class T>
T stored_share(T y, const Quat<T>& vbe3, const Quat<T>& b, T v_norm, T b_norm) {
  using std::sqrt;
  const T lambda = v_norm + max(min(y, T(1)), T(1e-3)) * b_norm;
  const T excess = norm(vbe3 + lambda * b);
  return excess / ((sqrt(excess + v_norm * v_norm) + v_norm) * b_norm + T(1e-30));
}

// Eq. 18 [hsu2025], q ∝ v b e3 + lambda b: the frame of least energy for p = e3, given lambda's rule; y is the share
// that is stored, if it is
template <Lambda rule, class T>
Quat<T> closed_form(const Vec3<T>& v, const Quat<T>& b, T& y) {
  const T v_norm = norm(v), b_norm = norm(b);
  const Quat<T> vbe3 = stretch_pull(v, b);
  if constexpr (rule == Lambda::stored) y = stored_share(y, vbe3, b, v_norm, b_norm);
  if constexpr (rule == Lambda::exact) {
    const T cosine = dot(b, vbe3) / (v_norm * b_norm * b_norm + T(1e-30));
    y = exact_share(T(0.5) + T(0.5) * cosine, v_norm, b_norm);
  }
  return normalized(vbe3 + (v_norm + y * b_norm) * b);
}
template <Lambda rule, class T>
Quat<T> closed_form(const Vec3<T>& v, const Quat<T>& b) {
  T y(1);
  return closed_form<rule>(v, b, y);
}

// l R(q) p: the edge that the stretch term wants
template <class T>
Vec3<T> wanted_edge(const Quat<T>& q, const Vec3<T>& p, T l) {
  return l * rotate(q, p);
}

// (GA/l) delta + ((EA - GA)/l) d3 (d3·delta): the force of a segment whose edge is delta longer than it wants [N]
template <class T>
Vec3<T> stretch_force(const Vec3<T>& delta, const Vec3<T>& d3, T shear, T excess) {
  return shear * delta + (excess * dot(d3, delta)) * d3;
}

// the stretch term's own vector p, corrected for EA ≠ GA: (a·d3/l - p3)²/2 is linearised at the current frame, which
// adds to GA p the multiple -(EA - GA)(a·d3/l - p3) of e3
template <class T>
Vec3<T> stretch_direction(const Vec3<T>& p, T GA, T excess, T axial_strain) {
  return {GA * p.x, GA * p.y, GA * p.z - excess * axial_strain};
}

// The linearisation drops the curvature 4 l (EA - GA) |e x d3|² of that term. A pull of this size towards the current
// frame puts it back: it vanishes with the change, so the solution is untouched. When the strain is so large that the
// corrected direction turns round, the largest possible curvature keeps the frame from jumping.
template <class T>
T stretch_proximity(const Vec3<T>& e, const Vec3<T>& d3, T excess, T direction_z, T l) {
  const T curvature = select(direction_z < T(0), dot(e, e), norm_squared(cross(e, d3)));
  return T(4) * l * max(excess, T(0)) * curvature;
}

}  // namespace tendril::solvers::stable
