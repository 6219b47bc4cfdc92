#pragma once

#include <algorithm>

#include "math/vec3.h"

namespace tendril::contact {

// Coulomb's law by a spring that remembers where it stuck: `length` is how far the points that touch have slipped
// over one another since then, along the surface. The spring holds them until its force would exceed mu N; then they
// slide, the force has that size and the anchor follows. What sticks does not creep, since the anchor stays. Surfaces
// that are hardly pressed have a softer spring, which gives by `slack` before it slides: stiff ones would stick and
// slip within less than an atom's size, which no solver could follow.
struct FrictionSpring {
  double stiffness = 0;  // of the spring where surfaces are pressed hard [N/m]
  double friction = 0;   // mu [-]
  double slack = 0;      // [m]

  // how far the spring gives before it slides [m]
  double slip_length(double normal_force) const { return std::max(friction * normal_force / stiffness, slack); }
  // the secant stiffness k~ of Eq. 32 [hsu2025]: the force is -k~ slip
  double secant(double length, double normal_force) const {
    if (normal_force == 0) return 0;
    return friction * normal_force / std::max(length, slip_length(normal_force));
  }
  // the part of the slip that the spring can hold; the rest has slid
  double held_share(double length, double normal_force) const {
    if (normal_force == 0) return 0;
    const double held = slip_length(normal_force);
    return held / std::max(length, held);
  }
  // whose slope is the force, whether it holds or slides [J]
  double energy(double length, double normal_force) const {
    const double most = friction * normal_force, held = slip_length(normal_force);
    return length < held ? 0.5 * most / held * length * length : most * (length - 0.5 * held);
  }
};

// of a pair: both set, the geometric mean; one set, that one; none, 0. Negative is unset.
inline double friction_of_pair(double a, double b) {
  if (a >= 0 && b >= 0) return std::sqrt(a * b);
  return std::max({a, b, 0.0});
}

// the part of a vector along the surface with this normal
inline Vec3d tangential(const Vec3d& v, const Vec3d& normal) { return v - dot(v, normal) * normal; }

}  // namespace tendril::contact
