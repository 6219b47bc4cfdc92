#include "scene/curve.h"

#include <fmt/format.h>

#include "scene/curves/arc.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/curve_file.h"
#include "scene/curves/helix.h"
#include "scene/curves/knot.h"
#include "scene/curves/line.h"
#include "scene/curves/polyline.h"
#include "scene/generators/bridge.h"
#include "scene/generators/knit.h"
#include "scene/generators/slingshot.h"
#include "scene/generators/teapot_slinky.h"
#include "scene/generators/tree.h"

namespace tendril::scene {
namespace {

// one kind of curve: its keys, and how it is made of them
struct CurveType {
  Key::Variant (*keys)();
  Curve (*make)(const Table& table, int segments, const Vec3d* normal);
};

// the counts of a generator follow from its own keys; `segments`, when given, must agree
Curve with_count(Curve curve, int segments) {
  const int count = static_cast<int>(curve.edges.size());
  if (segments != 0 && segments != count)
    throw CurveError(
        "", fmt::format("`segments` is {}, but the keys of this curve give {}: leave it out", segments, count));
  return curve;
}

// a new kind of curve is one line here
const CurveType types[] = {
    {line_keys, [](const Table& t, int segments, const Vec3d*) { return line_curve(read_line(t), segments); }},
    {arc_keys, [](const Table& t, int segments, const Vec3d*) { return arc_curve(read_arc(t), segments); }},
    {circle_keys,
     [](const Table& t, int segments, const Vec3d* n) { return circle_curve(read_circle(t), segments, n); }},
    {helix_keys, [](const Table& t, int segments, const Vec3d* n) { return helix_curve(read_helix(t), segments, n); }},
    {polyline_keys,
     [](const Table& t, int segments, const Vec3d*) { return polyline_curve(read_polyline(t), segments); }},
    {knot_keys, [](const Table& t, int segments, const Vec3d* n) { return knot_curve(read_knot(t), segments, n); }},
    {file_keys, [](const Table& t, int segments, const Vec3d*) { return file_curve(read_curve_file(t), segments); }},
    {tree_keys, [](const Table& t, int segments, const Vec3d*) { return tree_curve(read_tree(t, segments)); }},
    {bridge_keys,
     [](const Table& t, int segments, const Vec3d*) { return with_count(bridge_curve(read_bridge(t)), segments); }},
    {teapot_slinky_keys, [](const Table& t, int segments,
                            const Vec3d* n) { return teapot_slinky_curve(read_teapot_slinky(t, segments), n); }},
    {knit_keys, [](const Table& t, int segments, const Vec3d*) { return knit_curve(read_knit(t, segments)); }},
    {slingshot_keys, [](const Table& t, int segments,
                        const Vec3d*) { return with_count(slingshot_curve(read_slingshot(t)), segments); }},
};

}  // namespace

std::vector<Key::Variant> curve_types() {
  std::vector<Key::Variant> variants;
  for (const CurveType& type : types) variants.push_back(type.keys());
  return variants;
}

Curve make_curve(const Table& curve, int segments, const Vec3d* normal) {
  const std::string name = curve.text("type");
  for (const CurveType& type : types) {
    if (type.keys().name != name) continue;
    try {
      return type.make(curve, segments, normal);
    } catch (const CurveError& error) {
      curve.fail(error.key, error.what());
    }
  }
  curve.fail("type", fmt::format("there is no curve \"{}\"", name));
}

}  // namespace tendril::scene
