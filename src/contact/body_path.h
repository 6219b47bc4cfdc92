#pragma once

#include <algorithm>
#include <cmath>

#include "rod/state.h"

namespace tendril::contact {

// a body's way through a step: the centre of its solids moves straight and it turns about it at a constant rate
struct BodyPath {
  Vec3d centre;     // of its solids, in its own frame [m]
  double size = 0;  // the largest distance of a solid's point from it [m]
  Vec3d from, way;  // of the centre in the world [m]
  Quatd start;
  Vec3d turn;            // [rad, world]
  bool moves = false;    // as it is driven
  bool is_free = false;  // it moves as forces make it, and only its start is known

  void set(const Pose& begin, const Pose& end);
  Pose at(double share) const;

  // how far a point of a solid may leave the straight way between its ends, on a share of the path [m]
  double bulge(double share) const { return share * share * norm_squared(turn) * size / 8; }
};

// What has to be clear at the end of a substep, on top of what is kept, so that a bulge B does not use up a clearance L
// at its start: on the way (1 - t) L + t L' - 4 t (1 - t) B > 0, which holds when √L + √L' > 2 √B. [m]
inline double room_to_turn(double bulge, double clearance) {
  const double missing = 2 * std::sqrt(bulge) - std::sqrt(std::max(0.0, clearance));
  return missing > 0 ? missing * missing : 0;
}

}  // namespace tendril::contact
