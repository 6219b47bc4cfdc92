#include "scene/curves/knot.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/curves/arc_length.h"
#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/default_text.h"
#include "scene/curves/spline.h"

namespace tendril::scene {

using enum KeyType;
namespace {

// first halves of knots that lie at ease: relaxed under tension, bending and a repulsion of far points.
// x runs along the tails and spans 1; the second half is the first one turned by pi about y
const std::vector<Vec3d> overhand = {{-0.500, 0.000, 0.000},  {-0.389, 0.026, -0.014}, {-0.303, 0.056, -0.024},
                                     {-0.214, 0.075, -0.016}, {-0.128, 0.071, 0.015},  {-0.053, 0.038, 0.055},
                                     {0.018, -0.016, 0.072},  {0.089, -0.065, 0.044},  {0.151, -0.076, -0.021},
                                     {0.189, -0.036, -0.093}, {0.196, 0.041, -0.140},  {0.172, 0.128, -0.146},
                                     {0.125, 0.200, -0.116},  {0.065, 0.244, -0.063},  {0.000, 0.259, 0.000}};
const std::vector<Vec3d> figure_eight = {{-0.500, 0.000, 0.000},  {-0.351, 0.029, 0.008},   {-0.233, 0.053, 0.027},
                                         {-0.115, 0.054, 0.059},  {-0.001, 0.016, 0.072},   {0.065, -0.064, 0.016},
                                         {0.034, -0.150, -0.059}, {-0.066, -0.213, -0.066}, {-0.163, -0.214, 0.003},
                                         {-0.212, -0.158, 0.098}, {-0.214, -0.064, 0.174},  {-0.183, 0.049, 0.205},
                                         {-0.130, 0.153, 0.177},  {-0.066, 0.221, 0.099},   {0.000, 0.244, 0.000}};

CubicSpline knot_spline(const std::string& kind, double size) {
  require(kind == "overhand" || kind == "figure_eight", "kind", "must be \"overhand\" or \"figure_eight\"");
  const std::vector<Vec3d>& half = kind == "overhand" ? overhand : figure_eight;
  std::vector<Vec3d> points;
  for (const Vec3d& p : half) points.push_back(size * p);
  for (size_t k = half.size() - 1; k-- > 0;) points.push_back(size * Vec3d{-half[k].x, half[k].y, -half[k].z});
  return CubicSpline(std::move(points), {1, 0, 0}, {1, 0, 0});
}

}  // namespace

Curve knot_curve(const KnotOptions& options, int segments, const Vec3d* normal) {
  check_segments(segments, 1);
  require(options.size > 0 && std::isfinite(options.size), "size", "must be greater than 0");
  require(options.tail >= 0 && std::isfinite(options.tail), "tail", "must be finite and not negative");
  require(is_finite(options.center), "center", "must be finite");
  const Vec3d ex = unit_axis(options.axis, "axis");
  const Vec3d ey = start_side(ex, normal), ez = cross(ex, ey);
  const CubicSpline spline = knot_spline(options.kind, options.size);
  const double end = spline.knots().back(), half = 0.5 * options.size, tail = options.tail;

  // the parameter runs from -tail over the spline's own [0, end] to end + tail
  ParametricCurve knot;
  knot.point = [&](double u) {
    const Vec3d p = u < 0 ? Vec3d{u - half, 0, 0} : u > end ? Vec3d{u - end + half, 0, 0} : spline.point(u);
    return options.center + p.x * ex + p.y * ey + p.z * ez;
  };
  knot.derivative = [&](double u) {
    const Vec3d d = u < 0 || u > end ? Vec3d{1, 0, 0} : spline.derivative(u);
    return d.x * ex + d.y * ey + d.z * ez;
  };
  if (tail > 0) knot.breaks.push_back(-tail);
  knot.breaks.insert(knot.breaks.end(), spline.knots().begin(), spline.knots().end());
  if (tail > 0) knot.breaks.push_back(end + tail);

  // fewer segments in the knotted part cannot follow the loops without cutting through them
  constexpr int least_in_knot = 16;
  const double length = arc_length(knot);
  const double least = std::ceil(least_in_knot * length / (length - 2 * tail));
  if (segments < least)
    throw CurveError("", fmt::format("`segments` is {}, this knot needs at least {}", segments, least));
  return cut_evenly(knot, segments);
}

Key::Variant knot_keys() {
  const KnotOptions standard;
  return {"knot",
          "a loose open knot with straight tails; its loop stands on the side of the rod's normal",
          {{.name = "kind",
            .types = {text},
            .default_text = default_text(standard.kind),
            .meaning = "which knot",
            .choices = {"overhand", "figure_eight"}},
           {.name = "size",
            .types = {number},
            .unit = "m",
            .meaning = "length of the knotted part along the tails",
            .required = true,
            .positive = true},
           {.name = "tail",
            .types = {number},
            .unit = "m",
            .default_text = default_text(standard.tail),
            .meaning = "length of each straight tail",
            .minimum = 0},
           {.name = "center",
            .types = {vec3},
            .unit = "m",
            .default_text = default_text(standard.center),
            .meaning = "middle of the knot"},
           {.name = "axis",
            .types = {vec3},
            .unit = "-",
            .default_text = default_text(standard.axis),
            .meaning = "direction of the tails, from start to end",
            .nonzero = true}}};
}

KnotOptions read_knot(const Table& table) {
  return {table.text("kind"), table.number("size"), table.number("tail"), table.vec3("center"), table.vec3("axis")};
}

}  // namespace tendril::scene
