#pragma once

#include <algorithm>

#include "math/vec3.h"

namespace tendril {

// Coulomb's law by a spring that remembers where it stuck: `drag` is how far the points that touch have been dragged
// over one another since then, along the surface. The force -k drag holds them until it would exceed mu N; then they
// slide, the force has that size and the anchor follows. What sticks does not creep, since the anchor stays.
struct Grip {
  double stiffness = 0;  // of the spring [N/m]
  double friction = 0;   // mu [-]

  // the secant stiffness k~ of Eq. 32 [hsu2025]: the force is -k~ drag
  double secant(double drag_length, double normal_force) const {
    const double most = friction * normal_force;
    return stiffness * drag_length <= most ? stiffness : most / drag_length;
  }
  // the part of the drag that the spring can hold; the rest has slid
  double held_share(double drag_length, double normal_force) const {
    return stiffness > 0 ? secant(drag_length, normal_force) / stiffness : 0;
  }
};

// of a pair: both set, the geometric mean; one set, that one; none, 0. Negative is unset.
inline double friction_of_pair(double a, double b) {
  if (a >= 0 && b >= 0) return std::sqrt(a * b);
  return std::max({a, b, 0.0});
}

// the part of a vector along the surface with this normal
inline Vec3d tangential(const Vec3d& v, const Vec3d& normal) { return v - dot(v, normal) * normal; }

}  // namespace tendril
