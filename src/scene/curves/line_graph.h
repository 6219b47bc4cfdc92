#pragma once

#include "scene/curve.h"

namespace tendril {

// points joined by edges, as a file gives them: chains, loops, branches, in one piece or in several
struct LineGraph {
  std::vector<Vec3d> points;              // [m]
  std::vector<std::array<int, 2>> edges;  // no edge twice, none from a point to itself
};

// a longest path through points that have exactly two neighbours; a loop ends where it starts
using Strand = std::vector<int>;
std::vector<Strand> strands(const LineGraph& graph);

struct ResampleOptions {
  int segments = 0;         // in all, shared out by length; 0: see longest_edge
  double longest_edge = 0;  // cut every strand into equal edges of at most this length [m]; 0: keep the points
};

// a chain when the graph is one strand, otherwise a graph in the file's own order
Curve graph_curve(const LineGraph& graph, const ResampleOptions& options);

}  // namespace tendril
