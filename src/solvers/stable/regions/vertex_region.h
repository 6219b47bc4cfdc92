#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "math/bounds.h"
#include "math/vec3.h"

namespace tendril::solvers::stable {

// displacements d with normal·d >= bound
struct HalfSpace {
  Vec3d normal;      // unit
  double bound = 0;  // [m]
};

// what rounding may do to a position [m]
inline double last_digits(const Vec3d& x) { return 1e-15 * (std::abs(x.x) + std::abs(x.y) + std::abs(x.z)); }

// shrunk by round-off, but d = 0 stays inside if it was
inline HalfSpace safe(const HalfSpace& half, const Vec3d& x) {
  const double bound = half.bound + last_digits(x);
  return {half.normal, half.bound < 0 ? std::min(bound, 0.0) : bound};
}

// where a vertex may go: half spaces, a box around it, and axes along which it may move at all. Convex, so that the
// straight way between two of its points lies inside.
struct VertexRegion {
  std::span<const HalfSpace> half_spaces;
  Bounds box;       // of displacements [m]
  Vec3d free_axes;  // 1 or 0

  bool contains(const Vec3d& d) const;

  // the largest ball around d, a point of the region, that lies in it: nothing in there needs another look [m]
  double room(const Vec3d& d) const;

  // moves d inside along the free axes, if a few projections find the way
  bool pull_in(Vec3d& d) const;

  // the part of a way from a point of the region that lies in it
  double share(const Vec3d& from, const Vec3d& way) const;

  // the point of the region towards `to` that is reached from `from`, a point of the region: `to` is first moved onto
  // the half spaces that it violates, so that what is stopped by one may slide along it
  Vec3d towards(const Vec3d& from, const Vec3d& to) const;
};

}  // namespace tendril::solvers::stable
