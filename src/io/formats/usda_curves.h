#pragma once

#include <span>
#include <vector>

#include "io/formats/usda_stage.h"
#include "io/strands.h"

namespace tendril::io {

// a point on a curve as a mixture of its control points
struct Mixture {
  int count = 1;
  int point[4] = {};
  double weight[4] = {1};

  template <class T>
  T of(std::span<const T> values) const {
    if (count == 1) return values[point[0]];
    T sum{};
    for (int k = 0; k < count; ++k) sum += weight[k] * values[point[k]];
    return sum;
  }
};

// The curves of a BasisCurves prim through points that lie on them: straight curves and Catmull-Rom have them already,
// on a B-spline they are the knots, on a Bezier curve the knots and two between each two.
struct SampledCurves {
  std::vector<Strand> strands;
  std::vector<Mixture> points;
  std::vector<double> radius;     // (point) in the prim's own unit; empty: not given
  std::vector<double> point_id;   // (point) the same number: the same point; empty: not given
  std::vector<double> strand_id;  // (strand) their order; empty: not given
  std::size_t control_count = 0;  // control points
  bool smooth = false;
};

SampledCurves sample_curves(const UsdaCurves& curves, const std::string& file);

}  // namespace tendril::io
