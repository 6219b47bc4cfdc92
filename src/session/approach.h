#pragma once

#include "rod/state.h"

namespace tendril::session {

// how fast a hand may move what is driven
struct HandSpeed {
  double way = 0;   // [m/s]
  double turn = 0;  // [rad/s]
};

// Where a body at `from` is a time h later on its way to a target: it goes there in about a tenth of a second, the
// last part of the way ever slower, and never faster than this.
Pose approach(const Pose& from, const Pose& target, double h, const HandSpeed& speed);

// whether the target is no further than that
bool is_within_reach(const Pose& from, const Pose& target, double h, const HandSpeed& speed);

}  // namespace tendril::session
