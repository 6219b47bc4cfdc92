#pragma once

#include "scene/curve.h"

namespace tendril {

// a broad-leaved tree: trunk, branches, twigs and leaves; the same seed gives the same tree at every resolution
struct TreeOptions {
  Vec3d base;                  // foot of the trunk [m]
  double height = 6;           // length of the trunk [m]
  double trunk_radius = 0.12;  // at the foot [m]
  double twig_radius = 0.002;  // at every tip of wood [m]
  int levels = 3;              // orders of wood: 1 trunk, 2 with branches, 3 with twigs on them, …
  int branching = 14;          // side shoots of every trunk or branch
  double crown_base = 0.22;    // fraction of the trunk below the lowest branch [-]
  double angle = 1.0;          // between a side shoot and what it grows from [rad]
  double length_ratio = 0.5;   // longest side shoot over its parent [-]
  double gravitropism = 0.35;  // how far shoots turn upward over their length [rad]; negative: weeping
  double crookedness = 0.35;   // how far shoots wander from a straight line [rad]
  int leaves = 8;              // on every shoot of the last level
  double leaf_length = 0.11;   // [m]
  double leaf_radius = 0.004;  // [m]
  int seed = 0;
  int vertices = 3316;  // exactly; segments are one fewer
};

Curve tree_curve(const TreeOptions& options);

Key::Variant tree_keys();
TreeOptions read_tree(const Table& table, int segments);

}  // namespace tendril
