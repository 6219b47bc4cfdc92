#include "scene/segment_colors.h"

#include "io/formats/hair.h"
#include "scene/scene_text.h"
#include "scratch.h"

namespace tendril::scene {
namespace {

const std::string two_materials = R"([simulation]
time_step = 0.01
duration = 1
[material.wood]
young_modulus = 1e10
poisson_ratio = 0.3
density = 500
section = { shape = "circle", radius = 0.01 }
[material.leaf]
young_modulus = 1e9
poisson_ratio = 0.3
density = 500
section = { shape = "circle", radius = 0.01 }
color = [0.1, 0.5, 0.2]
[[rod]]
name = "pole"
material = "leaf"
segments = 3
curve = { type = "line", from = [5, 0, 0], to = [6, 0, 0] }
[[rod]]
name = "tree"
material = "wood"
parts = { leaf = "leaf" }
curve = { type = "tree", vertices = 101, levels = 2, branching = 4, leaves = 6 }
)";

TEST(SegmentColors, AreThoseOfTheMaterialsThatHaveOne) {
  const auto colors = segment_colors(parse(two_materials));
  ASSERT_EQ(colors.size(), 103u);
  // the pole, then wood, then the leaves, which grow last
  for (size_t s = 0; s < colors.size(); ++s) {
    const bool is_leaf = s < 3 || s >= 103 - 24;
    ASSERT_EQ(colors[s].has_value(), is_leaf) << s;
    if (is_leaf) {
      EXPECT_EQ(*colors[s], (Vec3f{0.1f, 0.5f, 0.2f}));
    }
  }
}

// a .hair file with two strands of two edges, each of its own color, or all of the color in the header
std::string hair_scene(const Scratch& folder, const Vec3d& first, const Vec3d& second, const std::string& more) {
  Take take;
  Strands& all = take.strands;
  for (int k = 0; k < 2; ++k) {
    all.strands.push_back({"", {3 * k, 3 * k + 1, 3 * k + 2}, false, k ? second : first});
    for (int i = 0; i < 3; ++i) all.points.push_back({double(k), 0, double(i)});
  }
  write_hair(take, folder / "two.hair");
  return two_materials.substr(0, two_materials.find("[[rod]]")) +
         "[[rod]]\nname = \"hair\"\nmaterial = \"wood\"\ncurve = { type = \"file\", path = \"" +
         (folder / "two.hair").string() + "\" }\n" + more;
}

TEST(SegmentColors, AreThoseOfTheStrandsOfAFile) {
  const Scratch folder;
  const Vec3d brown{0.25, 0.125, 0.0625}, blond{0.75, 0.5, 0.25};
  for (const Vec3d& second : {blond, brown}) {  // an array in the file, or its header
    const auto colors = segment_colors(parse(hair_scene(folder, brown, second, "")));
    ASSERT_EQ(colors.size(), 4u);
    for (int s = 0; s < 4; ++s) EXPECT_EQ(colors[s], cast<float>(s < 2 ? brown : second)) << s;
  }
  const auto cut = segment_colors(parse(hair_scene(folder, brown, blond, "segments = 8\n")));
  ASSERT_EQ(cut.size(), 8u);
  EXPECT_EQ(cut.front(), cast<float>(brown));
  EXPECT_EQ(cut.back(), cast<float>(blond));
  EXPECT_TRUE(segment_colors(parse(hair_scene(folder, brown, blond, "color = [1, 0, 0]\n"))).empty()) << "the rod's";
}

TEST(SegmentColors, AreNoneWhereNoMaterialHasOne) { EXPECT_TRUE(segment_colors(parse(beam_scene)).empty()); }

}  // namespace
}  // namespace tendril::scene
