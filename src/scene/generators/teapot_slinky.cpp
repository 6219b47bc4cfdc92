#include "scene/generators/teapot_slinky.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "scene/curves/arc_length.h"
#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/generators/generator_keys.h"

namespace tendril::scene {

namespace {

using std::numbers::pi;

struct Point2 {
  double r = 0, z = 0;
};

// the silhouette from the foot to the knob as Bézier curves {r, z}: Newell's own, but for the lid's rim, which here
// meets the body's, and for the last point of the knob, which stays clear of the axis
constexpr std::array<std::array<Point2, 4>, 4> silhouette = {{
    {{{1.5, 0.15}, {1.5, 0.225}, {2.0, 0.45}, {2.0, 0.9}}},  // body
    {{{2.0, 0.9}, {2.0, 1.35}, {1.75, 1.875}, {1.5, 2.4}}},  // shoulder
    {{{1.5, 2.4}, {1.3, 2.4}, {0.4, 2.4}, {0.2, 2.55}}},     // lid
    {{{0.2, 2.55}, {0.0, 2.7}, {0.8, 3.15}, {0.15, 3.15}}},  // knob
}};
constexpr double foot = 0.15, top = 3.15;

// u runs through the four curves, one after the other; r along x
ParametricCurve silhouette_curve() {
  const auto curve_of = [](double u) {
    return std::clamp(static_cast<int>(u), 0, static_cast<int>(silhouette.size()) - 1);
  };
  ParametricCurve curve;
  curve.point = [=](double u) {
    const auto& b = silhouette[curve_of(u)];
    const double t = u - curve_of(u), s = 1 - t;
    const double w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    Vec3d p;
    for (int j = 0; j < 4; ++j) p += w[j] * Vec3d{b[j].r, 0, b[j].z};
    return p;
  };
  curve.derivative = [=](double u) {
    const auto& b = silhouette[curve_of(u)];
    const double t = u - curve_of(u), s = 1 - t;
    const double w[3] = {3 * s * s, 6 * s * t, 3 * t * t};
    Vec3d d;
    for (int j = 0; j < 3; ++j) d += w[j] * Vec3d{b[j + 1].r - b[j].r, 0, b[j + 1].z - b[j].z};
    return d;
  };
  for (size_t k = 0; k <= silhouette.size(); ++k) curve.breaks.push_back(double(k));
  return curve;
}

// radius and height over the fraction of the turns: straight between knots that are evenly spaced along the silhouette
struct Profile {
  std::vector<Vec3d> knots;  // r along x, height above the foot along z [m]

  int spans() const { return static_cast<int>(knots.size()) - 1; }
  int span(double f) const { return std::clamp(static_cast<int>(f * spans()), 0, spans() - 1); }
  Vec3d slope(double f) const { return double(spans()) * (knots[span(f) + 1] - knots[span(f)]); }
  Vec3d value(double f) const { return knots[span(f)] + (f - double(span(f)) / spans()) * slope(f); }
};

Profile teapot_profile(double size) {
  constexpr int spans = 400;  // fine enough that no edge shows
  Profile profile{cut_evenly(silhouette_curve(), spans).points};
  for (Vec3d& knot : profile.knots) knot = (size / (top - foot)) * (knot - Vec3d{0, 0, foot});
  return profile;
}

}  // namespace

Curve teapot_slinky_curve(const TeapotSlinkyOptions& options, const Vec3d* normal) {
  check_segments(options.segments, 1);
  require(is_finite(options.center), "center", "must be finite");
  require(options.size > 0 && std::isfinite(options.size), "size", "must be greater than 0");
  require(options.turns > 0 && options.turns <= 1e6, "turns", "must lie between 0 and a million");
  const Vec3d axis = unit_axis(options.axis, "axis");
  const Vec3d u = start_side(axis, normal), v = cross(axis, u);
  const Profile profile = teapot_profile(options.size);
  const double rate = 2 * pi * options.turns;

  ParametricCurve coil;
  coil.point = [&](double f) {
    const double c = std::cos(rate * f), s = std::sin(rate * f);
    const Vec3d p = profile.value(f);
    return options.center + p.x * (c * u + s * v) + p.z * axis;
  };
  coil.derivative = [&](double f) {
    const double c = std::cos(rate * f), s = std::sin(rate * f);
    const Vec3d p = profile.value(f), d = profile.slope(f);
    return d.x * (c * u + s * v) + (rate * p.x) * (c * v - s * u) + d.z * axis;
  };
  for (int k = 0; k <= profile.spans(); ++k) coil.breaks.push_back(double(k) / profile.spans());
  return cut_evenly(coil, options.segments);
}

namespace {

const generator_keys::GeneratorKeys<TeapotSlinkyOptions>& keys() {
  using namespace generator_keys;
  using O = TeapotSlinkyOptions;
  static const GeneratorKeys<O> keys =
      GeneratorKeys<O>("teapot_slinky",
                       "a coiled spring in the shape of the Utah teapot (body, lid and knob), one chain of 2,880 "
                       "segments unless the rod says otherwise; it starts at the foot, on the side of the rod's normal")
          .add(&O::center, point("center", "centre of the foot"))
          .add(&O::axis, direction("axis", "from the foot to the knob"))
          .add(&O::size, length("size", "height of the teapot"))
          .add(&O::turns, ratio("turns", "coils, evenly spaced along the silhouette").above_zero());
  return keys;
}

}  // namespace

Key::Variant teapot_slinky_keys() { return keys().list(); }

TeapotSlinkyOptions read_teapot_slinky(const Table& table, int segments) {
  TeapotSlinkyOptions options = keys().read(table);
  if (segments != 0) options.segments = segments;
  return options;
}

}  // namespace tendril::scene
