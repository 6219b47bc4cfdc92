#pragma once

#include <string>
#include <vector>

#include "io/formats/usda_curves.h"
#include "math/quat.h"

namespace tendril::io {

// The curves of one prim, to be asked where they are. A place is one point of one of its curves.
class MovingCurves {
 public:
  // checks all samples
  MovingCurves(const UsdaStage& stage, UsdaCurves prim, const std::string& file);

  const SampledCurves& curves() const { return curves_; }
  const std::vector<double>& radius() const { return curves_.radius; }  // (place) [m]
  std::vector<double> time_codes() const;                               // of its samples; none: it rests
  bool has_velocities() const { return !velocities_.first().empty(); }
  bool has_frames() const { return !frames_.first().empty(); }

  // at a time code, in metres and z up, behind those of other prims
  void add_points(double code, std::vector<Vec3d>& x) const;
  void add_velocities(double code, std::vector<Vec3d>& v) const;
  void add_frames(double code, std::vector<Quatd>& q) const;

 private:
  void check(const UsdaAttribute& attribute, int width, const std::string& what, const std::string& file) const;

  SampledCurves curves_;
  UsdaAttribute points_, velocities_, frames_;
  Affine to_meters_;
  Quatd turn_;  // the rotation in to_meters_
};

}  // namespace tendril::io
