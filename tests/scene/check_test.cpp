#include "scene/suggest.h"
#include "scene_text.h"

namespace tendril::scene {
namespace {

TEST(Suggest, EditDistance) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("segmetns", "segments"), 1);  // a swap is one slip
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(nearest_word("segmnts", {"section", "segments", "radius"}), "segments");
  EXPECT_EQ(nearest_word("Solver", {"solver"}), "solver");
  EXPECT_EQ(nearest_word("xyzzy", {"solver", "radius"}), "");
}

TEST(Check, UnknownKeys) {
  expect_error(beam_with("segments", "segmnts"),
               "scene.toml:15:1: rod.beam.segmnts: unknown key; expected one of name, material",
               {"(did you mean \"segments\"?)"});
  expect_error(beam_with("time_step", "timestep"), "scene.toml:4:1: simulation.timestep: unknown key",
               {"(did you mean \"time_step\"?)"});
  expect_error(beam_with("EI2 =", "E12 ="), "scene.toml:8:54: material.wood.stiffness.E12: unknown key",
               {"(did you mean \"EI2\"?)"});
  expect_error(beam_and("[contakt]\n"), "scene.toml:26:2: contakt: unknown key", {"(did you mean \"contact\"?)"});
  expect_error(beam_with("title", "gravity = [0, 0, 1]\ntitle"), "scene.toml:1:1: gravity: unknown key",
               {"`gravity` belongs to simulation"});
  expect_error(beam_with("from = [0, 0, 0],", "form = [0, 0, 0],"),
               "scene.toml:16:26: rod.beam.curve.form: unknown key", {"(did you mean \"from\"?)"});
}

TEST(Check, KeysOfAnotherVariant) {
  expect_error(beam_with("to = [10, 0, 0] }", "to = [10, 0, 0], pitch = 1 }"),
               "scene.toml:16:61: rod.beam.curve.pitch: unknown key", {"type, from, to"});
  expect_error(beam_and("[[obstacle]]\nshape = \"plane\"\nradius = 1\n"),
               "scene.toml:28:1: obstacle.0.radius: unknown key", {"point, normal"});
  expect_error(beam_and("[[obstacle]]\nshape = \"spere\"\nradius = 1\n"),
               "scene.toml:27:9: obstacle.0.shape: found text \"spere\"",
               {"\"plane\", \"sphere\"", "(did you mean \"sphere\"?)"});
  expect_error(beam_and("[[obstacle]]\nname = \"floor\"\n"), "scene.toml:26:1: obstacle.floor.shape: is missing",
               {"\"plane\""});
  expect_error(beam_and("[[field]]\ntype = 3\n"), "scene.toml:27:8: field.0.type: found integer 3",
               {"\"wind\", \"drag\""});
}

TEST(Check, MissingKeys) {
  expect_error("title = \"x\"\n", "scene.toml:1:1: simulation: is missing", {"time_step, duration"});
  expect_error(beam_with("duration = 20.0\n", ""), "scene.toml:2:1: simulation.duration: is missing",
               {"a number in s, greater than 0"});
  expect_error(beam_with("name = \"beam\"\n", ""), "scene.toml:12:1: rod.0.name: is missing", {});
  expect_error(beam_with("material = \"wood\"\n", ""), "scene.toml:12:1: rod.beam.material: is missing",
               {"name of a material"});
  expect_error(beam_with("segments = 50\n", ""), "scene.toml:12:1: rod.beam.segments: is missing", {"of the line"});
  expect_error(beam_with("tolerance = 2e-3 ", ""), "", {"not valid TOML"});
  expect_error(beam_with(", tolerance = 2e-3", ""), "scene.toml:25:11: expect.\"tip.z\".tolerance: is missing", {});
  EXPECT_EQ(error_of(beam_with("segments = 50\ncurve = { type = \"line\", from = [0, 0, 0], to = [10, 0, 0] }",
                               "curve = { type = \"polyline\", points = [[0, 0, 0], [10, 0, 0]] }")),
            "");
}

