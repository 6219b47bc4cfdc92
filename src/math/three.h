#pragma once

#include "math/pack.h"
#include "math/vec3.h"

namespace tendril::math {

// three numbers in a register; what the fourth place holds is for its user to say
using Three = detail::Double4;

[[gnu::always_inline]] inline Three three(const Vec3d& a) { return Three{a.x, a.y, a.z, 0}; }
[[gnu::always_inline]] inline Three three(const Vec3d& a, double fourth) { return Three{a.x, a.y, a.z, fourth}; }
[[gnu::always_inline]] inline Vec3d vector(const Three& a) { return {a[0], a[1], a[2]}; }
[[gnu::always_inline]] inline Three all(double a) { return Three{a, a, a, a}; }

// the fourth place zero, or another
[[gnu::always_inline]] inline Three only_three(const Three& a) {
  return __builtin_shufflevector(a, Three{}, 0, 1, 2, 7);
}
[[gnu::always_inline]] inline Three with_fourth(const Three& a, const Three& b) {  // of b
  return __builtin_shufflevector(a, b, 0, 1, 2, 7);
}

[[gnu::always_inline]] inline Three cross(const Three& a, const Three& b) {  // the fourth place zero
  const auto turn = [](const Three& c) __attribute__((always_inline)) {
    return __builtin_shufflevector(c, c, 1, 2, 0, 3);
  };
  return turn(a * turn(b) - turn(a) * b);
}

// a 3x3 matrix by its rows
[[gnu::always_inline]] inline void transpose(const Three (&a)[3], Three (&out)[3]) {
  const Three none{};
  const Three even = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6),
              odd = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
  const Three last_even = __builtin_shufflevector(a[2], none, 0, 4, 2, 6),
              last_odd = __builtin_shufflevector(a[2], none, 1, 5, 3, 7);
  out[0] = __builtin_shufflevector(even, last_even, 0, 1, 4, 5);
  out[1] = __builtin_shufflevector(odd, last_odd, 0, 1, 4, 5);
  out[2] = __builtin_shufflevector(even, last_even, 2, 3, 6, 7);
}

// the sums of three rows
[[gnu::always_inline]] inline Three sums(const Three (&rows)[3]) {
  Three columns[3];
  transpose(rows, columns);
  return columns[0] + columns[1] + columns[2];
}

// [a] times the rows: what crossing with a does to each column
[[gnu::always_inline]] inline void cross_columns(const Three& a, const Three (&rows)[3], Three (&out)[3]) {
  const Three x = all(a[0]), y = all(a[1]), z = all(a[2]);
  const Three o0 = y * rows[2] - z * rows[1], o1 = z * rows[0] - x * rows[2], o2 = x * rows[1] - y * rows[0];
  out[0] = o0, out[1] = o1, out[2] = o2;
}

}  // namespace tendril::math
