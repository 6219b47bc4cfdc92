#pragma once

#include <vector>

#include "math/vec3.h"

namespace tendril {

// the cubic spline through given points with given directions at its ends; its second derivative is continuous
class CubicSpline {
 public:
  // unit directions; the parameter is the length along the chords
  CubicSpline(std::vector<Vec3d> points, const Vec3d& start_direction, const Vec3d& end_direction);

  Vec3d point(double u) const;
  Vec3d derivative(double u) const;
  const std::vector<double>& knots() const { return knots_; }

 private:
  int span(double u) const;

  std::vector<Vec3d> points_, slopes_;
  std::vector<double> knots_;
};

}  // namespace tendril
