#pragma once

#include <array>
#include <vector>

#include "scene/curve.h"

namespace tendril::scene {

// a coil about an axis: right-handed when it climbs along it
struct HelixOptions {
  Vec3d center;  // the axis passes here; the coil starts in the plane of it [m]
  Vec3d axis{0, 0, 1};
  std::vector<std::array<double, 2>> radius;  // {fraction of the turns, radius [m]}, linear between; one row: constant
  double pitch = 0;                           // climb per turn [m]; negative: left-handed, against the axis
  double turns = 1;
};

Curve helix_curve(const HelixOptions& options, int segments, const Vec3d* normal = nullptr);

Key::Variant helix_keys();
HelixOptions read_helix(const Table& table);

}  // namespace tendril::scene
