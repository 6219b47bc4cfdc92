#include <numeric>

#include "scene/draft.h"

namespace tendril::scene {
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

std::vector<Place> whole_rods(const Draft& draft, const Table& t) {
  std::vector<Place> places;
  for (const DraftRod* rod : find_rods(draft, t)) {
    places.push_back({rod, std::vector<int>(rod->curve.points.size())});
    std::iota(places.back().points.begin(), places.back().points.end(), 0);
  }
  return places;
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
  const bool per_length = t.has("per_length");
  if (per_length && (t.has("force") || t.has("moment")))
    t.fail("per_length", "give a load per length or a force and moment, not both");
  if (!per_length && !t.has("at")) t.fail("rod", "a force or moment also needs `at`");
  if (per_length) load.target = LoadTarget::segment_line;
  for (const auto& [rod, points] : t.has("at") ? find_places(draft, t) : whole_rods(draft, t)) {
    if (per_length)
      for (int s : segments_between(*rod, points)) load.indices.push_back(s);
    else
      for (int p : points) load.indices.push_back(rod->vertex[p]);
  }
  if (load.indices.empty())
    t.fail("at", "a load per length needs neighbouring vertices: no segment lies between these");
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

}  // namespace tendril::scene
