#pragma once

#include "solvers/newton/kernels.h"

namespace tendril::solvers::projective {

// Rotation vectors of strands side by side, each by itself: where a neighbour takes more terms or halvings the others
// keep their bits, so that a strand moves as it does without neighbours. Plain numbers are those of newton/kernels.h.

inline double log_factor(double w, double sine2) { return newton::log_factor(w, sine2); }

// 2 atan2(|v|, w)/|v| of a unit quaternion, by as many halves of the turn as it takes until the series is exact
template <class S, int bytes>
[[gnu::noinline]] inline Pack<S, bytes> log_factor_of_large(Pack<S, bytes> w, Pack<S, bytes> sine2) {
  using P = Pack<S, bytes>;
  P halves(S(1));
  for (;;) {
    const auto large = (sine2 > P(S(0.01))) | (w < P(S(0)));
    if (!any(large)) return newton::log_series(sine2) / halves;
    const P half_w2 = S(0.5) * max(P(S(1)) + w, P(S(1e-12)));
    w = select(large, sqrt(half_w2), w);
    halves = select(large, halves * w, halves);
    sine2 = select(large, S(0.25) * sine2 / half_w2, sine2);
  }
}
template <class S, int bytes>
[[gnu::always_inline]] inline Pack<S, bytes> log_factor(Pack<S, bytes> w, Pack<S, bytes> sine2) {
  using P = Pack<S, bytes>;
  if (any((sine2 > P(S(0.01))) | (w < P(S(0))))) [[unlikely]]
    return log_factor_of_large(w, sine2);
  return newton::log_series(sine2);
}

// c(a²) = (1 - a/2 cot(a/2))/a² of the rotation vector's Jacobian 1 - [a]/2 + c [a]²
inline double jacobian_c(double a2) { return newton::jacobian_factor(a2).c; }
template <class S, int bytes>
[[gnu::noinline]] inline Pack<S, bytes> jacobian_c_of_large(Pack<S, bytes> a2, Pack<S, bytes> small) {
  using P = Pack<S, bytes>;
  P c = select(a2 > P(S(0.05)), newton::jacobian_series(a2).c, small);
  for (int lane = 0; lane < P::lanes; ++lane)
    if (a2[lane] > 1) c.v[lane] = jacobian_c(a2[lane]);
  return c;
}
template <class S, int bytes>
[[gnu::always_inline]] inline Pack<S, bytes> jacobian_c(Pack<S, bytes> a2) {
  const Pack<S, bytes> small = newton::jacobian_series<6>(a2).c;
  if (any(a2 > Pack<S, bytes>(S(0.05)))) [[unlikely]]
    return jacobian_c_of_large(a2, small);
  return small;
}

// log(ū_a u_b), with as many whole turns as are cheapest (newton/kernels.h)
template <class T>
[[gnu::always_inline]] inline Vec3<T> turn_between(const newton::Bend<T>& bend, const Quat<T>& a, const Quat<T>& b) {
  const Quat<T> turn = conjugate(a) * b;
  const T w = flip_where_negative(turn.w, turn.w);
  const Vec3<T> v{flip_where_negative(turn.x, turn.w), flip_where_negative(turn.y, turn.w),
                  flip_where_negative(turn.z, turn.w)};
  T factor = log_factor(w, dot(v, v));
  const auto may_go_round = w < bend.ridge;
  if (any(may_go_round)) [[unlikely]]
    factor = select(may_go_round, factor * newton::cheapest_share(bend, factor * v), factor);
  return factor * v;
}

}  // namespace tendril::solvers::projective
