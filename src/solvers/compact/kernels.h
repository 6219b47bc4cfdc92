#pragma once

#include <algorithm>

#include "solvers/newton/kernels.h"

// Energy terms of a chain, and their second derivatives by increments theta of frames, q <- exp(theta) q.

namespace tendril::solvers::compact {

using namespace newton;
using newton::Bend;

// The term that the paper drops, dJ/ds : dE/dx. All that hangs on a segment moves with its arm b = x1 - x0, whose
// second order is theta x (theta x b) / 2; with f the sum of the gradients by the positions of what hangs on it
//   theta²   sym(f bᵀ) - f·b 1                    [N m]
// Tension, f·b < 0, stiffens. `exact` = 0 leaves only that: max(-f·b, 0) (1 - b bᵀ / b²), semi-definite.
inline Sym3<double> arm_stiffness(const Vec3d& b, const Vec3d& f, double exact) {
  const double along = dot(f, b), tension = (1 - exact) * std::max(-along, 0.0);
  Sym3<double> out = exact * symmetric_outer(f, b);
  out += square(-tension / norm_squared(b), b);
  out += tension - exact * along;
  return out;
}

// The inertia of a frame, 2 |v|²_W with (w, v) = ± q q̄_y in the world's frame, w >= 0 (newton/kernels.h). From
// v(theta) = v + (w theta + theta x v) / 2 - theta² v / 8:
//   theta²   (w 1 + [v]) W (w 1 - [v]) - vᵀWv 1,   W in the world's frame
// and its second part is left out with `exact` = 0.
struct SpinBlock {
  Vec3d torque;  // gradient [N m]
  Sym3<double> theta;
  double energy = 0;  // [J]
};
inline SpinBlock spin_block(const Spin<double>& spin, const Quatd& q, double exact) {
  const SpinTurn<double> turn = spin_turn(spin.goal, q);
  const Mat3d R = rotation_matrix(q);
  SpinBlock out;
  for (int k = 0; k < 3; ++k) {
    const Vec3d d = k == 0 ? R.c0 : k == 1 ? R.c1 : R.c2;  // v has the same components along the goal's directors
    const double weight = spin.weight[k], along = dot(turn.v, d);
    const Vec3d by_turn = turn.w * d - cross(turn.v, d);  // twice the derivative of that component
    out.torque += (2 * weight * along) * by_turn;
    out.theta += square(weight, by_turn);
    out.energy += 2 * weight * along * along;
  }
  out.theta += -0.5 * exact * out.energy;
  return out;
}

// The published strain, Eq. 29 [zhao2022]: B_k (q_a + q_b) · (q_b - q_a) = 2 Im(q̄_a q_b)_k, so that the angle is 2 v of
// (w, v) = q̄_a q_b. With m = K (2 v - rest), in the frame of a:
//   gradient   b: w m + v x m,   a: the opposite
//   bb, aa     S = (w 1 + [v]) K (w 1 - [v]) - v·m / 2 1
//   ab         -S + [gradient] / 2, as of every function of q̄_a q_b
inline BendDerivatives<double> quaternion_bend(const Bend<double>& b, const Quatd& q_a, const Quatd& q_b, double exact,
                                               double& energy) {
  Quatd p = conjugate(q_a) * q_b;
  if (p.w < 0) p = -p;
  const Mat3d R = rotation_matrix(q_a);
  const Vec3d v = p.imaginary(), left = 2.0 * v - b.rest, m = scale(b.K, left), world_v = R * v;
  energy = 0.5 * dot(left, m);
  BendDerivatives<double> out;
  out.moment = R * (p.w * m + cross(v, m));
  const auto by_turn = [&](const Vec3d& d) { return p.w * d + cross(world_v, d); };
  out.S = square(b.K.x, by_turn(R.c0)) + square(b.K.y, by_turn(R.c1)) + square(b.K.z, by_turn(R.c2));
  out.S += -0.5 * exact * dot(v, m);
  out.half_moment = (0.5 * exact) * out.moment;
  return out;
}

}  // namespace tendril::solvers::compact
