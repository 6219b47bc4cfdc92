#include "scene_text.h"

namespace tendril::scene {
namespace {

TEST(Set, ChangesAnyKey) {
  const Table root = parse(beam_scene, {"simulation.time_step=1e-3", "rod.beam.segments=100", "load.0.force=[0, 0, -1]",
                                        "expect.\"tip.z\".value=0", "material.wood.stiffness.EA=2e9", "rod.0.twist=0.5",
                                        "output.probe.tip.at=3", "rod.beam.curve.to=[5, 0, 0]"})
                         .root;
  EXPECT_EQ(root.table("simulation").number("time_step"), 1e-3);
  EXPECT_EQ(root.tables("rod")[0].integer("segments"), 100);
  EXPECT_EQ(root.tables("load")[0].vec3("force"), (Vec3d{0, 0, -1}));
  EXPECT_EQ(root.table("expect").table("tip.z").number("value"), 0);
  EXPECT_EQ(root.table("material").table("wood").table("stiffness").number("EA"), 2e9);
  EXPECT_EQ(root.tables("rod")[0].number("twist"), 0.5);
  EXPECT_TRUE(root.table("output").tables("probe")[0].has("at"));
  EXPECT_EQ(root.tables("rod")[0].table("curve").vec3("to"), (Vec3d{5, 0, 0}));
}

TEST(Set, CreatesOptionalTables) {
  const Table root =
      parse(beam_scene, {"solver.stable.iterations=8", "contact.enabled=false", "simulation.threads=2",
                         "rod.beam.perturb.amplitude=0.1", "expect.kinetic={ value = 0, tolerance = 1 }"})
          .root;
  EXPECT_EQ(root.table("solver").table("stable").integer("iterations"), 8);
  EXPECT_FALSE(root.table("contact").boolean("enabled"));
  EXPECT_EQ(root.table("simulation").integer("threads"), 2);
  EXPECT_EQ(root.tables("rod")[0].table("perturb").number("amplitude"), 0.1);
  EXPECT_EQ(root.table("expect").names(), (std::vector<std::string>{"tip.z", "kinetic"}));
}

TEST(Set, BareTextWhereTextIsTaken) {
  const Table root = parse(beam_scene, {"simulation.solver=block", "title=What a \"day\"", "rod.beam.clamp=end",
                                        "rod.beam.rest=\"straight\"", "rod.beam.parts.trunk=wood"})
                         .root;
  EXPECT_EQ(root.table("simulation").text("solver"), "block");
  EXPECT_EQ(root.text("title"), "What a \"day\"");
  EXPECT_TRUE(root.tables("rod")[0].is_text("clamp"));
  EXPECT_EQ(root.tables("rod")[0].text("rest"), "straight");
  EXPECT_EQ(root.tables("rod")[0].table("parts").text("trunk"), "wood");
}

TEST(Set, LaterOnesWin) {
  EXPECT_EQ(
      parse(beam_scene, {"simulation.duration=1", "simulation.duration=2"}).root.table("simulation").number("duration"),
      2);
}

TEST(Set, ErrorsNameItAndSuggest) {
  const auto bad = [](const std::string& set, const std::string& message, const std::vector<std::string>& fragments) {
    expect_error(beam_scene, "--set " + set + ": " + message, fragments, {set});
  };
  bad("rod.beam.segmnts=5", "rod.beam.segmnts: unknown key", {"(did you mean \"segments\"?)"});
  bad("rod.bean.segments=5", "rod: there is no rod \"bean\"", {"(did you mean \"beam\"?)"});
  bad("rod.7.segments=5", "rod: there is no rod \"7\"", {});
  bad("material.wod.radius=5", "material: there is no material \"wod\"", {"(did you mean \"wood\"?)"});
  bad("simulatoin.duration=5", "simulatoin: unknown key", {"(did you mean \"simulation\"?)"});
  bad("simulation.duration.x=5", "simulation.duration: holds no further keys", {});
  bad("rod.beam=5", "rod: \"beam\" is a whole rod", {});
  bad("body.0.mass=5", "body: the scene has no body", {});
  bad("simulation.duration=abc", "simulation.duration: \"abc\" is not a TOML value", {"a number in s"});
  bad("simulation.duration=", "simulation.duration: \"\" is not a TOML value", {});
  bad("simulation.duration=-1", "simulation.duration: is -1", {"greater than 0"});
  bad("simulation.duration=\"x\"", "simulation.duration: found text \"x\"", {});
  bad("simulation.solver=blok", "simulation.solver: found text \"blok\"", {"(did you mean \"block\"?)"});
  bad("simulation.gravity=[0, 0, nan]", "simulation.gravity: is nan", {"finite"});
  bad("rod.beam.material=wod", "rod.beam.material: there is no material \"wod\"", {"(did you mean \"wood\"?)"});
  bad("solver.stable.iteratons=3", "solver.stable.iteratons: unknown key", {"(did you mean \"iterations\"?)"});
  expect_error(beam_scene, "--set simulation.duration=1 x=2: simulation.duration: \"1 x=2\" is not a TOML value", {},
               {"simulation.duration=1\nx=2"});
  for (const char* set : {"simulation.duration", "=3", ".a=3", "a..b=3", "\"a.b=3", "\"a\"b=3", ""})
    bad(set, "expected PATH=VALUE", {});
}

TEST(Set, RepairsABrokenFile) {
  EXPECT_NE(error_of(beam_with("segments = 50", "segments = 0")), "");
  EXPECT_EQ(error_of(beam_with("segments = 50", "segments = 0"), {"rod.beam.segments=5"}), "");
}

}  // namespace
}  // namespace tendril::scene
