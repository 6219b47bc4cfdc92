#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/default_text.h"
#include "scene/generators/tree.h"

namespace tendril {

using enum KeyType;

namespace {

// a length of the tree
Key length_key(const char* name, double value, const char* meaning) {
  return {.name = name,
          .types = {number},
          .unit = "m",
          .default_text = default_text(value),
          .meaning = meaning,
          .positive = true};
}

Key ratio_key(const char* name, double value, const char* meaning) {
  return {.name = name,
          .types = {number},
          .unit = "-",
          .default_text = default_text(value),
          .meaning = meaning,
          .minimum = 0,
          .maximum = 1};
}

Key angle_key(const char* name, double value, const char* meaning, double minimum) {
  return {.name = name,
          .types = {number},
          .unit = "rad",
          .default_text = default_text(value),
          .meaning = meaning,
          .minimum = minimum};
}

Key count_key(const char* name, int value, const char* meaning, int minimum) {
  return {.name = name,
          .types = {integer},
          .default_text = default_text(value),
          .meaning = meaning,
          .minimum = double(minimum)};
}

}  // namespace

Key::Variant tree_keys() {
  const TreeOptions standard;
  return {
      "tree",
      "a broad-leaved tree with the parts trunk, branch, twig and leaf; its thickness follows the wood that it feeds",
      {{.name = "base",
        .types = {vec3},
        .unit = "m",
        .default_text = default_text(standard.base),
        .meaning = "foot of the trunk"},
       length_key("height", standard.height, "length of the trunk"),
       length_key("trunk_radius", standard.trunk_radius, "radius at the foot"),
       length_key("twig_radius", standard.twig_radius, "radius at every tip of wood"),
       count_key("levels", standard.levels, "orders of wood: 1 trunk, 2 with branches, 3 with twigs on them, …", 1),
       count_key("branching", standard.branching, "side shoots of every trunk or branch", 1),
       ratio_key("crown_base", standard.crown_base, "fraction of the trunk below the lowest branch"),
       angle_key("angle", standard.angle, "between a side shoot and what it grows from", 0),
       ratio_key("length_ratio", standard.length_ratio, "longest side shoot over its parent"),
       angle_key("gravitropism", standard.gravitropism, "how far shoots turn upward; negative: weeping", -4),
       angle_key("crookedness", standard.crookedness, "how far shoots wander from a straight line", 0),
       count_key("leaves", standard.leaves, "leaves on every shoot of the last level, one segment each", 0),
       length_key("leaf_length", standard.leaf_length, "length of a leaf"),
       length_key("leaf_radius", standard.leaf_radius, "radius of a leaf"),
       count_key("seed", standard.seed, "another seed is another tree", 0),
       count_key("vertices", standard.vertices,
                 "how many vertices, exactly, one more than segments; unset: the rod's `segments` + 1, or this", 2)}};
}

TreeOptions read_tree(const Table& table, int segments) {
  TreeOptions options;
  options.base = table.vec3("base");
  options.height = table.number("height");
  options.trunk_radius = table.number("trunk_radius");
  options.twig_radius = table.number("twig_radius");
  options.levels = table.integer("levels");
  options.branching = table.integer("branching");
  options.crown_base = table.number("crown_base");
  options.angle = table.number("angle");
  options.length_ratio = table.number("length_ratio");
  options.gravitropism = table.number("gravitropism");
  options.crookedness = table.number("crookedness");
  options.leaves = table.integer("leaves");
  options.leaf_length = table.number("leaf_length");
  options.leaf_radius = table.number("leaf_radius");
  options.seed = table.integer("seed");
  options.vertices = table.integer("vertices");
  if (segments != 0) {
    require(!table.has("vertices") || options.vertices - 1 == segments, "vertices",
            "and the rod's `segments` do not agree: a tree has one segment fewer than vertices; give one of them");
    check_segments(segments, 1);
    options.vertices = segments + 1;
  }
  return options;
}

}  // namespace tendril
