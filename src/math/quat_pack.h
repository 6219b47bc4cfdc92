#pragma once

#include "math/pack.h"
#include "math/quat.h"

namespace tendril::math {

// Vectors and quaternions of packs, one of each in a lane.

template <class S, int bytes>
inline Vec3<Pack<S, bytes>> select(typename Pack<S, bytes>::Mask where, const Vec3<Pack<S, bytes>>& a,
                                   const Vec3<Pack<S, bytes>>& b) {
  return {select(where, a.x, b.x), select(where, a.y, b.y), select(where, a.z, b.z)};
}
template <class S, int bytes>
inline Quat<Pack<S, bytes>> select(typename Pack<S, bytes>::Mask where, const Quat<Pack<S, bytes>>& a,
                                   const Quat<Pack<S, bytes>>& b) {
  return {select(where, a.w, b.w), select(where, a.x, b.x), select(where, a.y, b.y), select(where, a.z, b.z)};
}
inline Vec3d select(bool where, const Vec3d& a, const Vec3d& b) { return where ? a : b; }

// cos(a/2) and sin(a/2)/a of angles by their squares: the series, to round-off for a < 1/2
template <class P>
struct HalfAngle {
  P c, s;
};
template <class S, int bytes>
inline HalfAngle<Pack<S, bytes>> half_angle(const Pack<S, bytes>& a2) {
  using P = Pack<S, bytes>;
  const P h = S(0.25) * a2;
  const auto less = [&](P rest, double n) { return P(S(1)) - h * S(1 / n) * rest; };
  P c = less(less(less(less(less(P(S(1)), 90), 56), 30), 12), 2);
  P s = S(0.5) * less(less(less(less(less(P(S(1)), 110), 72), 42), 20), 6);
  if (any(a2 > P(S(0.25))))
    for (int lane = 0; lane < P::lanes; ++lane) {
      const double angle = std::sqrt(double(a2[lane]));
      if (!(angle > 0.5)) continue;
      c.v[lane] = S(std::cos(0.5 * angle)), s.v[lane] = S(std::sin(0.5 * angle) / angle);
    }
  return {c, s};
}

// rotation vectors [rad] -> unit quaternions
template <class S, int bytes>
inline Quat<Pack<S, bytes>> quaternion_exp(const Vec3<Pack<S, bytes>>& rotation) {
  const auto [c, s] = half_angle(norm_squared(rotation));
  return {c, s * rotation.x, s * rotation.y, s * rotation.z};
}

}  // namespace tendril::math
