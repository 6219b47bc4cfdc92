#include "solvers/stable/regions/vertex_region.h"

#include <algorithm>

namespace tendril::solvers::stable {

namespace {

constexpr int projections_to_slide = 3, projections_to_fit = 200;

Vec3d clamped(const Vec3d& d, const Bounds& box) {
  Vec3d inside = d;
  for (int k = 0; k < 3; ++k) inside[k] = std::clamp(d[k], box.low[k], box.high[k]);
  return inside;
}

// one round of projections onto the half spaces, each as deep inside; the largest that was missing before
double project(const VertexRegion& region, double depth, Vec3d& d) {
  double largest = 0;
  for (const HalfSpace& half : region.half_spaces) {
    const double missing = half.bound - dot(half.normal, d);
    if (missing <= 0) continue;
    largest = std::max(largest, missing);
    const Vec3d way = scale(region.free_axes, half.normal);
    const double effect = norm_squared(way);
    if (effect > 1e-3) d += ((missing + depth) / effect) * way;
  }
  return largest;
}

}  // namespace

bool VertexRegion::contains(const Vec3d& d) const {
  for (int k = 0; k < 3; ++k)
    if (!(d[k] >= box.low[k] && d[k] <= box.high[k])) return false;
  return std::all_of(half_spaces.begin(), half_spaces.end(),
                     [&](const HalfSpace& half) { return dot(half.normal, d) >= half.bound; });
}

double VertexRegion::room(const Vec3d& d) const {
  double room = Bounds::infinity;
  for (int k = 0; k < 3; ++k) room = std::min({room, d[k] - box.low[k], box.high[k] - d[k]});
  for (const HalfSpace& half : half_spaces) room = std::min(room, dot(half.normal, d) - half.bound);
  return std::max(0.0, room);
}

bool VertexRegion::pull_in(Vec3d& d) const {
  const Vec3d start = d;
  double first = 0;  // rounds that only come ever nearer aim a little deeper, less and less so in case there is no room
  for (int round = 0; round < projections_to_fit; ++round) {
    const Vec3d inside = clamped(d, box);
    for (int k = 0; k < 3; ++k)
      if (free_axes[k] != 0) d[k] = inside[k];
    const double missing = project(*this, round < 2 ? 1e-9 * first : std::ldexp(0.1 * first, -round / 10), d);
    if (missing == 0) break;
    first = std::max(first, missing);
  }
  if (contains(d)) return true;
  d = start;
  return false;
}

double VertexRegion::share(const Vec3d& from, const Vec3d& way) const {
  double share = 1;
  for (int k = 0; k < 3; ++k) {
    if (way[k] > 0) share = std::min(share, std::max(0.0, (box.high[k] - from[k]) / way[k]));
    if (way[k] < 0) share = std::min(share, std::max(0.0, (box.low[k] - from[k]) / way[k]));
  }
  for (const HalfSpace& half : half_spaces) {
    const double room = dot(half.normal, from) - half.bound, speed = -dot(half.normal, way);
    if (speed > 0 && speed * share > room) share = std::max(0.0, room / speed);
  }
  return share;
}

Vec3d VertexRegion::towards(const Vec3d& from, const Vec3d& to) const {
  Vec3d aim = clamped(to, box);
  for (int round = 0; round < projections_to_slide && project(*this, 0, aim) > 0; ++round) {
  }
  const double part = share(from, aim - from);
  return part == 1 ? aim : from + part * (aim - from);
}

}  // namespace tendril::solvers::stable
