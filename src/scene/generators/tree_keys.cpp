#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/generators/generator_keys.h"
#include "scene/generators/tree.h"

namespace tendril::scene {

namespace {

const generator_keys::GeneratorKeys<TreeOptions>& keys() {
  using namespace generator_keys;
  using O = TreeOptions;
  static const GeneratorKeys<O> keys =
      GeneratorKeys<O>(
          "tree", "a tree with the parts trunk, branch, twig and leaf; its thickness follows the wood that it feeds")
          .add(&O::habit,
               key_words::text("habit",
                               "how side shoots grow: round about; the same with hanging twigs; or several at one "
                               "height"),
               {{"spreading", Habit::spreading}, {"weeping", Habit::weeping}, {"whorled", Habit::whorled}})
          .add(&O::base, point("base", "foot of the trunk"))
          .add(&O::height, length("height", "length of the trunk"))
          .add(&O::trunk_radius, length("trunk_radius", "radius at the foot"))
          .add(&O::twig_radius, length("twig_radius", "radius at every tip of wood"))
          .add(&O::levels, count("levels", "orders of wood: 1 trunk, 2 with branches, 3 with twigs on them, …"))
          .add(&O::boughs, count("boughs", "side shoots of the trunk; 0: as many as `branching`").at_least(0))
          .add(&O::branching, count("branching", "side shoots of every trunk or branch"))
          .add(&O::whorl, count("whorl", "of the boughs at one height, when `whorled`"))
          .add(&O::crown_base, ratio("crown_base", "fraction of the trunk below the lowest branch").between(0, 1))
          .add(&O::angle, angle("angle", "between a side shoot and what it grows from").at_least(0))
          .add(&O::length_ratio, ratio("length_ratio", "longest side shoot over its parent").between(0, 1))
          .add(&O::twig_length,
               key_words::number("twig_length", "m", "length of the shoots of the last level; 0: by `length_ratio`")
                   .at_least(0))
          .add(&O::gravitropism, angle("gravitropism", "how far shoots turn upward; negative: weeping").at_least(-4))
          .add(&O::crookedness, angle("crookedness", "how far shoots wander from a straight line").at_least(0))
          .add(&O::leaves, count("leaves", "leaves on every shoot of the last level, one segment each").at_least(0))
          .add(&O::leaf_length, length("leaf_length", "length of a leaf"))
          .add(&O::leaf_radius, length("leaf_radius", "radius of a leaf"))
          .add(&O::seed, count("seed", "another seed is another tree").at_least(0))
          .add(&O::vertices,
               count("vertices",
                     "how many vertices, exactly, one more than segments; unset: the rod's `segments` + 1, or this")
                   .at_least(2));
  return keys;
}

}  // namespace

Key::Variant tree_keys() { return keys().list(); }

TreeOptions read_tree(const Table& table, int segments) {
  TreeOptions options = keys().read(table);
  if (segments != 0) {
    require(!table.has("vertices") || options.vertices - 1 == segments, "vertices",
            "and the rod's `segments` do not agree: a tree has one segment fewer than vertices; give one of them");
    check_segments(segments, 1);
    options.vertices = segments + 1;
  }
  return options;
}

}  // namespace tendril::scene
