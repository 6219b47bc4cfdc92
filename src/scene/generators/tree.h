#pragma once

#include "scene/curve.h"

namespace tendril::scene {

// how a tree puts out its side shoots
enum class Habit {
  spreading,  // round about, in the spiral of the golden angle: a broad-leaved tree
  weeping,    // the same, but the shoots of the last level hang: a willow
  whorled,    // several at one height of the trunk, short near the top; twigs to both sides: a conifer
};

// a tree: trunk, branches, twigs and leaves; the same seed gives the same tree at every resolution
struct TreeOptions {
  Habit habit = Habit::spreading;
  Vec3d base;                  // foot of the trunk [m]
  double height = 6;           // length of the trunk [m]
  double trunk_radius = 0.12;  // at the foot [m]
  double twig_radius = 0.002;  // at every tip of wood [m]
  int levels = 3;              // orders of wood: 1 trunk, 2 with branches, 3 with twigs on them, …
  int boughs = 0;              // side shoots of the trunk; 0: as many as `branching`
  int branching = 14;          // side shoots of every branch
  int whorl = 5;               // of them at one height, when `whorled`
  double crown_base = 0.22;    // fraction of the trunk below the lowest branch [-]
  double angle = 1.0;          // between a side shoot and what it grows from [rad]
  double length_ratio = 0.5;   // longest side shoot over its parent [-]
  double twig_length = 0;      // of the shoots of the last level [m]; 0: by `length_ratio`
  double gravitropism = 0.35;  // how far shoots turn upward over their length [rad]; negative: weeping
  double crookedness = 0.35;   // how far shoots wander from a straight line [rad]
  int leaves = 8;              // on every shoot of the last level
  double leaf_length = 0.11;   // [m]
  double leaf_radius = 0.004;  // [m]
  int seed = 0;
  int vertices = 3316;  // exactly; segments are one fewer

  int side_shoots(int level) const { return level == 0 && boughs > 0 ? boughs : branching; }
};

Curve tree_curve(const TreeOptions& options);

Key::Variant tree_keys();
TreeOptions read_tree(const Table& table, int segments);

}  // namespace tendril::scene
