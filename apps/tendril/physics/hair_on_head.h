#pragma once

#include <string>

namespace tendril::app::physics {

// Hair that stands out from the upper half of a head, evenly spread, falls onto it and onto other hair.
struct HairOnHead {
  static constexpr double head = 0.079, root = 0.08;  // radius of the head and of the roots, from its centre [m]
  static constexpr double length = 0.2;               // [m]
  static constexpr int segments = 20;

  int hairs = 0;
  double time_step = 0;  // [s]
  double friction = 0.3;
  double turn_rate = 0;  // of head and roots about the vertical [rad/s]
};

std::string toml(const HairOnHead& scene);

}  // namespace tendril::app::physics
