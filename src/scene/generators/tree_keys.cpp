#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/generators/generator_keys.h"
#include "scene/generators/tree.h"

namespace tendril {

Key::Variant tree_keys() {
  using namespace generator_keys;
  const TreeOptions o;
  return {"tree",
          "a tree with the parts trunk, branch, twig and leaf; its thickness follows the wood that it feeds",
          {key_words::text("habit",
                           "how side shoots grow: round about; the same with hanging twigs; or several at one height")
               .by_default("\"spreading\"")
               .one_of({"spreading", "weeping", "whorled"}),
           point("base", o.base, "foot of the trunk"),
           length("height", o.height, "length of the trunk"),
           length("trunk_radius", o.trunk_radius, "radius at the foot"),
           length("twig_radius", o.twig_radius, "radius at every tip of wood"),
           count("levels", o.levels, "orders of wood: 1 trunk, 2 with branches, 3 with twigs on them, …"),
           count("boughs", o.boughs, "side shoots of the trunk; 0: as many as `branching`").at_least(0),
           count("branching", o.branching, "side shoots of every trunk or branch"),
           count("whorl", o.whorl, "of the boughs at one height, when `whorled`"),
           ratio("crown_base", o.crown_base, "fraction of the trunk below the lowest branch").between(0, 1),
           angle("angle", o.angle, "between a side shoot and what it grows from").at_least(0),
           ratio("length_ratio", o.length_ratio, "longest side shoot over its parent").between(0, 1),
           key_words::number("twig_length", "m", "length of the shoots of the last level; 0: by `length_ratio`")
               .by_default("0")
               .at_least(0),
           angle("gravitropism", o.gravitropism, "how far shoots turn upward; negative: weeping").at_least(-4),
           angle("crookedness", o.crookedness, "how far shoots wander from a straight line").at_least(0),
           count("leaves", o.leaves, "leaves on every shoot of the last level, one segment each").at_least(0),
           length("leaf_length", o.leaf_length, "length of a leaf"),
           length("leaf_radius", o.leaf_radius, "radius of a leaf"),
           count("seed", o.seed, "another seed is another tree").at_least(0),
           count("vertices", o.vertices,
                 "how many vertices, exactly, one more than segments; unset: the rod's `segments` + 1, or this")
               .at_least(2)}};
}

TreeOptions read_tree(const Table& table, int segments) {
  TreeOptions options;
  const std::string habit = table.text("habit");
  options.habit = habit == "weeping" ? Habit::weeping : habit == "whorled" ? Habit::whorled : Habit::spreading;
  options.base = table.vec3("base");
  options.height = table.number("height");
  options.trunk_radius = table.number("trunk_radius");
  options.twig_radius = table.number("twig_radius");
  options.levels = table.integer("levels");
  options.boughs = table.integer("boughs");
  options.branching = table.integer("branching");
  options.whorl = table.integer("whorl");
  options.crown_base = table.number("crown_base");
  options.angle = table.number("angle");
  options.length_ratio = table.number("length_ratio");
  options.twig_length = table.number("twig_length");
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
