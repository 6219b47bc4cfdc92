#pragma once

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
template <class Vector>
[[gnu::always_inline]] inline Vec3<Lanes> vectors(Vector of) {
  const Vec3d &a = of(0), &b = of(1), &c = of(2), &d = of(3);
  return {Lanes(Lanes::Vector{a.x, b.x, c.x, d.x}), Lanes(Lanes::Vector{a.y, b.y, c.y, d.y}),
          Lanes(Lanes::Vector{a.z, b.z, c.z, d.z})};
}
template <class Quaternion>
[[gnu::always_inline]] inline Quat<Lanes> quaternions(Quaternion of) {
  const Quatd &a = of(0), &b = of(1), &c = of(2), &d = of(3);
  return {Lanes(Lanes::Vector{a.w, b.w, c.w, d.w}), Lanes(Lanes::Vector{a.x, b.x, c.x, d.x}),
          Lanes(Lanes::Vector{a.y, b.y, c.y, d.y}), Lanes(Lanes::Vector{a.z, b.z, c.z, d.z})};
}

}  // namespace tendril::newton
