#pragma once

#include <cstring>

#include "math/pack.h"
#include "math/quat.h"

namespace tendril::newton {

// one number, vector or quaternion of each lane: of(0), of(1), … side by side
using Lanes = Pack<double>;
static_assert(Lanes::lanes == 4);

template <class Number>
[[gnu::always_inline]] inline Lanes numbers(Number of) {
  return Lanes(Lanes::Vector{of(0), of(1), of(2), of(3)});
}
using Two [[gnu::vector_size(16)]] = double;
// how they lie in memory: two numbers, or four
[[gnu::always_inline]] inline Two first_two(const Vec3d& a) {
  Two two;
  std::memcpy(&two, &a.x, sizeof two);
  return two;
}
[[gnu::always_inline]] inline detail::Double4 all_four(const Quatd& q) {
  detail::Double4 four;
  std::memcpy(&four, &q.w, sizeof four);
  return four;
}

template <class Vector>
[[gnu::always_inline]] inline Vec3<Lanes> vectors(Vector of) {
  const Vec3d &a = of(0), &b = of(1), &c = of(2), &d = of(3);
  const detail::Double4 ac = __builtin_shufflevector(first_two(a), first_two(c), 0, 1, 2, 3);
  const detail::Double4 bd = __builtin_shufflevector(first_two(b), first_two(d), 0, 1, 2, 3);
  return {Lanes(__builtin_shufflevector(ac, bd, 0, 4, 2, 6)), Lanes(__builtin_shufflevector(ac, bd, 1, 5, 3, 7)),
          Lanes(Lanes::Vector{a.z, b.z, c.z, d.z})};
}
template <class Quaternion>
[[gnu::always_inline]] inline Quat<Lanes> quaternions(Quaternion of) {
  detail::Double4 w = all_four(of(0)), x = all_four(of(1)), y = all_four(of(2)), z = all_four(of(3));
  detail::transpose(w, x, y, z);
  return {Lanes(w), Lanes(x), Lanes(y), Lanes(z)};
}

// and back: of(0), of(1), … become those of the lanes
template <class Vector>
[[gnu::always_inline]] inline void scatter(const Vec3<Lanes>& v, Vector of) {
  for (int lane = 0; lane < Lanes::lanes; ++lane) of(lane) = Vec3d{v.x[lane], v.y[lane], v.z[lane]};
}
template <class Quaternion>
[[gnu::always_inline]] inline void scatter(const Quat<Lanes>& q, Quaternion of) {
  detail::Double4 four[4] = {q.w.v, q.x.v, q.y.v, q.z.v};
  detail::transpose(four[0], four[1], four[2], four[3]);
  for (int lane = 0; lane < Lanes::lanes; ++lane) std::memcpy(&of(lane).w, &four[lane], sizeof four[lane]);
}

}  // namespace tendril::newton
