#include "scene/generators/bridge.h"

#include <cmath>

#include "scene/curves/arc_length.h"
#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/generators/generator_keys.h"
#include "scene/generators/graph_builder.h"

namespace tendril::scene {

namespace {

enum Part { pylon, deck, cable };

void check(const BridgeOptions& o) {
  const auto positive = [](double value, const char* key) {
    require(value > 0 && std::isfinite(value), key, "must be greater than 0");
  };
  const auto counted = [](int value, const char* key) {
    require(value >= 1 && value <= 100'000, key, "must lie between 1 and 100000");
  };
  require(is_finite(o.center), "center", "must be finite");
  positive(o.span, "span");
  positive(o.width, "width");
  positive(o.height, "height");
  positive(o.arch_width, "arch_width");
  require(o.clearance >= 0 && o.clearance < o.height, "clearance", "must lie between 0 and `height`");
  require(o.anchorage > 0 && o.anchorage < 1, "anchorage", "must lie between 0 and 1");
  counted(o.cables, "cables");
  counted(o.cable_segments, "cable_segments");
  counted(o.arch_segments, "arch_segments");
  counted(o.bays, "bays");
  counted(o.bay_segments, "bay_segments");
  counted(o.beam_segments, "beam_segments");
  const double total = o.arch_segments + 3.0 * o.bays * o.bay_segments + 2.0 * (o.bays + 1.0) * o.beam_segments +
                       double(o.cables) * o.cable_segments;
  require(total <= most_segments, "", "the counts give more than ten million segments");

  require(o.cables % 2 == 0, "cables", "must be even: two fans");
  require(double(o.cables) < double(o.bays) * o.bay_segments, "cables",
          "has no room on the spine: it must be less than `bays` times `bay_segments`");
  require(o.anchorage * o.arch_segments >= o.cables / 2 - 1, "cables",
          "has no room on the arch: raise `arch_segments` or `anchorage`");
  // the parabola at the height of the deck
  require(o.arch_width * std::sqrt(1 - o.clearance / o.height) > o.width, "arch_width",
          "is so small that the legs of the arch stand in the deck");
}

// a parabola across the deck, cut into equal lengths
std::vector<Vec3d> arch_points(const BridgeOptions& o) {
  const double half = 0.5 * o.arch_width;
  ParametricCurve arch;
  arch.point = [&](double u) { return o.center + Vec3d{0, half * u, o.height * (1 - u * u)}; };
  arch.derivative = [&](double u) { return Vec3d{0, half, -2 * o.height * u}; };
  arch.breaks = {-1, 1};
  return cut_evenly(arch, o.arch_segments).points;
}

std::vector<Vec3d> girder_points(const BridgeOptions& o, double y) {
  const int segments = o.bays * o.bay_segments;
  std::vector<Vec3d> points;
  for (int k = 0; k <= segments; ++k)
    points.push_back(o.center + Vec3d{o.span * (double(k) / segments - 0.5), y, o.clearance});
  return points;
}

// where stay k of a fan holds the arch: the fan sweeps over the crown from one leg to the other
int anchor(const BridgeOptions& o, int k) {
  const int fan = o.cables / 2;
  const double sweep = fan > 1 ? double(k) / (fan - 1) - 0.5 : 0;
  return static_cast<int>(std::lround(0.5 * o.arch_segments + sweep * o.anchorage * o.arch_segments));
}

}  // namespace

Curve bridge_curve(const BridgeOptions& options) {
  check(options);
  GraphBuilder graph({"pylon", "deck", "cable"});
  const std::vector<int> arch = graph.add_path(arch_points(options), pylon);

  // each fan reaches from the end of the deck inward; the second one is the first turned by pi about the vertical
  const std::vector<Vec3d> spine_points = girder_points(options, 0);
  const int segments = options.bays * options.bay_segments, fan = options.cables / 2;
  std::vector<int> spine;
  for (const Vec3d& x : spine_points) spine.push_back(graph.add_point(x));
  for (int k = 0; k < fan; ++k) {
    graph.add_path(arch[anchor(options, k)], spine[1 + k], options.cable_segments, cable);
    graph.add_path(arch[anchor(options, fan - 1 - k)], spine[segments - 1 - k], options.cable_segments, cable);
  }

  // the deck from end to end, then the beams from the spine to the edges
  for (int k = 0; k < segments; ++k) graph.add_edge(spine[k], spine[k + 1], deck);
  const std::vector<int> right = graph.add_path(girder_points(options, -0.5 * options.width), deck);
  const std::vector<int> left = graph.add_path(girder_points(options, 0.5 * options.width), deck);
  for (int k = 0; k <= segments; k += options.bay_segments) {
    graph.add_path(spine[k], right[k], options.beam_segments, deck);
    graph.add_path(spine[k], left[k], options.beam_segments, deck);
  }
  return graph.finish();
}

namespace {

const generator_keys::GeneratorKeys<BridgeOptions>& keys() {
  using namespace generator_keys;
  using O = BridgeOptions;
  static const GeneratorKeys<O> keys =
      GeneratorKeys<O>("bridge",
                       "a cable-stayed bridge after the Margaret Hunt Hill Bridge with the parts pylon, deck and cable")
          .add(&O::center, point("center", "on the ground, below the middle of the deck"))
          .add(&O::span, length("span", "length of the deck, along x"))
          .add(&O::width, length("width", "width of the deck, along y"))
          .add(&O::clearance,
               key_words::number("clearance", "m", "height of the deck above the feet of the arch").at_least(0))
          .add(&O::height, length("height", "height of the arch above its feet"))
          .add(&O::arch_width, length("arch_width", "distance between the feet of the arch"))
          .add(&O::anchorage,
               ratio("anchorage", "fraction of the arch, about its crown, that carries stays").above_zero())
          .add(&O::cables, count("cables", "stays in both fans together, an even number"))
          .add(&O::cable_segments, count("cable_segments", "segments of one stay"))
          .add(&O::arch_segments, count("arch_segments", "segments of the arch"))
          .add(&O::bays, count("bays", "fields of the deck between cross beams"))
          .add(&O::bay_segments, count("bay_segments", "segments of each girder and of the spine in one bay"))
          .add(&O::beam_segments, count("beam_segments", "segments of half a cross beam"));
  return keys;
}

}  // namespace

Key::Variant bridge_keys() { return keys().list(); }
BridgeOptions read_bridge(const Table& table) { return keys().read(table); }

}  // namespace tendril::scene