TEST(Check, WrongTypes) {
  expect_error(beam_with("segments = 50", "segments = \"50\""),
               "scene.toml:15:12: rod.beam.segments: found text \"50\"", {"expected an integer"});
  expect_error(beam_with("segments = 50", "segments = 50.0"), "scene.toml:15:12: rod.beam.segments: found number 50",
               {"expected an integer"});
  expect_error(beam_with("duration = 20.0", "duration = true"),
               "scene.toml:5:12: simulation.duration: found boolean true", {});
  expect_error(beam_with("duration = 20.0", "duration = 1979-05-27"),
               "scene.toml:5:12: simulation.duration: found a date", {});
  expect_error(beam_with("gravity = [0, 0, 0]", "gravity = [0, 0]"),
               "scene.toml:6:11: simulation.gravity: found an array of 2", {"three numbers"});
  expect_error(beam_with("gravity = [0, 0, 0]", "gravity = [0, \"a\", 0]"),
               "scene.toml:6:15: simulation.gravity: found text \"a\"", {});
  expect_error(beam_with("[[rod]]", "[rod]"), "scene.toml:12:1: rod: found a table", {"[[rod]]"});
  expect_error(beam_with("[material.wood]", "[[material]]"), "scene.toml:7:1: material: found an array of 1 tables",
               {"[material.NAME]"});
}

TEST(Check, Ranges) {
  for (const char* bad : {"0", "-1", "0.0"})
    expect_error(beam_with("time_step = 0.01", std::string("time_step = ") + bad),
                 "scene.toml:4:13: simulation.time_step: is", {"greater than 0"});
  expect_error(beam_with("duration = 20.0", "duration = -2"), "scene.toml:5:12: simulation.duration: is -2",
               {"greater than 0"});
  expect_error(beam_with("segments = 50", "segments = 0"), "scene.toml:15:12: rod.beam.segments: is 0", {"at least 1"});
  expect_error(beam_with("segments = 50", "segments = 5000000000"),
               "scene.toml:15:12: rod.beam.segments: is 5000000000", {});
  expect_error(beam_with("damping = 3.0", "damping = -3.0"), "scene.toml:11:11: material.wood.damping: is -3",
               {"at least 0"});
  expect_error(beam_with("segments = 50", "segments = 50\ncolor = [0.5, 2, 0]"),
               "scene.toml:16:15: rod.beam.color: is 2", {"from 0 to 1"});
  expect_error(beam_with("segments = 50", "segments = 50\nnormal = [0, 0, 0]"),
               "scene.toml:16:10: rod.beam.normal: has no direction", {});
  EXPECT_EQ(error_of(beam_with("gravity = [0, 0, 0]", "gravity = [0, 0, 9007199254740993]")), "");
}

TEST(Check, NumbersAreFinite) {
  for (const std::string bad : {"nan", "inf", "-inf", "+nan"}) {
    expect_error(beam_with("duration = 20.0", "duration = " + bad), "scene.toml:5:12: simulation.duration: is ",
                 {"finite"});
    expect_error(beam_with("[0, 0, -1000]", "[0, " + bad + ", -1000]"), "scene.toml:21:13: load.0.force: is ",
                 {"finite"});
    expect_error(beam_with("segments = 50", "segments = " + bad), "scene.toml:15:12: rod.beam.segments: is ",
                 {"finite"});
    expect_error(beam_with("clamp = [\"start\"]", "clamp = [{ fraction = " + bad + " }]"),
                 "scene.toml:17:23: rod.beam.clamp: fraction is ", {"finite"});
    expect_error(beam_with("segments = 50", "segments = 50\nradius = [[0, 1], [1, " + bad + "]]"),
                 "scene.toml:16:23: rod.beam.radius: is ", {"finite"});
  }
}

