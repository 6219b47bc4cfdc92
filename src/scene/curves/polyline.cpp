#include "scene/curves/polyline.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/default_text.h"

namespace tendril::scene {

using enum KeyType;
namespace {

void check_points(const PolylineOptions& options) {
  const auto& points = options.points;
  const size_t least = options.closed ? 3 : 2;
  if (points.size() < least)
    throw CurveError("points", fmt::format("has {} points, it needs at least {}", points.size(), least));
  if (points.size() > size_t{most_segments})
    throw CurveError("points", fmt::format("has {} points, it can have at most {}", points.size(), most_segments));
  for (size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i])) throw CurveError("points", fmt::format("point {} is not finite", i));
    if (i > 0 && points[i] == points[i - 1])
      throw CurveError("points", fmt::format("points {} and {} are the same", i - 1, i));
  }
  require(!options.closed || points.front() != points.back(), "points",
          "the first and the last point are the same: leave out the last, `closed` joins them");
}

// edge directions bisected at inner points; a path that turns straight back has none there
std::vector<Vec3d> bisecting_tangents(const std::vector<Vec3d>& points, bool closed) {
  const int count = static_cast<int>(points.size());
  std::vector<Vec3d> tangents(count);
  for (int i = 0; i < count; ++i) {
    const int before = i > 0 ? i - 1 : count - 1, after = i + 1 < count ? i + 1 : 0;
    Vec3d sum;
    if (closed || i > 0) sum += normalized(points[i] - points[before]);
    if (closed || i + 1 < count) sum += normalized(points[after] - points[i]);
    if (norm(sum) < 1e-9) throw CurveError("", fmt::format("the path turns straight back at vertex {}", i));
    tangents[i] = normalized(sum);
  }
  return tangents;
}

}  // namespace

std::vector<Vec3d> resample_path(const std::vector<Vec3d>& points, bool closed, int segments) {
  std::vector<Vec3d> path = points;
  if (closed) path.push_back(points.front());
  std::vector<double> passed{0};  // length up to each point
  for (size_t k = 1; k < path.size(); ++k) passed.push_back(passed.back() + norm(path[k] - path[k - 1]));

  std::vector<Vec3d> result;
  result.reserve(segments + 1);
  size_t edge = 0;
  for (int i = 0; i < segments; ++i) {
    const double target = passed.back() * i / segments;
    while (edge + 2 < path.size() && passed[edge + 1] <= target) ++edge;
    const double f = (target - passed[edge]) / (passed[edge + 1] - passed[edge]);
    result.push_back((1 - f) * path[edge] + f * path[edge + 1]);
  }
  if (!closed) result.push_back(path.back());
  return result;
}

Curve chain_through(std::vector<Vec3d> points, bool closed) {
  Curve curve = make_chain(std::move(points), {}, closed);
  curve.tangents = bisecting_tangents(curve.points, closed);
  return curve;
}

Curve polyline_curve(const PolylineOptions& options, int segments) {
  check_points(options);
  if (segments == 0) return chain_through(options.points, options.closed);
  check_segments(segments, options.closed ? 3 : 1);
  return chain_through(resample_path(options.points, options.closed, segments), options.closed);
}

Key::Variant polyline_keys() {
  return {"polyline",
          "straight edges through given points; `segments` cuts the path anew into equal lengths",
          {{.name = "points",
            .types = {rows},
            .unit = "m",
            .meaning = "[[x, y, z], …]: the vertices, when the rod has no `segments`",
            .required = true,
            .width = 3},
           {.name = "closed",
            .types = {boolean},
            .default_text = default_text(PolylineOptions{}.closed),
            .meaning = "an edge joins the last point to the first"}}};
}

PolylineOptions read_polyline(const Table& table) {
  PolylineOptions options;
  for (const auto& row : table.rows("points")) options.points.push_back({row[0], row[1], row[2]});
  options.closed = table.boolean("closed");
  return options;
}

}  // namespace tendril::scene
