#pragma once

#include <cmath>

#include "rod/state.h"

namespace tendril::contact {

// the angle between two ways to be turned [rad]
inline double angle_between(const Quatd& a, const Quatd& b) {
  const Quatd turn = b * conjugate(a);
  return 2 * std::atan2(norm(turn.imaginary()), std::abs(turn.w));
}

// where a body may be while the list of pairs is complete for it: what a box is to a vertex
struct SearchRange {
  Vec3d centre;  // of its solids, when the pairs were looked for [m]
  Quatd q;
  double reach = 0;  // of any of its points from where it was then, along each axis [m]
};

}  // namespace tendril::contact
