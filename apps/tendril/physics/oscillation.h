#pragma once

#include <vector>

namespace tendril::app::physics {

// a displacement sampled every h seconds, as a decaying sine
struct Oscillation {
  int periods = 0;   // whole ones that were seen
  double omega = 0;  // angular frequency, from the first zero crossing to the last [rad/s]
  double decay = 0;  // c of an amplitude e^(-c t), fitted to the peaks between crossings [1/s]
};

// not a number where less than one period was seen
Oscillation oscillation(const std::vector<double>& displacement, double h);

}  // namespace tendril::app::physics
