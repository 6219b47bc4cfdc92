#pragma once

#include "scene/curve.h"

namespace tendril::scene {

// a coiled spring in the shape of the Utah teapot, without handle and spout: body, lid and knob
struct TeapotSlinkyOptions {
  Vec3d center;         // of the foot [m]
  Vec3d axis{0, 0, 1};  // from the foot to the knob
  double size = 0.3;    // height [m]
  double turns = 60;    // coils, evenly spaced along the silhouette
  int segments = 2880;  // of equal arc length
};

Curve teapot_slinky_curve(const TeapotSlinkyOptions& options, const Vec3d* normal = nullptr);

Key::Variant teapot_slinky_keys();
TeapotSlinkyOptions read_teapot_slinky(const Table& table, int segments);

}  // namespace tendril::scene
