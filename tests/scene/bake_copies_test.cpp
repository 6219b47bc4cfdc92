// copies of a rod: where they stand, and how other tables find them

#include <fmt/format.h>

#include "rod/frame.h"
#include "scene/bake_text.h"
#include "scene/copies.h"
#include "scene/gap_checks.h"

namespace tendril::scene {
namespace {

BakedScene sticks(const std::string& copies, const std::string& more = "") {
  return baked_wire(fmt::format(R"(
[[rod]]
name = "stick"
material = "wire"
segments = 4
normal = [0, 0, 1]
twist = 0.5
curve = {{ type = "arc", center = [0, 0, 0], from = [1, 0, 0], axis = [0, 0, 1], angle = 1.0 }}
copies = {}
{})",
                                copies, more));
}

TEST(BakeCopies, StandAStepApart) {
  const BakedScene scene = sticks("{ count = 3, step = [0, 0, 0.5] }");
  ASSERT_EQ(scene.model.rods.size(), 3u);
  EXPECT_EQ(scene.model.rods[2].name, "stick.2");
  EXPECT_EQ(scene.model.segments.size(), 12u);
  EXPECT_EQ(scene.model.segments[11].rod, 2);
  for (int i = 0; i < 5; ++i) expect_near(scene.state.x[10 + i], scene.state.x[i] + Vec3d{0, 0, 1}, 1e-15);
}

// turning a rod turns its frames with it: no copy is strained beyond the first
TEST(BakeCopies, AreAsStrainedAsTheFirst) {
  const BakedScene scene =
      sticks("{ count = 20, low = [0, 0, 0], high = [3, 3, 3], turn = \"any\" }", "clamp = [\"start\"]\n");
  ASSERT_EQ(scene.model.rods.size(), 20u);
  EXPECT_EQ(scene.model.ties.size(), 20u);  // every copy is clamped
  const size_t inner = 3 * 20;              // bends along the rods; the clamps' half bends follow
  for (size_t b = 0; b < inner; ++b)
    expect_near(strain_of(scene, scene.model.bends[b]), strain_of(scene, scene.model.bends[b % 3]), 1e-12);
  for (size_t s = 0; s < scene.model.segments.size(); ++s) {
    const Segment& segment = scene.model.segments[s];
    const Vec3d along = normalized(scene.state.x[segment.vertex[1]] - scene.state.x[segment.vertex[0]]);
    expect_near(director3(scene.state.q[s]), along, 1e-14);
  }
}

TEST(BakeCopies, ScatteredOnesKeepARadiusApart) {
  for (const char* turn : {"none", "vertical", "any"}) {
    const BakedScene scene =
        sticks(fmt::format("{{ count = 60, low = [-1, -1, 0], high = [1, 1, 1], turn = \"{}\", seed = 3 }}", turn));
    EXPECT_GE(smallest_gap(tubes_of(scene.model, scene.state), 0.05).size, 0.02) << turn;
    bool turned = false, tilted = false;
    for (size_t r = 1; r < scene.model.rods.size(); ++r) {
      const Vec3d first = scene.state.x[4] - scene.state.x[0];
      const Vec3d chord = scene.state.x[5 * r + 4] - scene.state.x[5 * r];
      EXPECT_NEAR(norm(chord), norm(first), 1e-12);
      turned |= norm(chord - first) > 1e-6;
      tilted |= std::abs(chord.z) > 1e-6;
      Vec3d low = scene.state.x[5 * r], high = low;
      for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 3; ++k) {
          low[k] = std::min(low[k], scene.state.x[5 * r + i][k]);
          high[k] = std::max(high[k], scene.state.x[5 * r + i][k]);
        }
      EXPECT_LT(norm(0.5 * (low + high)), 2.1);
    }
    EXPECT_EQ(turned, turn != std::string("none"));
    EXPECT_EQ(tilted, turn == std::string("any"));
  }
}

TEST(BakeCopies, TheSeedDecides) {
  const auto first = [](int seed) {
    return sticks(fmt::format("{{ count = 5, low = [0, 0, 0], high = [9, 9, 9], seed = {} }}", seed)).state.x;
  };
  EXPECT_EQ(first(1)[7].x, first(1)[7].x);
  EXPECT_NE(first(1)[7].x, first(2)[7].x);
}

