#include "scene/curves/helix.h"

#include <algorithm>
#include <numbers>

#include "scene/curves/arc_length.h"
#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/default_text.h"

namespace tendril::scene {

using enum KeyType;
namespace {

using std::numbers::pi;
using Profile = std::vector<std::array<double, 2>>;

// radius at a fraction of the turns, and its slope
struct ProfileValue {
  double radius = 0, slope = 0;
};

// constant beyond the first and the last row; at a row that ends the profile the slope is the inner one
ProfileValue profile_at(const Profile& profile, double fraction) {
  if (profile.size() == 1 || fraction < profile.front()[0]) return {profile.front()[1], 0};
  if (fraction > profile.back()[0]) return {profile.back()[1], 0};
  const auto next = std::upper_bound(profile.begin() + 1, profile.end() - 1, fraction,
                                     [](double value, const auto& row) { return value < row[0]; });
  const auto& [f0, r0] = next[-1];
  const auto& [f1, r1] = next[0];
  const double slope = (r1 - r0) / (f1 - f0);
  return {r0 + slope * (fraction - f0), slope};
}

void check_profile(const Profile& profile) {
  require(!profile.empty(), "radius", "needs at least one row [fraction, radius]");
  double largest = 0;
  for (size_t k = 0; k < profile.size(); ++k) {
    const auto& [fraction, radius] = profile[k];
    require(fraction >= 0 && fraction <= 1, "radius", "fractions must lie between 0 and 1");
    require(k == 0 || fraction > profile[k - 1][0], "radius", "fractions must increase from row to row");
    require(radius >= 0 && std::isfinite(radius), "radius", "must be finite and not negative");
    largest = std::max(largest, radius);
  }
  require(largest > 0, "radius", "must be greater than 0");
}

// a flat coil must not run over itself: either less than one turn, or a spiral
void check_flat(const HelixOptions& options) {
  if (options.pitch != 0) return;
  const Profile& profile = options.radius;
  if (options.turns < 1 && profile.size() == 1) return;
  const bool spans = profile.size() > 1 && profile.front()[0] == 0 && profile.back()[0] == 1;
  const auto ends = profile.end();
  const bool grows = std::adjacent_find(profile.begin(), ends, [](auto& a, auto& b) { return a[1] >= b[1]; }) == ends;
  const bool shrinks = std::adjacent_find(profile.begin(), ends, [](auto& a, auto& b) { return a[1] <= b[1]; }) == ends;
  require(spans && (grows || shrinks), "pitch",
          "is 0 and the coil runs over itself: give a pitch, or a radius that grows");
}

}  // namespace

Curve helix_curve(const HelixOptions& options, int segments, const Vec3d* normal) {
  check_segments(segments, 1);
  require(is_finite(options.center), "center", "must be finite");
  require(options.turns > 0 && std::isfinite(options.turns), "turns", "must be greater than 0");
  require(std::isfinite(options.pitch), "pitch", "must be finite");
  check_profile(options.radius);
  check_flat(options);
  const Vec3d axis = unit_axis(options.axis, "axis");
  const Vec3d u = start_side(axis, normal), v = cross(axis, u);

  // x(f) = center + r(f) e(phi) + f turns pitch axis, phi = 2 pi turns f
  const double rate = 2 * pi * options.turns, climb = options.turns * options.pitch;
  ParametricCurve coil;
  coil.point = [&](double f) {
    const double c = std::cos(rate * f), s = std::sin(rate * f);
    return options.center + profile_at(options.radius, f).radius * (c * u + s * v) + (climb * f) * axis;
  };
  coil.derivative = [&](double f) {
    const double c = std::cos(rate * f), s = std::sin(rate * f);
    const auto [radius, slope] = profile_at(options.radius, f);
    return slope * (c * u + s * v) + (rate * radius) * (c * v - s * u) + climb * axis;
  };
  if (options.radius.size() > 1) {
    coil.breaks.push_back(0);
    for (const auto& row : options.radius)
      if (row[0] > 0 && row[0] < 1) coil.breaks.push_back(row[0]);
    coil.breaks.push_back(1);
    return cut_evenly(coil, segments);
  }

  // with one radius equal angles are equal lengths
  std::vector<Vec3d> points(segments + 1), tangents(segments + 1);
  for (int i = 0; i <= segments; ++i) {
    points[i] = coil.point(double(i) / segments);
    tangents[i] = normalized(coil.derivative(double(i) / segments));
  }
  return make_chain(std::move(points), std::move(tangents), false);
}

Key::Variant helix_keys() {
  return {"helix",
          "a right-handed coil about an axis; it starts in the plane of `center`, on the side of the rod's normal",
          {{.name = "center",
            .types = {vec3},
            .unit = "m",
            .default_text = default_text(HelixOptions{}.center),
            .meaning = "where the axis starts"},
           {.name = "axis",
            .types = {vec3},
            .unit = "-",
            .default_text = default_text(HelixOptions{}.axis),
            .meaning = "direction in which the coil climbs",
            .nonzero = true},
           {.name = "radius",
            .types = {number, rows},
            .unit = "m",
            .meaning = "radius, or radius over the fraction of the turns, with straight lines between",
            .required = true,
            .minimum = 0,
            .width = 2,
            .along = "fraction"},
           {.name = "pitch",
            .types = {number},
            .unit = "m",
            .meaning = "climb per turn; negative: left-handed, against the axis",
            .required = true},
           {.name = "turns",
            .types = {number},
            .unit = "-",
            .meaning = "number of turns",
            .required = true,
            .positive = true}}};
}

HelixOptions read_helix(const Table& table) {
  HelixOptions options;
  options.center = table.vec3("center");
  options.axis = table.vec3("axis");
  options.pitch = table.number("pitch");
  options.turns = table.number("turns");
  if (table.is_number("radius")) {
    options.radius = {{0, table.number("radius")}};
  } else {
    for (const auto& row : table.rows("radius")) options.radius.push_back({row[0], row[1]});
  }
  return options;
}

}  // namespace tendril::scene
