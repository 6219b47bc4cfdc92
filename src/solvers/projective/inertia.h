#pragma once

#include "math/mat3.h"
#include "math/quat.h"
#include "solvers/newton/kernels.h"

namespace tendril::solvers::projective {

// The momentum of Algorithm 1 as two more constraints: a vertex is drawn to s_x = x + h v + h² f/m with w = m/h², a
// frame to s_u = u exp(h s_omega) with w = 4 J/h². The report prints J diag(0, J1, J2, J3) in the frame of nobody and
// without the 4; the inertia 4 Q(u) diag(0, J) Q(u)ᵀ turns with u. The matrix has its largest part, a multiple of 1;
// the pull is exact.
template <class T>
struct SpinPull {
  Vec3<T> torque;  // dE/dtheta [N m, world]
  T energy;        // 2 |Im(ū_s u)|²_J/h² [J]
};
template <class T>
[[gnu::always_inline]] inline SpinPull<T> pull(const newton::Spin<T>& spin, const Quat<T>& q) {
  const Vec3<T> v = newton::half_turn(spin, q), weighed = T(2) * scale(spin.weight, v);
  const T w = sqrt(max(T(1) - dot(v, v), T(0)));
  return {rotate(spin.goal, w * weighed + cross(v, weighed)), dot(v, weighed)};
}

}  // namespace tendril::solvers::projective
