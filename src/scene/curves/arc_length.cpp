#include "scene/curves/arc_length.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"

namespace tendril::scene {
namespace {

// a stretch of the parameter over which one Gauss rule gives the length
struct Panel {
  double begin = 0, end = 0;  // parameter
  double length = 0;          // [m]
};

// 8 Gauss-Legendre points: exact for polynomials of degree 15
double gauss_length(const ParametricCurve& curve, double begin, double end) {
  constexpr double node[4] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674, 0.96028985649753623};
  constexpr double weight[4] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447, 0.10122853629037626};
  const double middle = 0.5 * (begin + end), half = 0.5 * (end - begin);
  double sum = 0;
  for (int k = 0; k < 4; ++k)
    sum +=
        weight[k] * (norm(curve.derivative(middle - half * node[k])) + norm(curve.derivative(middle + half * node[k])));
  return half * sum;
}

// halves the panel until both halves together agree with it
void refine(const ParametricCurve& curve, const Panel& panel, double tolerance, int depth, std::vector<Panel>& panels) {
  const double middle = 0.5 * (panel.begin + panel.end);
  const Panel left{panel.begin, middle, gauss_length(curve, panel.begin, middle)};
  const Panel right{middle, panel.end, gauss_length(curve, middle, panel.end)};
  if (depth == 0 || std::abs(left.length + right.length - panel.length) <= tolerance) {
    panels.push_back(left);
    panels.push_back(right);
    return;
  }
  refine(curve, left, tolerance, depth - 1, panels);
  refine(curve, right, tolerance, depth - 1, panels);
}

std::vector<Panel> measure(const ParametricCurve& curve) {
  assert(curve.breaks.size() >= 2);
  constexpr int pieces = 8;  // per smooth stretch, so that no feature is missed by the first rule
  constexpr int depth = 30;  // a cusp stops here, with an error far below the tolerance
  std::vector<Panel> coarse;
  double total = 0;
  for (size_t k = 0; k + 1 < curve.breaks.size(); ++k) {
    const double begin = curve.breaks[k], width = (curve.breaks[k + 1] - begin) / pieces;
    for (int piece = 0; piece < pieces; ++piece) {
      Panel panel{begin + piece * width, begin + (piece + 1) * width, 0};
      panel.length = gauss_length(curve, panel.begin, panel.end);
      total += panel.length;
      coarse.push_back(panel);
    }
  }
  require(std::isfinite(total) && total > 0, "", "the curve has no finite length: check its numbers");
  std::vector<Panel> panels;
  for (const Panel& panel : coarse) refine(curve, panel, 1e-14 * total, depth, panels);
  return panels;
}

// the parameter at which the length from the panel's begin is `length`: Newton's method, kept inside the panel
double parameter_at(const ParametricCurve& curve, const Panel& panel, double length) {
  double low = panel.begin, high = panel.end;
  double u = low + (high - low) * length / panel.length;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double error = gauss_length(curve, panel.begin, u) - length;
    (error > 0 ? high : low) = u;
    double next = u - error / norm(curve.derivative(u));
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    if (std::abs(next - u) <= 1e-15 * (panel.end - panel.begin)) return next;
    u = next;
  }
  return u;
}

}  // namespace

double arc_length(const ParametricCurve& curve) {
  double total = 0;
  for (const Panel& panel : measure(curve)) total += panel.length;
  return total;
}

Curve cut_evenly(const ParametricCurve& curve, int segments) {
  check_segments(segments, 1);
  const std::vector<Panel> panels = measure(curve);
  double total = 0;
  for (const Panel& panel : panels) total += panel.length;

  std::vector<Vec3d> points, tangents;
  points.reserve(segments + 1);
  tangents.reserve(segments + 1);
  size_t current = 0;
  double passed = 0;  // length before the current panel
  for (int i = 0; i <= segments; ++i) {
    const double target = total * i / segments;
    while (current + 1 < panels.size() && passed + panels[current].length < target) passed += panels[current++].length;
    const double u = i == 0          ? curve.breaks.front()
                     : i == segments ? curve.breaks.back()
                                     : parameter_at(curve, panels[current], target - passed);
    points.push_back(curve.point(u));
    tangents.push_back(normalized(curve.derivative(u)));
  }
  return make_chain(std::move(points), std::move(tangents), false);
}

}  // namespace tendril::scene
