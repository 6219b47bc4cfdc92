#include "scene/segment_colors.h"

#include "scene/scene_text.h"

namespace tendril {
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

TEST(SegmentColors, AreNoneWhereNoMaterialHasOne) { EXPECT_TRUE(segment_colors(parse(beam_scene)).empty()); }

}  // namespace
}  // namespace tendril
