#pragma once

#include <array>
#include <vector>

#include "layers.h"

namespace tendril::io {

using Edge = std::array<int, 2>;  // two points

struct LinePath {
  std::vector<int> points;  // a loop ends where it starts
  int first_edge = 0;
};

// The longest paths along edges that pass only through points with `passable` set, each of which two edges share; every
// edge is in one of them. They run along the direction of their first edge where they can.
std::vector<LinePath> longest_paths(const std::vector<Edge>& edges, const std::vector<char>& passable);

}  // namespace tendril::io
