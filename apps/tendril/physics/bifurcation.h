#pragma once

#include <cstdint>
#include <functional>

#include "sim/simulation.h"

namespace tendril::app::physics {

// every vertex that nothing holds moved by a function of its fraction of the rod; the frames turn with their segments
State displaced(const Model& model, State state, const std::function<Vec3d(double fraction)>& by);

// a smooth random function in space of size 1 that is zero at 0 and 1
std::function<Vec3d(double fraction)> smooth_noise(std::uint64_t seed);

// Whether a small disturbance grows within so many steps. `size` measures it. It does when it becomes ten times what
// it was, or half as large again in the last quarter of the time as in the second: a stable one only swings and fades.
bool grows(Simulation& rod, int steps, const std::function<double(const State&)>& size);

struct Range {
  double low = 0, high = 0;
};

// between a value at which it is stable and one at which it is not, by bisection to this part of it; not a number when
// they are not
double critical_value(const Range& range, const std::function<bool(double)>& is_unstable, double precision = 1e-4);

}  // namespace tendril::app::physics
