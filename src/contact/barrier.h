#pragma once

#include <cmath>

namespace tendril {

// Eq. 30 [hsu2025] on the gap between two surfaces:
//   E = -k (d - 1)² ln d,   d = gap / reach < 1;   0 beyond
// It rises without bound as the gap closes, and its first two derivatives are continuous where it begins.
struct Barrier {
  double reach = 0;      // [m]
  double stiffness = 0;  // k [J]

  struct Value {
    double energy = 0;     // [J]
    double slope = 0;      // dE/dgap, minus the force that pushes apart [N]
    double curvature = 0;  // d²E/dgap², never negative [N/m]
  };
  Value at(double gap) const {
    const double d = gap / reach;
    if (!(d < 1)) return {};
    const double log = std::log(d), c = d - 1, ratio = c / d;
    return {-stiffness * c * c * log, -stiffness / reach * (2 * c * log + c * ratio),
            -stiffness / (reach * reach) * (2 * log + 4 * ratio - ratio * ratio)};
  }
};

// the barrier whose curvature at half its reach is `curvature` [N/m]: there d²E/dgap² = (2 ln 2 + 5) k / reach²
inline Barrier barrier_of_curvature(double reach, double curvature) {
  return {reach, curvature * reach * reach / (2 * std::log(2.0) + 5)};
}

}  // namespace tendril