TEST(Check, Choices) {
  expect_error(beam_with("solver = \"stable\"", "solver = \"stabel\""),
               "scene.toml:3:10: simulation.solver: found text \"stabel\"",
               {"\"block\", \"stable\"", "(did you mean \"stable\"?)"});
  expect_error(beam_with("duration", "settle = \"test\"\nduration"),
               "scene.toml:5:10: simulation.settle: found text \"test\"", {"(did you mean \"rest\"?)"});
  expect_error(beam_with("tolerance = 2e-3", "tolerance = 2e-3, solvers = [\"blok\"]"),
               "scene.toml:25:62: expect.\"tip.z\".solvers", {"(did you mean \"block\"?)"});
}

TEST(Check, SolverTablesOfEverySolver) {
  EXPECT_EQ(error_of(beam_and("[solver.block]\niterations = 3\n")), "");
  expect_error(beam_and("[solver.block]\niteration = 3\n"), "scene.toml:27:1: solver.block.iteration: unknown key",
               {"(did you mean \"iterations\"?)"});
  expect_error(beam_and("[solver.blck]\n"), "scene.toml:26:9: solver.blck: unknown key", {"(did you mean \"block\"?)"});
  expect_error(beam_and("[solver.stable]\nstrain = \"papr\"\n"), "scene.toml:27:10: solver.stable.strain",
               {"\"paper\""});
}

TEST(Check, References) {
  expect_error(beam_with("material = \"wood\"", "material = \"wod\""),
               "scene.toml:14:12: rod.beam.material: there is no material \"wod\"",
               {"expected one of \"wood\"", "(did you mean \"wood\"?)"});
  expect_error(beam_with("material = \"wood\"", "material = [[0, \"wood\"], [0.5, \"steel\"]]"),
               "scene.toml:14:32: rod.beam.material: there is no", {"steel"});
  expect_error(beam_with("rod = \"beam\"\nat", "rod = \"bean\"\nat"),
               "scene.toml:19:7: load.0.rod: there is no rod \"bean\"", {"(did you mean \"beam\"?)"});
  expect_error(beam_with("{ rod = \"beam\"", "{ body = \"bob\""),
               "scene.toml:23:19: output.probe.tip.body: there is no body \"bob\"", {"the scene has no body"});
  expect_error(beam_and("[[drive]]\nobstacle = \"x\"\ntranslate = { velocity = [1, 0, 0] }\n"),
               "scene.toml:27:12: drive.0.obstacle: there is no", {});
  expect_error(beam_with("segments = 50", "segments = 50\nparts = { trunk = \"oak\" }"),
               "scene.toml:16:19: rod.beam.parts.trunk: there is no material \"oak\"", {});
}

TEST(Check, Rows) {
  const std::string drive = "[[drive]]\nrod = \"beam\"\nat = \"start\"\n";
  EXPECT_EQ(error_of(beam_and(drive + "translate = { keys = [[0, 0, 0, 0], [1, 1, 0, 0]] }\n")), "");
  expect_error(beam_and(drive + "translate = { keys = [[0, 0, 0, 0], [1, 1, 0]] }\n"),
               "scene.toml:29:37: drive.0.translate.keys: this row has 3 numbers", {"expected 4"});
  expect_error(beam_and(drive + "translate = { keys = [[1, 0, 0, 0], [1, 1, 0, 0]] }\n"),
               "scene.toml:29:38: drive.0.translate.keys: time 1 follows 1", {"growing"});
  expect_error(beam_and(drive + "translate = { keys = [] }\n"), "scene.toml:29:22: drive.0.translate.keys: is empty",
               {});
  expect_error(beam_and(drive + "translate = { keys = [1, 2] }\n"),
               "scene.toml:29:23: drive.0.translate.keys: found integer 1", {"rows of 4 numbers"});
  expect_error(beam_with("segments = 50", "segments = 50\nradius = [[0, 1], [1.5, 1]]"),
               "scene.toml:16:20: rod.beam.radius: fraction 1.5", {"0 to 1"});
  expect_error(beam_with("segments = 50", "segments = 50\nradius = [[0, 1], [1, 0]]"),
               "scene.toml:16:23: rod.beam.radius: is 0", {"greater than 0"});
}

