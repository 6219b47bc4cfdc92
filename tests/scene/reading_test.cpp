#include <filesystem>
#include <fstream>

#include "scene_text.h"
#include "scratch.h"

namespace tendril::scene {
namespace {

TEST(Reading, SmallestScene) {
  const Scene scene = parse(beam_scene);
  const Table simulation = scene.root.table("simulation");
  EXPECT_EQ(scene.root.text("title"), "A beam bends under its tip load");
  EXPECT_EQ(simulation.text("solver"), "stable");
  EXPECT_EQ(simulation.number("duration"), 20.0);
  EXPECT_EQ(simulation.vec3("gravity"), (Vec3d{0, 0, 0}));  // integers where numbers are wanted

  const Table wood = scene.root.table("material").table("wood");
  EXPECT_EQ(wood.table("stiffness").number("EI1"), 4.9087385e7);
  EXPECT_EQ(wood.where("radius"), "scene.toml:10:10: material.wood.radius");

  const std::vector<Table> rods = scene.root.tables("rod");
  ASSERT_EQ(rods.size(), 1u);
  EXPECT_EQ(rods[0].integer("segments"), 50);
  EXPECT_EQ(rods[0].table("curve").vec3("to"), (Vec3d{10, 0, 0}));
  EXPECT_EQ(rods[0].where("segments"), "scene.toml:15:12: rod.beam.segments");
  EXPECT_EQ(rods[0].table("curve").path(), "rod.beam.curve");
  EXPECT_EQ(scene.root.tables("load")[0].path(), "load.0");
  EXPECT_EQ(scene.root.table("output").tables("probe")[0].path(), "output.probe.tip");
}

TEST(Reading, DefaultsOfAbsentKeysAndTables) {
  const Scene scene = parse(beam_with("gravity = [0, 0, 0]\n", ""));
  const Table simulation = scene.root.table("simulation");
  EXPECT_FALSE(simulation.has("gravity"));
  EXPECT_EQ(simulation.vec3("gravity"), (Vec3d{0, 0, -9.81}));
  EXPECT_EQ(simulation.integer("threads"), 0);
  EXPECT_TRUE(simulation.is_boolean("settle"));
  EXPECT_FALSE(simulation.is_text("settle"));
  EXPECT_FALSE(scene.root.has("contact"));
  EXPECT_TRUE(scene.root.table("contact").boolean("enabled"));
  EXPECT_EQ(scene.root.table("contact").text("model"), "pairs");
  EXPECT_EQ(scene.root.table("solver").table("stable").integer("iterations"), 10);
  EXPECT_TRUE(scene.root.tables("obstacle").empty());
  EXPECT_EQ(scene.root.tables("rod")[0].text("rest"), "curve");
}

TEST(Reading, KeyWithoutDefaultFailsAtItsTable) {
  const Table rod = parse(beam_scene).root.tables("rod")[0];
  try {
    rod.vec3("natural_curvature");
    FAIL();
  } catch (const SceneError& error) {
    EXPECT_EQ(std::string(error.what()).find("scene.toml:12:1: rod.beam.natural_curvature: is missing"), 0u)
        << error.what();
  }
}

TEST(Reading, KeysOfSeveralTypes) {
  const std::string taper = "radius = [[0, 0.5], [1, 0.25]]\nmaterial = [[0, \"wood\"], [0.5, \"wood\"]]\n";
  const Table rod = parse(beam_with("material = \"wood\"\n", taper)).root.tables("rod")[0];
  EXPECT_TRUE(rod.is_array("radius"));
  EXPECT_EQ(rod.rows("radius"), (std::vector<std::vector<double>>{{0, 0.5}, {1, 0.25}}));
  EXPECT_FALSE(rod.is_text("material"));
  const Table constant = parse(beam_with("segments = 50", "segments = 50\nradius = 0.125")).root.tables("rod")[0];
  EXPECT_TRUE(constant.is_number("radius"));
  EXPECT_EQ(constant.rows("radius"), (std::vector<std::vector<double>>{{0, 0.125}}));
  const Table settled = parse(beam_with("duration", "settle = \"rest\"\nduration")).root.table("simulation");
  EXPECT_TRUE(settled.is_text("settle"));
}

TEST(Reading, NamesKeepTheOrderOfTheFile) {
  const std::string second =
      "[material.air]\nyoung_modulus = 1\nshear_modulus = 100\ndensity = 1\n"
      "section = { shape = \"circle\", radius = 1 }\n";
  const Scene scene = parse(beam_and(second));
  EXPECT_EQ(scene.root.table("material").names(), (std::vector<std::string>{"wood", "air"}));
}

class Files : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const { return scratch.write(name, text); }

  static std::string read_error(const std::string& path) {
    try {
      read_scene(path, {}, some_solvers());
    } catch (const SceneError& error) {
      return error.what();
    }
    return "";
  }

  const Scratch scratch;
  const std::filesystem::path& folder = scratch.path();
};

TEST_F(Files, GoodFileKnowsItsDirectory) {
  const Scene scene = read_scene(write("beam.toml", beam_scene), {}, some_solvers());
  EXPECT_EQ(scene.root.directory(), folder.string());
  EXPECT_EQ(scene.root.tables("rod")[0].directory(), folder.string());
}

TEST_F(Files, BadOnesAreNamed) {
  EXPECT_NE(read_error((folder / "absent.toml").string()).find("absent.toml: there is no such file"),
            std::string::npos);
  EXPECT_NE(read_error(folder.string()).find("is a directory"), std::string::npos);
  EXPECT_NE(read_error(write("empty.toml", " \n")).find("empty.toml:1:1: the file is empty"), std::string::npos);
  EXPECT_NE(read_error(write("latin.toml", "title = \"caf\xe9\"\n")).find("utf-8"), std::string::npos);
  EXPECT_NE(read_error(write("huge.toml", std::string(std::size_t(65) << 20, '#'))).find("larger than 64 MB"),
            std::string::npos);
}

TEST(Reading, SyntaxErrorsHaveTheirPlace) {
  expect_error("a = 1\nb = \n", "scene.toml:2:", {"not valid TOML"});
  expect_error(beam_with("[0, 0, 0]", "[0, 0, 0"), "scene.toml:7:1", {"not valid TOML"});
  expect_error(beam_with("segments = 50", "segments = 50\nsegments = 60"), "scene.toml:16:", {"redefine"});
  std::string endless = "a";
  for (int k = 0; k < 200000; ++k) endless += ".a";
  expect_error("x = 1\n" + endless + " = 1", "scene.toml:2:1: a key with more than", {});
  expect_error("[" + endless + "]", "scene.toml:1:1: a key with more than", {});
  expect_error("a = " + std::string(100000, '['), "scene.toml:1:", {"not valid TOML"});
}

}  // namespace
}  // namespace tendril::scene
