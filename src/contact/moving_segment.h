#pragma once

#include "math/vec3.h"

namespace tendril::contact {

// a segment whose two ends go straight, at constant speed, from where they were to where they will be
struct MovingSegment {
  Vec3d x0[2], x1[2];  // at fraction 0 and 1 of the motion [m]

  Vec3d at(int k, double t) const { return t == 1 ? x1[k] : x0[k] + t * (x1[k] - x0[k]); }
};

}  // namespace tendril::contact
