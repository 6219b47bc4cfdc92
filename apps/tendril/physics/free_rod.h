#pragma once

#include "physics/rod_scene.h"

namespace tendril::app::physics {

// a free rod of 1 m, bent and twisted at the start, that flies and turns
RodScene free_rod(double time_step);

// the scene's velocities, and random ones of each vertex upon them
State thrown(const BakedScene& baked);

// A free rod of 1 m that starts straight, and random waves of it that the time step can follow: across and along, its
// sections turning with it, and of twist. Only across where a rod cannot stretch.
RodScene straight_free_rod(double time_step);
State thrown_in_waves(const BakedScene& baked, bool stretches = true);

}  // namespace tendril::app::physics
