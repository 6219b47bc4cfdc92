#pragma once

#include "io/formats/line_paths.h"
#include "scene/curve.h"

namespace tendril::scene {

// points joined by edges, as a file gives them: chains, loops, branches, in one piece or in several
struct LineGraph {
  std::vector<Vec3d> points;      // [m]
  std::vector<double> radius;     // (point) [m]; empty: not given
  std::vector<Edge> edges;        // no edge twice, none from a point to itself
  bool smooth = false;            // paths are Catmull-Rom curves through their points, not straight between them
  std::vector<Vec3d> color = {};  // (point) linear RGB; empty: not given
};

// a longest path through points that have exactly two neighbours; a loop ends where it starts
using Path = std::vector<int>;
std::vector<Path> paths(const LineGraph& graph);

struct ResampleOptions {
  int segments = 0;         // in all, shared out by length; 0: see longest_edge
  double longest_edge = 0;  // cut every path into equal edges of at most this length [m]; 0: keep the points
};

// a chain when the graph is one path, otherwise a graph in the file's own order; points that no edge uses are left out
Curve graph_curve(const LineGraph& graph, const ResampleOptions& options);

}  // namespace tendril::scene
