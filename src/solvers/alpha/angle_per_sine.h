#pragma once

#include <cmath>

#include "layers.h"

namespace tendril::solvers::alpha {

// G(u) = a / sin(a) over u = 1 - cos(a), so that the rotation vector of a turn about the unit vector n is G sin(a) n
//   (1 - c²) G' = 1 - c G,  (1 - c²) G'' = G - 3 c G',  (1 - c²) G''' = 4 G' - 5 c G'',  c = 1 - u
// in powers of u: G = Σ g_n u^n,  g_0 = 1,  g_n = g_{n-1} n / (2 n + 1)
struct AnglePerSine {
  double value, slope, second, third;
};

constexpr double series_reaches = 0.3;  // where its terms fall sevenfold

inline AnglePerSine angle_per_sine(double u) {
  AnglePerSine g{};
  if (u < series_reaches) {
    double factor = 1, power = 1;  // g_n, u^(n-1)
    g.value = 1;
    for (int n = 1; factor * power > 1e-17 && n < 30; ++n) {
      factor *= n / (2. * n + 1);
      g.slope += n * factor * power;
      g.value += factor * (power *= u);
    }
    return g;
  }
  const double c = 1 - u, sine2 = u * (2 - u);
  g.value = std::acos(c) / std::sqrt(sine2);
  g.slope = (1 - c * g.value) / sine2;
  g.second = (g.value - 3 * c * g.slope) / sine2;
  g.third = (4 * g.slope - 5 * c * g.second) / sine2;
  return g;
}

// (G(u) - G(v)) / (u - v), G'(u) where they are the same, and its derivatives by both
struct DividedDifference {
  double value = 0, by_u = 0, by_v = 0;
};

inline DividedDifference divided_difference(double u, double v) {
  DividedDifference d;
  if (u < series_reaches && v < series_reaches) {
    // of u^n: h_1 = 1, h_{n+1} = u h_n + v^n
    double factor = 1, h = 1, h_by_u = 0, h_by_v = 0, power = 1;  // g_n, h_n and its derivatives, v^(n-1)
    for (int n = 1; n < 30; ++n) {
      factor *= n / (2. * n + 1);
      d.value += factor * h, d.by_u += factor * h_by_u, d.by_v += factor * h_by_v;
      if (factor * (h + h_by_u + h_by_v) < 1e-17 && n > 2) break;
      h_by_u = h + u * h_by_u, h_by_v = n * power + u * h_by_v;
      power *= v, h = u * h + power;
    }
    return d;
  }
  constexpr double near = 1e-3;
  if (const double apart = u - v; std::abs(apart) > near) {
    const AnglePerSine at_u = angle_per_sine(u), at_v = angle_per_sine(v);
    d.value = (at_u.value - at_v.value) / apart;
    d.by_u = (at_u.slope - d.value) / apart, d.by_v = (d.value - at_v.slope) / apart;
    return d;
  }
  const double half = 0.5 * (u - v);  // in powers of it about the middle
  const AnglePerSine middle = angle_per_sine(0.5 * (u + v));
  d.value = middle.slope + half * half / 6 * middle.third;
  d.by_u = 0.5 * middle.second + half / 6 * middle.third;
  d.by_v = 0.5 * middle.second - half / 6 * middle.third;
  return d;
}

}  // namespace tendril::solvers::alpha
