#include "scene_text.h"

namespace tendril::scene {
namespace {

const std::string moduli =
    "young_modulus = 1e9\nshear_modulus = 4e8\ndensity = 1000\nsection = { shape = \"circle\", radius = 0.01 }\n";

// the beam with another material; its keys start at line 8
std::string beam_of(const std::string& material) {
  const std::size_t begin = beam_scene.find("stiffness ="), end = beam_scene.find("[[rod]]");
  return beam_scene.substr(0, begin) + material + beam_scene.substr(end);
}

std::string without(std::string text, const std::string& key) {
  const std::size_t begin = text.find(key);
  return text.erase(begin, text.find('\n', begin) + 1 - begin);
}

TEST(MaterialRules, EitherWayIsGood) {
  EXPECT_EQ(error_of(beam_of(moduli)), "");
  EXPECT_EQ(error_of(beam_of(without(moduli, "shear_modulus") + "poisson_ratio = 0.3\n")), "");
  for (const char* section :
       {"{ shape = \"ellipse\", width = 1, height = 2 }", "{ shape = \"rectangle\", width = 1, height = 2 }",
        "{ shape = \"tube\", radius = 2, inner = 1 }"})
    EXPECT_EQ(error_of(beam_of(without(moduli, "section") + "section = " + section + "\n")), "") << section;
}

TEST(MaterialRules, UnusualIsLegal) {
  EXPECT_EQ(error_of(beam_of(without(moduli, "shear_modulus") + "shear_modulus = 1e11\n")), "");  // G = 100 E
  EXPECT_EQ(error_of(beam_of(without(moduli, "shear_modulus") + "poisson_ratio = -0.9\n")), "");
  EXPECT_EQ(error_of(beam_of(without(moduli, "shear_modulus") + "poisson_ratio = 0.7\n")), "");
  expect_error(beam_of(without(moduli, "shear_modulus") + "poisson_ratio = -1\n"),
               "scene.toml:11:17: material.wood.poisson_ratio: is -1", {"greater than -1"});
}

TEST(MaterialRules, Incomplete) {
  expect_error(beam_of(""), "scene.toml:7:1: material.wood: has neither stiffness nor mass", {"either young_modulus"});
  for (const char* key : {"young_modulus", "density", "section"})
    expect_error(beam_of(without(moduli, key)), std::string("scene.toml:7:1: material.wood.") + key + ": is missing",
                 {});
  expect_error(beam_of(without(moduli, "shear_modulus")), "scene.toml:7:1: material.wood.shear_modulus: is missing",
               {"shear_modulus or poisson_ratio"});
  for (const char* key : {"stiffness", "linear_density", "radius"})
    expect_error(without(beam_scene, key), std::string("scene.toml:7:1: material.wood.") + key + ": is missing", {});
}

TEST(MaterialRules, Contradictory) {
  expect_error(beam_of(moduli + "poisson_ratio = 0.3\n"),
               "scene.toml:12:17: material.wood.poisson_ratio: stands beside shear_modulus", {});
  expect_error(beam_with("linear_density", "young_modulus = 1e9\nlinear_density"),
               "scene.toml:9:17: material.wood.young_modulus: does not go with stiffness", {});
  expect_error(beam_of(moduli + "linear_density = 3\n"),
               "scene.toml:12:18: material.wood.linear_density: does not go with young_modulus", {});
  expect_error(beam_with("radius = 0.5", "radius = 0.5\nshear_factor = 0.9"),
               "scene.toml:11:16: material.wood.shear_factor: does not go with stiffness", {});
  expect_error(beam_of(without(moduli, "section") + "section = { shape = \"tube\", radius = 1, inner = 1 }\n"),
               "scene.toml:11:49: material.wood.section.inner: is 1", {"less than radius = 1"});
}

TEST(NameRules, NoNameTwice) {
  const std::string rod =
      "[[rod]]\nname = \"beam\"\nmaterial = \"wood\"\nsegments = 1\n"
      "curve = { type = \"line\", from = [0, 0, 0], to = [1, 0, 0] }\n";
  expect_error(beam_and(rod), "scene.toml:27:8: rod.beam.name: \"beam\" is taken by scene.toml:13:8", {});
  const std::string bob = "[[body]]\nname = \"bob\"\nrod = \"beam\"\nat = \"end\"\nmass = 1\n";
  const std::string obstacle = "[[obstacle]]\nname = \"bob\"\nshape = \"plane\"\n";
  EXPECT_EQ(error_of(beam_and(bob)), "");
  expect_error(beam_and(bob + bob), "scene.toml:32:8: body.bob.name: \"bob\" is taken", {});
  expect_error(beam_and(bob + obstacle),
               "scene.toml:32:8: obstacle.bob.name: \"bob\" is taken by scene.toml:27:8: body.bob.name", {});
  EXPECT_EQ(error_of(beam_and("[[obstacle]]\nshape = \"plane\"\n[[obstacle]]\nshape = \"plane\"\n")),
            "");  // nameless ones may be many
  expect_error(beam_with("name = \"tip\" }", "name = \"tip\" }, { rod = \"beam\", at = 1, name = \"tip\" }"),
               "scene.toml:23:85: output.probe.tip.name: \"tip\" is taken", {});
  expect_error(beam_with("name = \"beam\"", "name = \"\""), "", {"there is no rod \"beam\""});
}

TEST(HoldRules, HoldsSomethingForAWhile) {
  const std::string hold = "[[hold]]\nrod = \"beam\"\nat = \"end\"\n";
  for (const char* good : {"", "position = \"x\"\n", "position = \"zy\"\n", "position = \"none\"\nframe = \"axis\"\n",
                           "from = 1\nuntil = 2\n"})
    EXPECT_EQ(error_of(beam_and(hold + good)), "") << good;
  expect_error(beam_and(hold + "position = \"xx\"\n"), "scene.toml:29:12: hold.0.position: found text \"xx\"", {});
  expect_error(beam_and(hold + "position = \"xw\"\n"), "scene.toml:29:12: hold.0.position: found text \"xw\"", {});
  expect_error(beam_and(hold + "position = \"none\"\n"), "scene.toml:26:1: hold.0: holds nothing", {});
  expect_error(beam_and(hold + "from = 2\nuntil = 2\n"), "scene.toml:30:9: hold.0.until: is 2, not after from = 2", {});
  expect_error(beam_and(hold + "until = -1\n"), "scene.toml:29:9: hold.0.until: is -1, not after from = 0", {});
  expect_error(beam_and("[[hold]]\nat = \"end\"\n"), "scene.toml:26:1: hold.0.rod: is missing", {});
  expect_error(beam_and("[[hold]]\nrod = \"beam\"\n"), "scene.toml:26:1: hold.0.at: is missing", {"a vertex number"});
}

TEST(DriveRules, OneTargetAndAMotion) {
  const std::string start = "[[drive]]\nrod = \"beam\"\nat = \"start\"\n",
                    slide = "translate = { velocity = [1, 0, 0] }\n";
  const std::string floor = "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n";
  EXPECT_EQ(error_of(beam_and(start + slide)), "");
  for (const char* good : {"translate = { sine = { amplitude = [1, 0, 0], frequency = 2 } }\n",
                           "rotate = { axis = [0, 0, 1], rate = 1 }\nabout = [0, 0, 0]\n",
                           "rotate = { axis = [0, 0, 1], keys = [[0, 0], [1, 3]] }\n"})
    EXPECT_EQ(error_of(beam_and(start + good)), "") << good;
  EXPECT_EQ(error_of(beam_and(floor + "[[drive]]\nobstacle = \"floor\"\n" + slide)), "");
  expect_error(beam_and("[[drive]]\n" + slide), "scene.toml:26:1: drive.0: names nothing", {"rod, obstacle, body"});
  expect_error(beam_and(floor + start + "obstacle = \"floor\"\n" + slide),
               "scene.toml:32:12: drive.0.obstacle: stands beside rod", {});
  expect_error(beam_and("[[drive]]\nrod = \"beam\"\n" + slide), "scene.toml:26:1: drive.0.at: is missing", {});
  expect_error(beam_and(start), "scene.toml:26:1: drive.0: does nothing", {"translate, rotate"});
  expect_error(beam_and(start + "translate = {}\n"), "scene.toml:29:13: drive.0.translate: names nothing",
               {"velocity, keys, sine"});
  expect_error(beam_and(start + "translate = { velocity = [1, 0, 0], keys = [[0, 0, 0, 0]] }\n"),
               "scene.toml:29:44: drive.0.translate.keys: stands beside velocity", {});
  expect_error(beam_and(start + "rotate = { axis = [0, 0, 1] }\n"), "scene.toml:29:10: drive.0.rotate: names nothing",
               {"rate, keys"});
  expect_error(beam_and(start + "rotate = { axis = [0, 0, 0], rate = 1 }\n"),
               "scene.toml:29:19: drive.0.rotate.axis: has no direction", {});
  expect_error(beam_and(start + slide + "about = [0, 0, 0]\n"),
               "scene.toml:30:9: drive.0.about: stands without a rotation", {});
  expect_error(beam_and(start + slide + "from = 3\nuntil = 1\n"),
               "scene.toml:31:9: drive.0.until: is 1, not after from = 3", {});
}

TEST(LoadRules, WhatActsOnWhat) {
  const std::string load = "[[load]]\nrod = \"beam\"\n",
                    body = "[[body]]\nname = \"bob\"\nrod = \"beam\"\nat = \"end\"\nmass = 1\n";
  EXPECT_EQ(error_of(beam_and(load + "per_length = [0, 0, -1]\n")), "");
  EXPECT_EQ(error_of(beam_and(load + "at = 3\nmoment = [0, 0, -1]\nkeys = [[0, 0], [1, 1]]\n")), "");
  EXPECT_EQ(error_of(beam_and(body + "[[load]]\nbody = \"bob\"\nforce = [0, 0, -1]\n")), "");
  expect_error(beam_and("[[load]]\nforce = [0, 0, -1]\n"), "scene.toml:26:1: load.1: names nothing", {"rod, body"});
  expect_error(beam_and(load + "at = 3\n"), "scene.toml:26:1: load.1: does nothing", {"force, moment, per_length"});
  expect_error(beam_and(load + "force = [0, 0, -1]\n"), "scene.toml:26:1: load.1.at: is missing", {});
  expect_error(beam_and(load + "at = 3\nforce = [0, 0, -1]\nper_length = [0, 0, 1]\n"),
               "scene.toml:29:9: load.1.force: stands beside per_length", {});
  expect_error(beam_and(body + "[[load]]\nbody = \"bob\"\nper_length = [0, 0, -1]\n"),
               "scene.toml:33:14: load.1.per_length: acts on rods only", {});
  expect_error(beam_and(body + "[[load]]\nbody = \"bob\"\nat = 3\nforce = [0, 0, -1]\n"),
               "scene.toml:33:6: load.1.at: stands without a rod", {});
}

TEST(BodyAndJointRules, Sides) {
  const std::string body = "[[body]]\nname = \"bob\"\nmass = 1\n";
  EXPECT_EQ(error_of(beam_and(body + "shape = { shape = \"sphere\", radius = 1 }\ninertia = [1, 2, 3]\n")), "");
  EXPECT_EQ(parse(beam_and(body + "shape = { type = \"sphere\", radius = 1 }\n"))
                .root.tables("body")[0]
                .table("shape")
                .text("shape"),
            "sphere");
  expect_error(beam_and(body + "rod = \"beam\"\n"), "scene.toml:26:1: body.bob.at: is missing", {});
  expect_error(beam_and("[[body]]\nname = \"bob\"\n"), "scene.toml:26:1: body.bob.mass: is missing", {});
  const std::string joint = "[[joint]]\na = { rod = \"beam\", at = \"end\" }\n";
  EXPECT_EQ(error_of(beam_and(body + joint + "b = { body = \"bob\" }\n")), "");
  expect_error(beam_and(body + joint), "scene.toml:29:1: joint.0.b: is missing", {});
  expect_error(beam_and(body + joint + "b = { at = 1 }\n"), "scene.toml:31:5: joint.0.b: names nothing",
               {"rod, body, obstacle"});
  expect_error(beam_and(body + joint + "b = { rod = \"beam\" }\n"), "scene.toml:31:5: joint.0.b.at: is missing", {});
  expect_error(beam_and(body + "[[joint]]\na = { body = \"bob\" }\nb = { body = \"bob\" }\n"),
               "scene.toml:29:1: joint.0: joins no rod", {});
  expect_error(beam_with("at = \"end\", name = \"tip\"", "name = \"tip\""),
               "scene.toml:23:10: output.probe.tip.at: is missing", {});
}

TEST(ContactRules, AGridIsOneOfTheModels) {
  EXPECT_EQ(error_of(beam_and("[contact]\nmodel = \"pairs\"\n")), "");
  EXPECT_EQ(error_of(beam_and("[contact]\nmodel = \"grid\"\ncell = 0.1\nmixing = 0\n")), "");
  for (const char* model : {"pairs", "grid"}) {  // a run's own scene has every key
    const std::string all = resolved_toml(parse(beam_and("[contact]\nmodel = \"" + std::string(model) + "\"\n")));
    EXPECT_EQ(error_of(all), "");
  }
  expect_error(beam_and("[contact]\nmodel = \"grid\"\nmixing = -1\n"), "scene.toml:28:10: contact.mixing", {});
  expect_error(beam_and("[contact]\nmodel = \"fluid\"\n"), "scene.toml:27:9: contact.model", {"\"grid\""});
}

TEST(SimulationRules, ARunEnds) {
  const auto timed = [](const std::string& step, const std::string& duration) {
    return beam_with("time_step = 0.01\nduration = 20.0", "time_step = " + step + "\nduration = " + duration);
  };
  EXPECT_EQ(error_of(timed("0.01", "0.01")), "");
  EXPECT_EQ(error_of(timed("1", "0.01")), "");
  EXPECT_EQ(error_of(timed("1e-9", "100")), "");
  expect_error(timed("1e-300", "0.01"), "scene.toml:4:13: simulation.time_step: is 1e-300 s",
               {"1e+298 steps", "at most 1e+12", "longer step"});
  expect_error(timed("1e-300", "1e300"), "scene.toml:4:13: simulation.time_step: is 1e-300 s", {"inf steps"});
  expect_error(beam_with("duration = 20.0", "duration = 20.0\nframe_rate = 1e300"),
               "scene.toml:6:14: simulation.frame_rate: is 1e+300 1/s", {"2e+301 frames"});
}

}  // namespace
}  // namespace tendril::scene
