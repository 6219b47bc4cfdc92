#pragma once

#include <string>

#include "io/strands.h"
#include "scene/curve.h"
#include "scene/curves/line_graph.h"

namespace tendril::scene {

// the strands of a file
struct CurveFileOptions {
  std::string path;      // in any format that rods are read from
  double scale = 1;      // on all coordinates and radii
  double resample = 0;   // longest edge [m]; 0: the file's own points
  std::string up = "z";  // axis of the file that becomes the world's z, where the file does not say itself
  std::string thickness = "diameter";  // what a .hair file means by it: "diameter" or "radius"
};

Curve file_curve(const CurveFileOptions& options, int segments);

// strands that share points are joined there; errors are CurveErrors at the key `path`
LineGraph line_graph(const Strands& strands);

Key::Variant file_keys();
CurveFileOptions read_curve_file(const Table& table);

}  // namespace tendril::scene
