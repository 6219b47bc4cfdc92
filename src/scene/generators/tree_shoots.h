#pragma once

#include <array>
#include <vector>

#include "math/quat.h"
#include "scene/generators/tree.h"

namespace tendril::scene {

// one shoot of a tree before it is cut into segments
struct Shoot {
  enum Part { trunk, branch, twig, leaf };
  Part part = trunk;
  int level = 0;
  int parent = -1;
  double at = 0;                 // fraction of the parent's length where it grows
  double length = 0;             // [m]
  double angle = 0;              // from the parent's direction [rad]
  double azimuth = 0;            // about it [rad]
  std::array<double, 4> wander;  // amplitudes of its waves, two across each way [rad]
};

// all shoots, parents first
std::vector<Shoot> grow(const TreeOptions& options);

// the direction of a shoot after a fraction f of its length: it wanders in two slow waves and turns toward the sky, or
// to the ground when it hangs; `frame` is that of its start
Vec3d direction_at(const TreeOptions& options, const Shoot& shoot, const Quatd& frame, double f);

// the frame at the start of a shoot whose parent has this direction there
Quatd start_frame(const TreeOptions& options, const Shoot& shoot, const Vec3d& parent_direction);

}  // namespace tendril::scene
