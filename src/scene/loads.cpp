#include <algorithm>

#include "scene/draft.h"

namespace tendril {
namespace {

Keys read_factors(const Table& t) {
  Keys keys;
  if (t.has("keys"))
    for (const auto& row : t.rows("keys")) keys.push_back({row[0], {row[1], 0, 0}});
  return keys;
}

// the segments whose two ends are among the points
std::vector<int> segments_between(const DraftRod& rod, const std::vector<int>& points) {
  std::vector<bool> named(rod.curve.points.size(), false);
  for (int p : points) named[p] = true;
  std::vector<int> segments;
  for (int e = 0; e < int(rod.curve.edges.size()); ++e)
    if (named[rod.curve.edges[e][0]] && named[rod.curve.edges[e][1]]) segments.push_back(rod.first_segment + e);
  return segments;
}

Load read_load(const Table& t, const Draft& draft) {
  Load load;
  load.force = t.has("per_length") ? t.vec3("per_length") : t.vec3("force");
  load.moment = t.vec3("moment");
  load.in_material_frame = t.text("frame") == "material";
  load.from = t.number("from");
  if (t.has("until")) load.until = t.number("until");
  load.ramp = t.number("ramp");
  load.factor_keys = read_factors(t);
  if (t.has("body")) {
    load.target = LoadTarget::body;
    load.indices = {find_body(draft, t, "body")};
    return load;
  }
  const DraftRod& rod = find_rod(draft, t);
  std::vector<int> points;
  if (t.has("at"))
    points = find_points(t, "at", rod);
  else
    for (int p = 0; p < int(rod.curve.points.size()); ++p) points.push_back(p);
  if (t.has("per_length")) {
    if (t.has("force") || t.has("moment")) t.fail("per_length", "give a load per length or a force and moment, not both");
    load.target = LoadTarget::segment_line;
    load.indices = segments_between(rod, points);
    if (load.indices.empty()) t.fail("at", "a load per length needs neighbouring vertices: no segment lies between these");
  } else {
    if (!t.has("at")) t.fail("rod", "a force or moment also needs `at`");
    for (int p : points) load.indices.push_back(rod.vertex[p]);
  }
  return load;
}

Field read_field(const Table& t) {
  Field field;
  if (t.text("type") == "drag") {
    field.kind = FieldKind::drag;
    field.coefficient = t.number("coefficient");
    return field;
  }
  field.velocity = t.vec3("velocity");
  field.drag = t.number("drag");
  field.air_density = t.number("air_density");
  field.factor_keys = read_factors(t);
  if (t.has("gust")) {
    const Table gust = t.table("gust");
    field.gust_amplitude = gust.number("amplitude");
    field.gust_frequency = gust.number("frequency");
    field.gust_scale = gust.number("scale");
  }
  return field;
}

}  // namespace

void add_loads(const Table& root, Draft& draft) {
  for (const Table& t : root.tables("load")) draft.model.loads.push_back(read_load(t, draft));
  for (const Table& t : root.tables("field")) draft.model.fields.push_back(read_field(t));
}

}  // namespace tendril
