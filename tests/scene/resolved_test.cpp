#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>

#include "scene_text.h"

namespace tendril::scene {
namespace {

// one of everything, with numbers that need all their digits
const std::string rich_scene = R"(title = "quotes \" and \\ and \u0001 and ü"
[simulation]
time_step = 0.1
duration = 0.30000000000000004
gravity = [-0.0, 1e-300, 5e-324]
[material."soft wood"]
young_modulus = 123456789.12345679
poisson_ratio = -0.25
density = 1e3
section = { shape = "tube", radius = 0.2, inner = 0.1 }
friction = 0.3333333333333333
[[rod]]
name = "a.b"
material = [[0, "soft wood"], [0.5, "soft wood"]]
curve = { type = "polyline", points = [[0, 0, 0], [1, 0, 0], [2, 0, 1e-17]] }
radius = [[0, 0.1], [1, 0.05]]
clamp = ["start", 1, { near = [2, 0, 0], radius = 0.1 }, { fraction = 0.1 }]
perturb = { amplitude = 1e-3 }
[[hold]]
rod = "a.b"
at = -1
until = 2
[[drive]]
rod = "a.b"
at = 0
translate = { sine = { amplitude = [1, 0, 0], frequency = 2 } }
[[load]]
rod = "a.b"
per_length = [0, 0, -1]
[[body]]
name = "bob"
rod = "a.b"
at = "end"
mass = 0.7
shape = { type = "sphere", radius = 0.1 }
[[obstacle]]
shape = "plane"
[[field]]
type = "wind"
velocity = [3, 0, 0]
gust = { amplitude = 1 }
[output]
probe = [{ rod = "a.b", at = "end", name = "tip" }, { body = "bob", name = "bob" }]
[expect]
"tip.z" = { value = 0.1, tolerance = 1e-3, at = 0.2 }
[solver.block]
)";

TEST(Resolved, ReadsBackToTheSameText) {
  for (const std::string& text : {beam_scene, rich_scene}) {
    const std::string resolved = resolved_toml(parse(text));
    EXPECT_EQ(resolved_toml(parse(resolved)), resolved);
  }
}

TEST(Resolved, KeepsEveryBit) {
  const Table root = parse(resolved_toml(parse(rich_scene))).root;
  EXPECT_EQ(root.text("title"), "quotes \" and \\ and \x01 and ü");
  EXPECT_EQ(root.table("simulation").number("duration"), 0.30000000000000004);
  EXPECT_EQ(root.table("simulation").vec3("gravity"), (Vec3d{0, 1e-300, 5e-324}));
  EXPECT_TRUE(std::signbit(root.table("simulation").vec3("gravity").x));
  EXPECT_EQ(root.table("material").table("soft wood").number("young_modulus"), 123456789.12345679);
  EXPECT_EQ(root.tables("rod")[0].table("curve").rows("points")[2], (std::vector<double>{2, 0, 1e-17}));
  EXPECT_EQ(root.tables("body")[0].table("shape").text("shape"), "sphere");
  EXPECT_EQ(root.table("expect").table("tip.z").number("at"), 0.2);
}

TEST(Resolved, RandomNumbersSurvive) {
  std::mt19937_64 random(7);
  std::string list;
  std::vector<double> numbers;
  while (numbers.size() < 999) {
    double number;
    const std::uint64_t bits = random();
    std::memcpy(&number, &bits, sizeof number);
    if (!std::isfinite(number)) continue;
    numbers.push_back(number);
  }
  for (std::size_t k = 0; k < numbers.size(); k += 3)
    list += fmt::format("[{:.17e}, {:.17e}, {:.17e}], ", numbers[k], numbers[k + 1], numbers[k + 2]);
  const std::string text = beam_with("{ type = \"line\", from = [0, 0, 0], to = [10, 0, 0] }",
                                     "{ type = \"polyline\", points = [" + list + "] }");
  const auto rows = parse(resolved_toml(parse(text))).root.tables("rod")[0].table("curve").rows("points");
  ASSERT_EQ(rows.size(), 333u);
  for (std::size_t k = 0; k < numbers.size(); ++k) EXPECT_EQ(rows[k / 3][k % 3], numbers[k]);
}

TEST(Resolved, WritesDefaultsAndSets) {
  const std::string resolved = resolved_toml(parse(beam_scene, {"solver.stable.iterations=8", "rod.beam.segments=7"}));
  for (const char* line :
       {"\nframe_rate = 30\n", "\nsegments = 7\n", "\n[solver.stable]\niterations = 8\ntolerance = 1e-06\n",
        "\n[contact]\nenabled = true\n", "\nrest = \"curve\"\n", "absolute = false\nat = \"end\"\n"})
    EXPECT_NE(resolved.find(line), std::string::npos) << line << resolved;
  EXPECT_EQ(resolved.find("[solver.block]"), std::string::npos);
}

// the resolved scene stands in the run's folder, so a path from the scene's own must be whole, even where that folder
// has no name because it is the current one
TEST(Resolved, PathsAreWhole) {
  const std::string text = resolved_toml(parse(R"([simulation]
time_step = 0.1
duration = 1.0
[material.m]
stiffness = { EA = 1, GA = 1, EI1 = 1, EI2 = 1, GJ = 1 }
linear_density = 1
radius = 0.1
[[rod]]
name = "r"
material = "m"
curve = { type = "file", path = "head.obj" }
)"));
  EXPECT_NE(text.find("path = \"" + (std::filesystem::current_path() / "head.obj").string() + "\""), std::string::npos)
      << text;
}

}  // namespace
}  // namespace tendril::scene
