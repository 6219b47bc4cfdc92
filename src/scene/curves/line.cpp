#include "scene/curves/line.h"

#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"

namespace tendril::scene {

using enum KeyType;

Curve line_curve(const LineOptions& options, int segments) {
  check_segments(segments, 1);
  require(is_finite(options.from), "from", "must be finite");
  require(is_finite(options.to), "to", "must be finite");
  require(norm(options.to - options.from) > 0, "to", "is the same point as `from`: the line has no length");
  const Vec3d direction = unit_axis(options.to - options.from, "to");
  std::vector<Vec3d> points(segments + 1);
  for (int i = 0; i <= segments; ++i) {
    const double f = double(i) / segments;
    points[i] = (1 - f) * options.from + f * options.to;
  }
  return make_chain(std::move(points), std::vector<Vec3d>(segments + 1, direction), false);
}

Key::Variant line_keys() {
  return {"line",
          "a straight line",
          {{.name = "from", .types = {vec3}, .unit = "m", .meaning = "where it starts", .required = true},
           {.name = "to", .types = {vec3}, .unit = "m", .meaning = "where it ends", .required = true}}};
}

LineOptions read_line(const Table& table) { return {table.vec3("from"), table.vec3("to")}; }

}  // namespace tendril::scene
