#include <chrono>
#include <limits>

#include "math/random.h"
#include "scene/curve_checks.h"
#include "scene/generators/tree.h"

namespace tendril::scene {
namespace {

enum { trunk, branch, twig, leaf };

TEST(Tree, HasExactlyTheVerticesAskedFor) {
  for (int vertices : {3316, 3317, 5000, 20001}) {
    TreeOptions options;
    options.vertices = vertices;
    const Curve tree = tree_curve(options);
    expect_sound(tree);
    EXPECT_EQ(static_cast<int>(tree.points.size()), vertices);
    EXPECT_EQ(static_cast<int>(tree.edges.size()), vertices - 1);
    EXPECT_EQ(component_count(tree), 1);
    EXPECT_EQ(loop_count(tree), 0);
    EXPECT_FALSE(tree.chain);
  }
}

TEST(Tree, PointsAwayFromItsRootParentsFirst) {
  const Curve tree = tree_curve({});
  std::vector<char> reached(tree.points.size(), false);
  reached[0] = true;
  for (const auto& [a, b] : tree.edges) {
    ASSERT_TRUE(reached[a] && !reached[b]);
    reached[b] = true;
  }
}

TEST(Tree, HasAllItsParts) {
  const TreeOptions options;
  const Curve tree = tree_curve(options);
  EXPECT_EQ(tree.part_names, (std::vector<std::string>{"trunk", "branch", "twig", "leaf"}));
  std::array<int, 4> count{};
  for (int part : tree.part) ++count[part];
  EXPECT_EQ(count[leaf], options.branching * options.branching * options.leaves);  // one segment each
  EXPECT_GT(count[trunk], 20);
  EXPECT_GT(count[branch], 200);
  EXPECT_GT(count[twig], 500);
}

// the pipe model: beyond the twigs' own r_twig², the sections of the edges that leave a vertex add up to what arrives
TEST(Tree, ConservesItsSectionAtForks) {
  const TreeOptions options;
  const Curve tree = tree_curve(options);
  const double thin = options.twig_radius * options.twig_radius;
  const double thick = options.trunk_radius * options.trunk_radius;
  double wood = 0;
  for (size_t e = 0; e < tree.edges.size(); ++e)
    if (tree.part[e] != leaf) wood += edge_length(tree, e);
  std::vector<double> arrives(tree.points.size(), 0), leaves(tree.points.size(), 0);
  std::vector<int> children(tree.points.size(), 0);
  for (size_t e = 0; e < tree.edges.size(); ++e) {
    if (tree.part[e] == leaf) {
      EXPECT_EQ(tree.radius[e], options.leaf_radius);
      continue;
    }
    // the radius is that of the middle of the edge: half of it less or more wood at its ends
    const double area = tree.radius[e] * tree.radius[e] - thin,
                 half = 0.5 * (thick - thin) * edge_length(tree, e) / wood;
    arrives[tree.edges[e][1]] = area - half;
    leaves[tree.edges[e][0]] += area + half;
    ++children[tree.edges[e][0]];
  }
  for (size_t i = 1; i < tree.points.size(); ++i)
    if (children[i] > 0) {
      EXPECT_NEAR(arrives[i], leaves[i], 1e-12);
    }
  EXPECT_NEAR(leaves[0], thick - thin, 1e-12);
}

TEST(Tree, IsTheSameForTheSameSeed) {
  TreeOptions options;
  options.seed = 7;
  const Curve first = tree_curve(options), second = tree_curve(options);
  EXPECT_EQ(first.points, second.points);
  EXPECT_EQ(first.edges, second.edges);
  options.seed = 8;
  EXPECT_NE(tree_curve(options).points, first.points);
}

// the tree's shape does not hang on its resolution: the tip of the trunk converges
TEST(Tree, IsTheSameTreeAtEveryResolution) {
  const auto tip = [](int vertices) {
    TreeOptions options;
    options.vertices = vertices;
    const Curve tree = tree_curve(options);
    int last = 0;
    for (size_t e = 0; e < tree.edges.size(); ++e)
      if (tree.part[e] == trunk) last = tree.edges[e][1];
    return tree.points[last];
  };
  EXPECT_LT(norm(tip(4000) - tip(40000)), 0.01);
  EXPECT_LT(norm(tip(20000) - tip(40000)), 0.001);
}

TEST(Tree, StandsUprightAndStaysAboveTheGround) {
  for (int seed = 0; seed < 20; ++seed) {
    TreeOptions options;
    options.seed = seed;
    options.base = {1, 2, 3};
    const Curve tree = tree_curve(options);
    EXPECT_EQ(tree.points[0], options.base);
    double top = 0;
    for (size_t i = 1; i < tree.points.size(); ++i) {
      ASSERT_GT(tree.points[i].z, 3) << "seed " << seed;
      top = std::max(top, tree.points[i].z - 3);
    }
    EXPECT_GT(top, 0.9 * options.height);
    EXPECT_LT(top, 1.4 * options.height);
  }
}

TEST(Tree, GrowsLargeInNoTime) {
  TreeOptions options;
  options.levels = 4;
  options.branching = 12;
  options.vertices = 60'000;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(tree_curve(options).points.size(), 60'000u);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 1.0);
}

TEST(Tree, CanBeATrunkOrABush) {
  TreeOptions options;
  options.levels = 1;
  options.leaves = 0;
  options.vertices = 2;
  EXPECT_EQ(tree_curve(options).edges.size(), 1u);
  options.levels = 2;
  options.leaves = 3;
  options.vertices = 200;
  const Curve bush = tree_curve(options);
  EXPECT_EQ(std::count(bush.part.begin(), bush.part.end(), int{twig}), 0);
  EXPECT_GT(std::count(bush.part.begin(), bush.part.end(), int{branch}), 14);
}

TEST(Tree, RefusesBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const char* key, auto change) {
    TreeOptions options;
    change(options);
    expect_refused(key, [&] { tree_curve(options); });
  };
  refused("height", [](auto& o) { o.height = 0; });
  refused("height", [&](auto& o) { o.height = nan; });
  refused("base", [&](auto& o) { o.base.x = nan; });
  refused("trunk_radius", [](auto& o) { o.trunk_radius = -1; });
  refused("twig_radius", [](auto& o) { o.twig_radius = 1; });
  refused("levels", [](auto& o) { o.levels = 0; });
  refused("levels", [](auto& o) { o.levels = 100; });
  refused("branching", [](auto& o) { o.branching = 0; });
  refused("angle", [](auto& o) { o.angle = 0; });
  refused("leaves", [](auto& o) { o.leaves = -1; });
  refused("vertices", [](auto& o) { o.vertices = 100; });  // fewer than its shoots
  refused("vertices", [](auto& o) { o.vertices = 2'000'000'000; });
  refused("vertices", [](auto& o) { o.levels = 8, o.branching = 1000; });
}

// the reference sequence of splitmix64 for seed 1234567
TEST(Random, IsSplitmix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

}  // namespace
}  // namespace tendril::scene
