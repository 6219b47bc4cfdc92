#pragma once

#include <cmath>

#include "layers.h"

namespace tendril::contact {

// A wall around a surface that grows without bound as the gap closes:
//   E = k d² (1 - x)² / 2x,   x = gap / d < 1;   0 beyond the reach d
// Its second derivative k / x³ is k at x = 1, so that a light contact acts as a spring of stiffness k. With a second
// derivative of zero there, Newton's method would alternate between touching and not touching.
struct Barrier {
  double reach = 0;      // d [m]
  double stiffness = 0;  // k [N/m]

  struct Value {
    double energy = 0;     // [J]
    double slope = 0;      // dE/dgap, minus the force that pushes apart [N]
    double curvature = 0;  // d²E/dgap², never negative [N/m]
  };
  // where it pushes with a force, at most the reach [m], and its second derivative there [N/m]
  double gap_of(double force) const { return reach / std::sqrt(1 + 2 * force / (stiffness * reach)); }
  double curvature_of(double force) const { return stiffness * std::pow(1 + 2 * force / (stiffness * reach), 1.5); }
  Value at(double gap) const {
    const double x = gap / reach, per_x = 1 / x;
    if (!(x < 1)) return {};
    return {0.5 * stiffness * reach * reach * (1 - x) * (1 - x) * per_x, -0.5 * stiffness * reach * (per_x * per_x - 1),
            stiffness * per_x * per_x * per_x};
  }
};

}  // namespace tendril::contact
