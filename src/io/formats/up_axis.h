#pragma once

#include "math/vec3.h"

namespace tendril::io {

// the axis that points up in a file: 0 x, 1 y, 2 z. Turned to z up without round-off:
//   y up: z becomes -y, y becomes z;   x up: x becomes z, y becomes x, z becomes y
inline Vec3d turned_to_z_up(int up, const Vec3d& a) {
  return up == 2 ? a : up == 1 ? Vec3d{a.x, -a.z, a.y} : Vec3d{a.y, a.z, a.x};
}

}  // namespace tendril::io
