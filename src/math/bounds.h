#pragma once

#include <algorithm>
#include <limits>

#include "math/vec3.h"

namespace tendril::math {

// an axis-aligned box; sides may be infinite, and a new one is empty
struct Bounds {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  Vec3d low{infinity, infinity, infinity};      // [m]
  Vec3d high{-infinity, -infinity, -infinity};  // [m]

  // grows to hold a point or another box as well
  void take(const Vec3d& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  void take(const Bounds& b) { take(b.low), take(b.high); }

  void include(const Vec3d& center, double radius) {  // a ball
    const Vec3d r{radius, radius, radius};
    take(center - r), take(center + r);
  }

  bool empty() const { return low.x > high.x; }
  Vec3d center() const { return 0.5 * (low + high); }
  double radius() const { return 0.5 * norm(high - low); }  // of the ball around it [m]

  bool operator==(const Bounds&) const = default;
};

// boxes that touch overlap
inline bool overlap(const Bounds& a, const Bounds& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x &&  //
         a.low.y <= b.high.y && b.low.y <= a.high.y &&  //
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

inline bool contains(const Bounds& box, const Vec3d& p) {
  return p.x >= box.low.x && p.x <= box.high.x &&  //
         p.y >= box.low.y && p.y <= box.high.y &&  //
         p.z >= box.low.z && p.z <= box.high.z;
}

inline Bounds hull(Bounds a, const Bounds& b) {
  a.take(b);
  return a;
}

inline Bounds hull(const Vec3d& p, const Vec3d& q) {
  Bounds box{p, p};
  box.take(q);
  return box;
}

// the least and the largest direction·x in the box [m]
inline double lowest(const Bounds& box, const Vec3d& direction) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += std::min(direction[k] * box.low[k], direction[k] * box.high[k]);
  return sum;
}
inline double highest(const Bounds& box, const Vec3d& direction) { return -lowest(box, -direction); }

// further by `margin` [m] on every side
inline Bounds widened(const Bounds& box, double margin) {
  const Vec3d m{margin, margin, margin};
  return {box.low - m, box.high + m};
}

}  // namespace tendril::math
