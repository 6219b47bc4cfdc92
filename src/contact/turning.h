#pragma once

#include "contact/closest.h"
#include "contact/solid.h"

namespace tendril {

// When a segment turns towards the other side of its pair, the nearest points slide along it and the gap closes more
// than it does at the points that were nearest: by half
//   aa α² + 2 ab α β + bb β²,   α = n·(u1 - u0) of a, β of b  [m]
// Two that are nearly parallel rest on each other's ends because of this. The gap is a minimum over points, so the
// matrix is positive semi-definite.
struct Turning {
  double aa = 0, ab = 0, bb = 0;  // [1/m]
};

// of two segments at their steady points: minus the second derivatives of the least D²/2 + pull/2 (…) over (s, t), by
// D n·u and -D n·v, over D; points at an end stay there
inline Turning turning(const closest::Quadratic& f, const Nearest& at, double slack) {
  const double pull = 2 * slack * (slack + 2 * at.distance), a = f.uu + pull, b = f.vv + pull;
  const bool s_slides = at.s > 0 && at.s<1, t_slides = at.t> 0 && at.t < 1;
  if (s_slides && t_slides) {
    const double scale = at.distance / (f.parallelogram + pull * (f.uu + f.vv + pull));
    return {scale * b, -scale * f.uv, scale * a};
  }
  return {s_slides ? at.distance / a : 0, 0, t_slides ? at.distance / b : 0};
}

// of a segment from a0 to a1 and a solid, at its steady point: 1 / (D'' + pull) with D'' along the segment
inline Turning turning(const Solid& solid, const Vec3d& a0, const Vec3d& a1, const NearestToSolid& at, double slack) {
  if (!(at.s > 0 && at.s < 1)) return {};
  const double step = 0.1 * std::min(at.s, 1 - at.s) + 1e-3;
  const auto distance = [&](double s) {
    const Vec3d p = a0 + s * (a1 - a0);
    return norm(p - nearest_in_core(solid, p));
  };
  const double bending = (distance(at.s + step) - 2 * distance(at.s) + distance(at.s - step)) / (step * step);
  return {1 / (std::max(bending, 0.0) + 8 * slack), 0, 0};
}

}  // namespace tendril
