#pragma once

#include <iosfwd>
#include <string>

#include "scene/curve.h"
#include "scene/curves/line_graph.h"

namespace tendril {

// a line graph from a file
struct FileOptions {
  std::string path;     // .obj with `v` and `l`
  double scale = 1;     // on all coordinates
  double resample = 0;  // longest edge [m]; 0: the file's own points
};

Curve file_curve(const FileOptions& options, int segments);

// the `v` and `l` lines of Wavefront OBJ; points without a line are left out, all else is passed over
LineGraph read_obj(std::istream& in);

Key::Variant file_keys();
FileOptions read_file(const Table& table);

}  // namespace tendril
