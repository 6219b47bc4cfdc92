#pragma once

#include "scene/curve.h"

namespace tendril::scene {

// the path of the point `from` when it turns about the axis through `center`
struct ArcOptions {
  Vec3d center;         // [m]
  Vec3d from;           // [m]
  Vec3d axis{0, 0, 1};  // turns right-handed about it
  double angle = 0;     // [rad]; negative: the other way round
};

// a closed circle about the axis
struct CircleOptions {
  Vec3d center;         // [m]
  Vec3d axis{0, 0, 1};  // turns right-handed about it
  double radius = 0;    // [m]
};

Curve arc_curve(const ArcOptions& options, int segments);
Curve circle_curve(const CircleOptions& options, int segments, const Vec3d* normal = nullptr);

Key::Variant arc_keys();
Key::Variant circle_keys();
ArcOptions read_arc(const Table& table);
CircleOptions read_circle(const Table& table);

}  // namespace tendril::scene