TEST(Check, Places) {
  for (const char* good :
       {"3", "-1", "\"all\"", "{ fraction = 0.5 }", "{ near = [1, 0, 0], radius = 0.1 }", "{ near = [1, 0, 0] }",
        "[0, \"end\", { fraction = 1 }]", "{ low = [0, 0, 0], high = [1, 0, 0] }", "{ part = \"thread\" }",
        "{ part = \"thread\", near = [0, 0, 0], radius = 1 }",
        "{ part = \"thread\", low = [0, 0, 0], high = [1, 0, 0] }"})
    EXPECT_EQ(error_of(beam_with("at = \"end\"\n", std::string("at = ") + good + "\n")), "") << good;
  const std::string start = "scene.toml:20:";
  expect_error(beam_with("at = \"end\"\n", "at = \"ennd\"\n"), start + "6: load.0.at: found text \"ennd\"",
               {"(did you mean \"end\"?)"});
  expect_error(beam_with("at = \"end\"\n", "at = 0.5\n"), start + "6: load.0.at: found number 0.5",
               {"{ fraction = 0.5 }"});
  expect_error(beam_with("at = \"end\"\n", "at = { fraction = 2 }\n"), start + "19: load.0.at: fraction is 2",
               {"from 0 to 1"});
  expect_error(beam_with("at = \"end\"\n", "at = { fracton = 0.2 }\n"),
               start + "18: load.0.at: unknown key \"fracton\"", {"(did you mean \"fraction\"?)"});
  expect_error(beam_with("at = \"end\"\n", "at = { near = [0, 0] }\n"),
               start + "15: load.0.at: near found an array of 2", {});
  expect_error(beam_with("at = \"end\"\n", "at = { near = [0, 0, 0], radius = 0 }\n"),
               start + "35: load.0.at: radius is 0", {});
  expect_error(beam_with("at = \"end\"\n", "at = { low = [0, 0, 0] }\n"), start + "6: load.0.at: found a table",
               {"{ low = [x, y, z], high = [x, y, z] }"});
  expect_error(beam_with("at = \"end\"\n", "at = { low = [0, 1, 0], high = [1, 0, 0] }\n"),
               start + "32: load.0.at: high lies below low along y", {});
  expect_error(beam_with("at = \"end\"\n", "at = { low = 0, high = [1, 0, 0] }\n"), start + "14: load.0.at:", {});
  expect_error(beam_with("at = \"end\"\n", "at = { part = 3 }\n"), start + "15: load.0.at: part found", {});
  expect_error(beam_with("at = \"end\"\n", "at = { part = \"a\", fraction = 1 }\n"), start + "6: load.0.at:", {});
  expect_error(beam_with("at = \"end\"\n", "at = { fraction = 1, radius = 1 }\n"), start + "6: load.0.at:", {});
  for (const char* bad : {"{ radius = 1 }", "{}", "{ near = [0, 0, 0], low = [0, 0, 0], high = [1, 0, 0] }"})
    expect_error(beam_with("at = \"end\"\n", std::string("at = ") + bad + "\n"), start + "6: load.0.at:", {});
  expect_error(beam_with("at = \"end\"\n", "at = [[0]]\n"), start + "7: load.0.at: found an array of 1", {});
}

TEST(Check, SeveralProblemsInTheOrderOfTheFile) {
  std::string text = beam_with("segments = 50", "segments = 0");
  text.replace(text.find("duration = 20.0"), 15, "duration = -20");
  text.replace(text.find("damping = 3.0"), 13, "dumping = 3.0");
  const std::string error = error_of(text);
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 2) << error;
  EXPECT_LT(error.find("simulation.duration"), error.find("material.wood.dumping"));
  EXPECT_LT(error.find("material.wood.dumping"), error.find("rod.beam.segments"));
}

}  // namespace
}  // namespace tendril::scene
