#pragma once

#include "rod/state.h"

namespace tendril {

// a body's way through a step: the centre of its solids moves straight and it turns about it at a constant rate
struct BodyPath {
  Vec3d centre;     // of its solids, in its own frame [m]
  double size = 0;  // the largest distance of a solid's point from it [m]
  Vec3d from, way;  // of the centre in the world [m]
  Quatd start;
  Vec3d turn;  // [rad, world]
  bool moves = false;

  void set(const Pose& begin, const Pose& end);
  Pose at(double share) const;

  // how far a point of a solid may leave the straight way between its ends, on a share of the path [m]
  double bulge(double share) const { return share * share * norm_squared(turn) * size / 8; }
};

}  // namespace tendril
