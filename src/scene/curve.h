#pragma once

#include <array>
#include <string>
#include <vector>

#include "math/vec3.h"
#include "scene/key.h"
#include "scene/table.h"

namespace tendril::scene {

// a shape cut into straight edges: a chain, a loop or any graph
struct Curve {
  std::vector<Vec3d> points;              // [m]
  std::vector<std::array<int, 2>> edges;  // point indices; a chain has {0,1}, {1,2}, …; a closed one ends with {n-1, 0}
  std::vector<Vec3d> tangents;            // unit tangent of the true curve at each point (chains); empty for graphs
  std::vector<double> radius;             // per edge [m]; empty: the material's own
  std::vector<Vec3d> color;               // per edge, linear RGB, as a file has it; empty: none
  std::vector<int> part;                  // per edge, index into part_names; empty: one part
  std::vector<std::string> part_names;    // "trunk", "cable", … what a rod's `parts` gives materials to
  bool chain = true;                      // edges in order, no branches
  bool closed = false;
};

// the kinds of curves with their keys, for the table of the scene file
std::vector<Key::Variant> curve_types();

// `curve` of a rod; `segments` is 0 when the rod does not say
Curve make_curve(const Table& curve, int segments, const Vec3d* normal);

}  // namespace tendril::scene
