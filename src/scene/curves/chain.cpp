#include "scene/curves/chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/curves/curve_error.h"

namespace tendril::scene {

void check_segments(int segments, int least) {
  require(segments != 0, "", "this curve needs the rod's key `segments`");
  if (segments < least) throw CurveError("", fmt::format("`segments` is {}, it must be at least {}", segments, least));
  if (segments > most_segments)
    throw CurveError("", fmt::format("`segments` is {}, it can be at most {}", segments, most_segments));
}

void check_edges(const Curve& curve) {
  double extent = 0;
  for (const Vec3d& x : curve.points) {
    require(is_finite(x), "", "the curve has points that are not finite: its numbers are too large");
    extent = std::max({extent, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  }
  // below this the difference of two coordinates is round-off
  const double shortest = 1e-14 * extent;
  for (const auto& [a, b] : curve.edges) {
    if (norm(curve.points[b] - curve.points[a]) > shortest) continue;
    throw CurveError("", fmt::format("vertices {} and {} coincide: use fewer segments or move the points apart", a, b));
  }
}

Curve make_chain(std::vector<Vec3d> points, std::vector<Vec3d> tangents, bool closed) {
  Curve curve;
  const int count = static_cast<int>(points.size());
  curve.edges.reserve(count);
  for (int i = 0; i + 1 < count; ++i) curve.edges.push_back({i, i + 1});
  if (closed) curve.edges.push_back({count - 1, 0});
  curve.points = std::move(points);
  curve.tangents = std::move(tangents);
  curve.closed = closed;
  check_edges(curve);
  return curve;
}

Vec3d unit_axis(const Vec3d& direction, const char* key) {
  const double length = norm(direction);
  require(std::isfinite(length) && length > 1e-150, key, "must be a direction: finite and not zero");
  return direction / length;
}

Vec3d start_side(const Vec3d& axis, const Vec3d* normal) {
  if (!normal) return any_perpendicular(axis);
  const Vec3d side = *normal - dot(*normal, axis) * axis;
  const double length = norm(side);
  return length > 1e-9 * norm(*normal) ? side / length : any_perpendicular(axis);
}

}  // namespace tendril::scene
