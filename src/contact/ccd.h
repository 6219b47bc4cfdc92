#pragma once

#include "contact/moving_segment.h"
#include "contact/solid.h"

namespace tendril::contact {

// a fraction of the motion for which the gap of two capsules is sure to stay above `share` (in [0, 1)) of what it is at
// the start: 1 when all of the motion is safe, 0 when they touch at the start, else the largest one, except that a
// hundredth of the gap to give up may be left
double safe_fraction(const MovingSegment& a, const MovingSegment& b, double radius_sum, double share);

// the same for a capsule and a solid, whose body's origin moves straight while the body turns at a constant rate
double safe_fraction(const MovingSegment& a, const Solid& solid, const Pose& from, const Pose& to, double radius,
                     double share);

// where such a body stands after a fraction of its motion; it turns the shorter way
Pose pose_between(const Pose& from, const Pose& to, double fraction);

}  // namespace tendril::contact
