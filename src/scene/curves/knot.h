#pragma once

#include <string>

#include "scene/curve.h"

namespace tendril::scene {

// a loose open knot with straight tails along the axis
struct KnotOptions {
  std::string kind = "overhand";  // or "figure_eight"
  double size = 0;                // of the knotted part, along the axis [m]
  double tail = 0;                // length of each straight tail [m]
  Vec3d center;                   // middle of the knot [m]
  Vec3d axis{1, 0, 0};            // of the tails
};

Curve knot_curve(const KnotOptions& options, int segments, const Vec3d* normal = nullptr);

Key::Variant knot_keys();
KnotOptions read_knot(const Table& table);

}  // namespace tendril::scene
