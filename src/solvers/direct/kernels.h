#pragma once

#include "solvers/newton/kernels.h"

// The joint of a rigid segment as a spring at the end of its arm. T is double or a SIMD pack.

namespace tendril::solvers::direct {

using namespace newton;
using newton::Bend;

// The zero-stretch rows of a segment, x1 - x0 - l d3 with compliance R diag(l/GA, l/GA, l/EA) Rᵀ. The second
// derivatives of newton/kernels.h,
//   x1 x1      A / l
//   x1 theta   A [e] - [n]
//   theta²     l ([e]ᵀ A [e] + sym(n eᵀ) - n·e 1)
// are those of a spring A/l at the end of an arm l a that turns with the frame, a = e - n/GA,
//   x1 theta   A [a],   theta²   l [a]ᵀ A [a],
// of the force n at its end, l (n·a 1 - sym(n aᵀ)), and of shear, with w = d3 x n / GA,
//   x1 theta   (EA - GA) d3 wᵀ,   theta²   -l (EA - GA) (2 sym((e x d3) wᵀ) + w wᵀ).
// Without strain a = d3: the segment is rigid. `predicted` and `hessian_share` are as there.
template <class T>
struct ArmDerivatives {
  Vec3<T> force, torque;
  Sym3<T> stiffness;    // A / l
  Vec3<T> arm;          // l a
  Sym3<T> theta_theta;  // of the force, and of shear
  Vec3<T> axis, shear;  // d3, (EA - GA) w
};
template <class T>
[[gnu::always_inline]] inline ArmDerivatives<T> arm_derivatives(const Stretch<T>& s, const StretchState<T>& at,
                                                                const Vec3<T>& gamma, const Vec3<T>& predicted,
                                                                T hessian_share) {
  const Mat3<T> R = rotation_matrix(at.q);
  const Vec3<T>& d3 = R.c2;
  const Vec3<T> n_material = stress(s, predicted);
  const Vec3<T> n = R * (hessian_share * n_material), e = at.e + R * (hessian_share * (predicted - gamma));
  const T tension = max(n_material.z, T(0)) * (T(1) - hessian_share);
  ArmDerivatives<T> out;
  out.force = R * stress(s, gamma);
  out.torque = s.length * cross(out.force, at.e);
  out.stiffness = square((s.EA - s.GA) / s.length, d3);
  out.stiffness += s.GA / s.length;
  out.arm = s.length * (e - (T(1) / s.GA) * n);
  out.theta_theta = symmetric_outer(-n, out.arm) + square(-s.length * tension, d3);
  out.theta_theta += dot(n, out.arm) + s.length * tension;
  const Vec3<T> w = (T(1) / s.GA) * cross(d3, n);
  out.axis = d3, out.shear = (s.EA - s.GA) * w;
  out.theta_theta += symmetric_outer(-s.length * out.shear, T(2) * cross(e, d3) + w);
  return out;
}

}  // namespace tendril::solvers::direct
