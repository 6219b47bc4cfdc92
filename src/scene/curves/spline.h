#pragma once

#include <vector>

#include "math/vec3.h"

namespace tendril::scene {

// a smooth curve through given points, cubic between them
class CubicSpline {
 public:
  // the one with given unit directions at its ends and a continuous second derivative; the parameter is the length
  // along the chords
  CubicSpline(std::vector<Vec3d> points, const Vec3d& start_direction, const Vec3d& end_direction);

  // the uniform Catmull-Rom curve: at each point it runs along the line between its neighbours, at an open end straight
  // to the next point. The parameter counts the points; a closed curve comes back to its first.
  static CubicSpline catmull_rom(std::vector<Vec3d> points, bool closed);

  Vec3d point(double u) const;
  Vec3d derivative(double u) const;
  const std::vector<double>& knots() const { return knots_; }

 private:
  CubicSpline() = default;
  int span(double u) const;

  std::vector<Vec3d> points_, slopes_;
  std::vector<double> knots_;
};

}  // namespace tendril::scene
