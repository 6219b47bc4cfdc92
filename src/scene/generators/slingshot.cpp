#include "scene/generators/slingshot.h"

#include <cmath>
#include <numbers>

#include "scene/curves/curve_error.h"
#include "scene/generators/generator_keys.h"
#include "scene/generators/graph_builder.h"

namespace tendril::scene {

namespace {

using std::numbers::pi;

enum Part { handle, band, pouch };

void check(const SlingshotOptions& o) {
  const auto positive = [](double value, const char* key) {
    require(value > 0 && std::isfinite(value), key, "must be greater than 0");
  };
  const auto counted = [](int value, const char* key) {
    require(value >= 1 && value <= 100'000, key, "must lie between 1 and 100000");
  };
  require(is_finite(o.base), "base", "must be finite");
  positive(o.height, "height");
  positive(o.width, "width");
  positive(o.draw, "draw");
  positive(o.pouch_width, "pouch_width");
  positive(o.pouch_height, "pouch_height");
  counted(o.grip_segments, "grip_segments");
  counted(o.arm_segments, "arm_segments");
  counted(o.band_segments, "band_segments");
  counted(o.pouch_segments, "pouch_segments");
  require(o.pouch_segments % 2 == 0, "pouch_segments", "must be even: the cross strip joins the middles of the rims");
}

// one arm: a quarter of an ellipse out of the fork, then straight up
Vec3d arm_point(const SlingshotOptions& o, double side, double f) {
  const double fork = 0.5 * o.height, reach = 0.5 * o.width;
  constexpr double bend = 0.6;  // fraction of the arm that is curved
  if (f >= bend) {
    const double g = (f - bend) / (1 - bend);
    return o.base + Vec3d{side * reach, 0, fork + 0.5 * o.height * (bend + (1 - bend) * g)};
  }
  const double phi = 0.5 * pi * f / bend;
  return o.base + Vec3d{side * reach * std::sin(phi), 0, fork + 0.5 * o.height * bend * (1 - std::cos(phi))};
}

// the rim of the pouch over its width: +1 the upper, -1 the lower one
Vec3d rim_point(const SlingshotOptions& o, double rim, double f) {
  return o.base + Vec3d{o.pouch_width * (f - 0.5), -o.draw, o.height + 0.5 * rim * o.pouch_height * std::sin(pi * f)};
}

}  // namespace

Curve slingshot_curve(const SlingshotOptions& options) {
  check(options);
  GraphBuilder graph({"handle", "band", "pouch"});
  const int foot = graph.add_point(options.base);
  const int fork = graph.add_point(options.base + Vec3d{0, 0, 0.5 * options.height});
  graph.add_path(foot, fork, options.grip_segments, handle);

  // left and right: arm and band, from the fork to a corner of the pouch
  int tips[2], corners[2];
  for (int k = 0; k < 2; ++k) {
    int before = fork;
    for (int step = 1; step <= options.arm_segments; ++step) {
      const int next = graph.add_point(arm_point(options, k == 0 ? -1 : 1, double(step) / options.arm_segments));
      graph.add_edge(before, next, handle);
      before = next;
    }
    tips[k] = before;
  }
  for (int k = 0; k < 2; ++k) {
    corners[k] = graph.add_point(rim_point(options, 0, k));
    graph.add_path(tips[k], corners[k], options.band_segments, band);
  }

  // the pouch: two rims between the corners and a strip across their middles
  int middles[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    int before = corners[0];
    for (int step = 1; step <= options.pouch_segments; ++step) {
      const double f = double(step) / options.pouch_segments;
      const int next =
          step == options.pouch_segments ? corners[1] : graph.add_point(rim_point(options, k == 0 ? 1 : -1, f));
      graph.add_edge(before, next, pouch);
      if (2 * step == options.pouch_segments) middles[k] = next;
      before = next;
    }
  }
  graph.add_path(middles[0], middles[1], 2, pouch);
  return graph.finish();
}

namespace {

const generator_keys::GeneratorKeys<SlingshotOptions>& keys() {
  using namespace generator_keys;
  using O = SlingshotOptions;
  static const GeneratorKeys<O> keys =
      GeneratorKeys<O>("slingshot",
                       "a forked handle with two bands that meet in a pouch; its parts are handle, band and pouch")
          .add(&O::base, point("base", "lower end of the grip"))
          .add(&O::height, length("height", "from the lower end to the tips of the fork"))
          .add(&O::width, length("width", "between the tips, along x"))
          .add(&O::draw, length("draw", "how far the pouch hangs behind the tips, along -y"))
          .add(&O::pouch_width, length("pouch_width", "between the corners of the pouch"))
          .add(&O::pouch_height, length("pouch_height", "between its upper and lower rim"))
          .add(&O::grip_segments, count("grip_segments", "segments of the grip"))
          .add(&O::arm_segments, count("arm_segments", "segments of each arm of the fork"))
          .add(&O::band_segments, count("band_segments", "segments of each band"))
          .add(&O::pouch_segments, count("pouch_segments", "segments of each rim of the pouch, an even number"));
  return keys;
}

}  // namespace

Key::Variant slingshot_keys() { return keys().list(); }
SlingshotOptions read_slingshot(const Table& table) { return keys().read(table); }

}  // namespace tendril::scene