TEST(BakeCopies, TablesActOnAllOfThemOrOnOne) {
  const std::string three = "{ count = 3, step = [0, 0, 0.5] }";
  const BakedScene all = sticks(three, R"(
[[hold]]
rod = "stick"
at = "start"
[[drive]]
rod = "stick"
at = "start"
translate = { velocity = [1, 0, 0] }
[[load]]
rod = "stick"
at = "end"
force = [1, 0, 0]
[[load]]
rod = "stick"
per_length = [1, 0, 0]
)");
  EXPECT_EQ(all.model.ties.size(), 3u);
  for (const Body& body : all.model.bodies) EXPECT_EQ(body.motions.size(), 1u);
  EXPECT_EQ(all.model.loads.at(0).indices, (std::vector<int>{4, 9, 14}));
  EXPECT_EQ(all.model.loads.at(1).indices.size(), 12u);
  // copies without a vertex in the region are passed over
  const BakedScene low = sticks(three, R"(
[[hold]]
rod = "stick"
at = { low = [-9, -9, 0.2], high = [9, 9, 0.7] }
)");
  EXPECT_EQ(low.model.ties.size(), 5u);
  EXPECT_EQ(low.model.ties[0].vertex, 5);
  const BakedScene one = sticks(three, "[[load]]\nrod = \"stick.1\"\nat = \"end\"\nforce = [1, 0, 0]\n");
  EXPECT_EQ(one.model.loads.at(0).indices, std::vector<int>{9});
  const BakedScene probe = sticks(three, "[output]\nprobe = [{ rod = \"stick.2\", at = \"end\", name = \"tip\" }]\n");
  EXPECT_EQ(probe.model.probes.at(0).vertex, 14);
}

TEST(BakeCopies, BadInputSaysWhatToDo) {
  const auto message = [](const std::string& copies, const std::string& more = "") -> std::string {
    try {
      sticks(copies, more);
    } catch (const SceneError& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string three = "{ count = 3, step = [0, 0, 0.5] }";
  expect_message(message("{ count = 3 }"), {"test.toml:15:", "rod.stick.copies.count", "`step`"});
  expect_message(message("{ count = 3, low = [0, 0, 0] }"), {"copies.low", "`high`"});
  expect_message(message("{ count = 3, low = [0, 2, 0], high = [1, 1, 1] }"), {"copies.high", "along y"});
  expect_message(message("{ count = 3, step = [1, 0, 0], turn = \"any\" }"), {"copies.turn", "`low`"});
  expect_message(message("{ count = 900, low = [0, 0, 0], high = [0.1, 0.1, 0.1] }"), {"copies.count", "larger"});
  expect_message(message(three, "[[load]]\nrod = \"stick.3\"\nat = \"end\"\nforce = [1, 0, 0]\n"),
                 {"no rod \"stick.3\""});
  expect_message(message(three, "[[load]]\nrod = \"stick.x\"\nat = \"end\"\nforce = [1, 0, 0]\n"),
                 {"no rod \"stick.x\""});
  expect_message(message(three, "[[hold]]\nrod = \"stick\"\nat = { near = [0, 0, 9], radius = 1 }\n"),
                 {"hold.0.at", "none of the copies"});
  expect_message(message(three, "[output]\nprobe = [{ rod = \"stick\", at = \"end\", name = \"tip\" }]\n"),
                 {"has copies", "\"stick.0\""});
}

TEST(BakeCopies, ACopyIsFoundInTheFile) {
  const Scene scene = parse_scene("simulation = { time_step = 0.01, duration = 1.0 }\n" + std::string(wire) +
                                      "[[rod]]\nname = \"a.1\"\nmaterial = \"wire\"\nsegments = 1\ncurve = { type = "
                                      "\"line\", from = [0, 0, 0], to = "
                                      "[1, 0, 0] }\n[[rod]]\nname = \"b\"\nmaterial = \"wire\"\nsegments = 1\ncurve = "
                                      "{ type = \"line\", from = [0, 0, "
                                      "1], to = [1, 0, 1] }\ncopies = { count = 2, step = [0, 0, 1] }\n",
                                  "test.toml");
  EXPECT_EQ(find_rod_table(scene.root, "a.1").text("name"), "a.1");
  EXPECT_EQ(find_rod_table(scene.root, "b.1").text("name"), "b");
}

}  // namespace
}  // namespace tendril::scene
