#pragma once

#include <functional>
#include <string>
#include <vector>

#include "math/quat.h"
#include "math/vec3.h"

namespace tendril::io {

// a path through the points of Strands: a hair, a yarn, a branch
struct Strand {
  std::string name;         // may be empty
  std::vector<int> points;  // at least two; a closed one does not repeat its first
  bool closed = false;
  Vec3d color{0.7, 0.7, 0.7};  // linear RGB in [0, 1]

  int segment_count() const { return static_cast<int>(points.size()) - (closed ? 0 : 1); }
};

// curves as a file holds them, at one moment. Strands that share points branch or join there.
struct Strands {
  std::vector<Strand> strands;
  std::vector<Vec3d> points;        // [m]
  std::vector<double> radius;       // (point) [m]; empty: the file has none
  bool one_radius_for_all = false;  // the file gives its radius once, as a default
  bool smooth = false;              // Catmull-Rom through the points; otherwise straight between them
};

// where the points are at one time
struct Moment {
  double time = 0;          // [s]
  std::vector<Vec3d> x, v;  // (point) [m], [m/s]; v empty: not known
  std::vector<Quatd>
      q;  // material frame to world, d3 along the strand (segment of each strand in turn); empty: not known
};

// strands that move, brought one moment at a time since all of them may not fit in memory
struct Take {
  Strands strands;  // as at the first moment
  std::vector<double> times;
  double frame_rate = 30;  // [1/s]
  std::string title;
  std::function<Moment(int)> moment;
};

}  // namespace tendril::io
