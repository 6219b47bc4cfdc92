#pragma once

#include "layers.h"

namespace tendril::contact {

struct ContactOptions {
  bool enabled = true;
  double distance = 0;  // the barrier's reach [m]; 0: a tenth of the smaller radius of a pair
  bool rods = true;     // false: rods collide with obstacles and bodies, not with rods or themselves
};

}  // namespace tendril::contact
