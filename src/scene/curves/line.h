#pragma once

#include "scene/curve.h"

namespace tendril::scene {

// a straight line
struct LineOptions {
  Vec3d from, to;  // [m]
};

Curve line_curve(const LineOptions& options, int segments);

Key::Variant line_keys();
LineOptions read_line(const Table& table);

}  // namespace tendril::scene
