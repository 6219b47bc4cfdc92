#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/formats/usda_text.h"
#include "math/mat3.h"

namespace tendril::io {

// an attribute of numbers, its rows one after the other
struct UsdaAttribute {
  using Sample = std::pair<double, std::vector<double>>;  // time code, values

  std::vector<double> value;
  std::vector<Sample> samples;  // by their time codes
  std::vector<std::string> texts;
  std::string interpolation;  // "vertex", "constant" …; empty: not said

  const std::vector<double>& first() const { return samples.empty() ? value : samples.front().second; }
};
using UsdaAttributes = std::map<std::string, UsdaAttribute, std::less<>>;

// x -> linear x + shift
struct Affine {
  Mat3d linear = Mat3d::identity();
  Vec3d shift;

  Vec3d operator()(const Vec3d& x) const { return linear * x + shift; }
  Affine operator()(const Affine& inner) const { return {linear * inner.linear, (*this)(inner.shift)}; }
};

struct UsdaCurves {
  std::string name;  // of the prim
  UsdaAttributes attributes;
  Affine to_world;
};

// what a .usda file says of curves and meshes
struct UsdaStage {
  std::vector<UsdaCurves> curves;  // BasisCurves
  std::vector<UsdaCurves> meshes;  // Mesh, of which the points are read
  double meters_per_unit = 0.01;   // these are what the format takes when a file does not say
  double codes_per_second = 24, frames_per_second = 24;
  int up = 1;  // y
  std::string title;
};

UsdaStage parse_usda(UsdaText in);

// the prim's own transformation by its xformOps; `resets`: its parents' do not count
Affine local_transform(const UsdaAttributes& attributes, const UsdaText& in, bool& resets);

}  // namespace tendril::io
