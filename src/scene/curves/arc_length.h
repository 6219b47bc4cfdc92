#pragma once

#include <functional>
#include <vector>

#include "scene/curve.h"

namespace tendril::scene {

// a curve by its parameter u, which runs from breaks.front() to breaks.back(); smooth between neighbouring breaks
struct ParametricCurve {
  std::function<Vec3d(double)> point;       // [m]
  std::function<Vec3d(double)> derivative;  // d point / du, zero at isolated u only
  std::vector<double> breaks;               // increasing
};

// length of the whole curve [m], to about 13 digits
double arc_length(const ParametricCurve& curve);

// cuts an open curve into segments of equal arc length; vertices lie on it, tangents are its own
Curve cut_evenly(const ParametricCurve& curve, int segments);

}  // namespace tendril::scene
