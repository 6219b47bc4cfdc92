#include "scene/curves/arc.h"

#include <numbers>

#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/default_text.h"

namespace tendril::scene {

using enum KeyType;

using std::numbers::pi;

Curve arc_curve(const ArcOptions& options, int segments) {
  check_segments(segments, 1);
  require(is_finite(options.center), "center", "must be finite");
  require(is_finite(options.from), "from", "must be finite");
  const Vec3d axis = unit_axis(options.axis, "axis");
  require(options.angle != 0 && std::isfinite(options.angle), "angle", "must be finite and not zero");
  require(std::abs(options.angle) < 2 * pi, "angle", "must be below 2 pi: use a circle, or a helix for more turns");

  // from = foot on the axis + radius u; v completes the plane
  const Vec3d arm = options.from - options.center;
  const Vec3d u = arm - dot(arm, axis) * axis;
  require(norm(u) > 1e-12 * norm(arm), "from", "must not lie on the axis through `center`");
  const Vec3d foot = options.from - u, v = cross(axis, u);
  const double way = options.angle > 0 ? 1 : -1;

  std::vector<Vec3d> points(segments + 1), tangents(segments + 1);
  for (int i = 0; i <= segments; ++i) {
    const double phi = options.angle * i / segments, c = std::cos(phi), s = std::sin(phi);
    points[i] = foot + c * u + s * v;
    tangents[i] = normalized(way * (c * v - s * u));
  }
  points[0] = options.from;
  return make_chain(std::move(points), std::move(tangents), false);
}

Curve circle_curve(const CircleOptions& options, int segments, const Vec3d* normal) {
  check_segments(segments, 3);
  require(is_finite(options.center), "center", "must be finite");
  require(options.radius > 0 && std::isfinite(options.radius), "radius", "must be greater than 0");
  const Vec3d axis = unit_axis(options.axis, "axis");
  const Vec3d u = start_side(axis, normal), v = cross(axis, u);

  std::vector<Vec3d> points(segments), tangents(segments);
  for (int i = 0; i < segments; ++i) {
    const double phi = 2 * pi * i / segments, c = std::cos(phi), s = std::sin(phi);
    points[i] = options.center + options.radius * (c * u + s * v);
    tangents[i] = normalized(c * v - s * u);
  }
  return make_chain(std::move(points), std::move(tangents), true);
}

Key::Variant arc_keys() {
  return {"arc",
          "the path of a point that turns about an axis",
          {{.name = "center", .types = {vec3}, .unit = "m", .meaning = "a point on the axis", .required = true},
           {.name = "from", .types = {vec3}, .unit = "m", .meaning = "where the arc starts", .required = true},
           {.name = "axis",
            .types = {vec3},
            .unit = "-",
            .default_text = default_text(ArcOptions{}.axis),
            .meaning = "direction of the axis; the arc turns right-handed about it",
            .nonzero = true},
           {.name = "angle",
            .types = {number},
            .unit = "rad",
            .meaning = "how far it turns, less than 2π; negative: the other way round",
            .required = true}}};
}

Key::Variant circle_keys() {
  return {"circle",
          "a closed circle, which starts on the side of the rod's normal",
          {{.name = "center",
            .types = {vec3},
            .unit = "m",
            .default_text = default_text(CircleOptions{}.center),
            .meaning = "its centre"},
           {.name = "axis",
            .types = {vec3},
            .unit = "-",
            .default_text = default_text(CircleOptions{}.axis),
            .meaning = "perpendicular to its plane; the circle turns right-handed about it",
            .nonzero = true},
           {.name = "radius",
            .types = {number},
            .unit = "m",
            .meaning = "its radius",
            .required = true,
            .positive = true}}};
}

ArcOptions read_arc(const Table& table) {
  return {table.vec3("center"), table.vec3("from"), table.vec3("axis"), table.number("angle")};
}

CircleOptions read_circle(const Table& table) {
  return {table.vec3("center"), table.vec3("axis"), table.number("radius")};
}

}  // namespace tendril::scene
