// how the habits of trees differ: hanging twigs, whorls and sprays

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/curve_checks.h"
#include "scene/generators/tree.h"

namespace tendril::scene {
namespace {

enum { trunk, branch, twig, leaf };

// a shoot as its points, found again in the curve
using Path = std::vector<Vec3d>;

std::vector<Path> shoots(const Curve& tree, int part) {
  std::vector<Path> paths;
  for (size_t e = 0; e < tree.edges.size(); ++e) {
    if (tree.part[e] != part) continue;
    const auto [a, b] = tree.edges[e];
    if (e == 0 || tree.part[e - 1] != part || tree.edges[e - 1][1] != a) paths.push_back({tree.points[a]});
    paths.back().push_back(tree.points[b]);
  }
  return paths;
}

double length(const Path& path) {
  double sum = 0;
  for (size_t i = 1; i < path.size(); ++i) sum += norm(path[i] - path[i - 1]);
  return sum;
}

TreeOptions willow() {
  TreeOptions options;
  options.habit = Habit::weeping;
  options.boughs = 9;
  options.branching = 7;
  options.twig_length = 1.5;
  options.vertices = 3000;
  return options;
}

TreeOptions pine() {
  TreeOptions options;
  options.habit = Habit::whorled;
  options.boughs = 40;
  options.branching = 6;
  options.whorl = 5;
  options.angle = 1.3;
  options.length_ratio = 0.3;
  options.vertices = 4000;
  return options;
}

TEST(TreeHabit, TreesHaveTheSegmentsTheyAreAskedFor) {
  for (const TreeOptions& options : {willow(), pine()}) {
    const Curve tree = tree_curve(options);
    expect_sound(tree);
    EXPECT_EQ(static_cast<int>(tree.edges.size()), options.vertices - 1);
    EXPECT_EQ(component_count(tree), 1);
    EXPECT_EQ(loop_count(tree), 0);
    EXPECT_EQ(static_cast<int>(shoots(tree, branch).size()), options.boughs);
    EXPECT_EQ(static_cast<int>(shoots(tree, twig).size()), options.boughs * options.branching);
    EXPECT_EQ(static_cast<int>(shoots(tree, leaf).size()), options.boughs * options.branching * options.leaves);
  }
}

TEST(TreeHabit, AsManyBoughsAsBranchesIsTheSameTree) {
  TreeOptions options;
  const Curve tree = tree_curve(options);
  options.boughs = options.branching;
  EXPECT_EQ(tree_curve(options).points, tree.points);
}

// after half of its length a withe is within 0.1 rad of the plumb line, wandering apart
TEST(TreeHabit, TwigsOfAWillowHang) {
  TreeOptions options = willow();
  options.crookedness = 0;
  for (const Path& withe : shoots(tree_curve(options), twig)) {
    EXPECT_GE(length(withe), 0.8 * options.twig_length * (1 - 1e-12));
    EXPECT_LE(length(withe), 1.1 * options.twig_length * (1 + 1e-12));
    const Vec3d end = normalized(withe.back() - withe[withe.size() / 2]);
    EXPECT_LT(end.z, -std::cos(0.1));
  }
  options.habit = Habit::spreading;
  for (const Path& shoot : shoots(tree_curve(options), twig)) EXPECT_GT(shoot.back().z, shoot[0].z - 0.5);
}

// five boughs leave the trunk within a fifth of the way from one whorl to the next, and point round about
TEST(TreeHabit, BoughsOfAPineStandInWhorls) {
  const TreeOptions options = pine();
  std::vector<Path> boughs = shoots(tree_curve(options), branch);
  std::sort(boughs.begin(), boughs.end(), [](const Path& a, const Path& b) { return a[0].z < b[0].z; });
  const int tiers = options.boughs / options.whorl;
  const double spacing = options.height * (0.97 - options.crown_base) / tiers;
  double last_reach = 2 * options.height;
  for (int tier = 0; tier < tiers; ++tier) {
    const auto first = boughs.begin() + tier * options.whorl, last = first + options.whorl;
    EXPECT_LT((last - 1)->front().z - first->front().z, 0.2 * spacing + 0.1) << "tier " << tier;
    if (tier > 0) {
      EXPECT_GT(first->front().z - (first - 1)->front().z, 0.5 * spacing) << "tier " << tier;
    }
    Vec3d sum;
    double reach = 0;
    for (auto bough = first; bough != last; ++bough) {
      const Vec3d way = bough->back() - bough->front();
      sum += normalized(Vec3d{way.x, way.y, 0});
      reach += std::hypot(way.x, way.y) / options.whorl;
    }
    EXPECT_LT(norm(sum), 0.4 * options.whorl) << "tier " << tier;
    EXPECT_LT(reach, last_reach) << "tier " << tier;  // a cone
    last_reach = reach;
  }
}

// a twig leaves its bough to the side: across the bough it is level but for what chance adds to its azimuth, 0.25 rad
TEST(TreeHabit, SpraysOfAPineAreLevel) {
  TreeOptions options = pine();
  options.crookedness = options.gravitropism = 0;
  const Curve tree = tree_curve(options);
  const std::vector<Path> boughs = shoots(tree, branch), twigs = shoots(tree, twig);
  for (size_t k = 0; k < twigs.size(); ++k) {
    const Path& bough = boughs[k / options.branching];
    const Vec3d along = normalized(bough[1] - bough[0]), way = normalized(twigs[k][1] - twigs[k][0]);
    const Vec3d across = normalized(way - dot(way, along) * along);
    EXPECT_LE(std::abs(across.z), std::sin(0.25)) << "twig " << k;
  }
}

TEST(TreeHabit, RefusesBadInput) {
  const auto refused = [](const char* key, auto change) {
    TreeOptions options;
    change(options);
    expect_refused(key, [&] { tree_curve(options); });
  };
  refused("boughs", [](auto& o) { o.boughs = -1; });
  refused("whorl", [](auto& o) { o.whorl = 0; });
  refused("twig_length", [](auto& o) { o.twig_length = -1; });
  refused("vertices", [](auto& o) { o.boughs = 1000; });  // fewer than its shoots
}

}  // namespace
}  // namespace tendril::scene
