#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/program.h"
#include "verbs.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

// a rod over another one that is clamped at both ends, at this height above it; they touch at 0.02, in the
// middle of a segment
std::string scene_at(double height) {
  std::string text = R"(
[simulation]
solver = "stable"
time_step = 0.002
duration = 0.1
threads = 1
[material.rubber]
young_modulus = 1e7
poisson_ratio = 0.4
density = 1000
section = { shape = "circle", radius = 0.01 }
friction = 0.5
[[rod]]
name = "beam"
material = "rubber"
segments = 20
curve = { type = "line", from = [-0.5, 0, 0], to = [0.5, 0, 0] }
clamp = ["start", "end"]
[[rod]]
name = "stick"
material = "rubber"
segments = 10
curve = { type = "line", from = [0.025, -0.2, HEIGHT], to = [0.025, 0.23, HEIGHT] }
velocity = [0.1, 0, -0.5]
)";
  for (std::size_t at; (at = text.find("HEIGHT")) != std::string::npos;) text.replace(at, 6, std::to_string(height));
  return text;
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

nlohmann::json report_of(const fs::path& run) { return nlohmann::json::parse(std::ifstream(run / "report.json")); }

// the same two, crossed: with `rods = false` they may be, and pass on through each other
TEST(ContactStart, RodsThatDoNotCollideMayOverlap) {
  const Scratch scratch;
  const std::string scene = scratch.write("crossed.toml", scene_at(0.015) + "[contact]\nrods = false\n");
  const Program check(scratch, {"check", scene});
  EXPECT_EQ(check.exit_code(), exit_good);
  expect_parts(check.output(), {"Rods collide with obstacles and bodies only"});
  const Program run(scratch, {"run", scene, "--check-crossings", "--out", (scratch / "run").string()});
  EXPECT_EQ(run.exit_code(), exit_good) << run.output();
}

TEST(ContactStart, WhatOverlapsIsRefused) {
  const Scratch scratch;
  const std::string scene = scratch.write("crossed.toml", scene_at(0.015));
  for (const char* verb : {"run", "check"}) {
    std::vector<std::string> words{verb, scene};
    if (words[0] == "run") words.insert(words.end(), {"--out", (scratch / "run").string()});
    const Program program(scratch, words);
    EXPECT_EQ(program.exit_code(), exit_bad_scene) << verb;
    expect_parts(program.output(), {scene, "1 pair overlaps", "rod \"beam\" segment 10 and rod \"stick\" segment 4",
                                    "0.005 m deep", "--untangle", "[contact] enabled = false"});
  }
  EXPECT_FALSE(fs::exists(scratch / "run")) << "no run is begun";
  const Program without(scratch, {"check", scene, "--set", "contact.enabled=false"});
  EXPECT_EQ(without.exit_code(), exit_good);
  expect_parts(without.output(), {"Contact is off"});
}

TEST(ContactStart, AGapWithinTheBarrierIsFine) {
  const Scratch scratch;
  const Program program(scratch, {"check", scratch.write("near.toml", scene_at(0.0205))});
  EXPECT_EQ(program.exit_code(), exit_good) << program.output();
}

TEST(ContactStart, BranchesThatGrowTogetherAreCounted) {
  const Scratch scratch;
  const Program program(scratch, {"check", "stiff_tree", "--set", "contact.enabled=true"});
  EXPECT_EQ(program.exit_code(), exit_good) << program.output();
  expect_parts(program.output(), {"pairs of segments overlap near a branching: they count as grown together"});
}

TEST(ContactStart, UntangleMakesItRun) {
  const Scratch scratch;
  const std::string scene = scratch.write("crossed.toml", scene_at(0.015)), run = (scratch / "run").string();
  const Program program(scratch, {"run", scene, "--untangle", "--out", run});
  EXPECT_EQ(program.exit_code(), exit_good) << program.output();
  expect_parts(program.output(), {"untangled 1 pairs", "vertices moved, by at most 0.0", "50 steps"});
  EXPECT_GT(report_of(run)["smallest_gap"].get<double>(), 0);
}

// the stick lands on the beam and slides
TEST(ContactStart, TheReportHoldsGapAndFriction) {
  const Scratch scratch;
  const std::string scene = scratch.write("crossed.toml", scene_at(0.03)), run = (scratch / "run").string();
  const Program program(scratch, {"run", scene, "--check-crossings", "--out", run});
  EXPECT_EQ(program.exit_code(), exit_good) << program.output();
  expect_parts(program.output(), {"exact test: this is slow"});
  const nlohmann::json report = report_of(run);
  EXPECT_GT(report["smallest_gap"].get<double>(), 0);
  EXPECT_LT(report["smallest_gap"].get<double>(), 0.001) << "the reach of the barrier";
  EXPECT_GT(report["friction_work"].get<double>(), 0);
  const Program picture(scratch, {"render", run, "-o", (scratch / "x.png").string(), "--size", "64x36", "--samples",
                                  "1", "--color", "contact", "--fit", "frame", "--frame", "3"});
  EXPECT_EQ(picture.exit_code(), exit_good) << picture.output();
  expect_parts(picture.output(), {"colours: contact from 0 (blue) to 1 (red)"});

  const std::string far = (scratch / "far").string();
  const Program apart(scratch, {"run", scratch.write("far.toml", scene_at(0.3)), "--out", far});
  EXPECT_EQ(apart.exit_code(), exit_good);
  EXPECT_TRUE(report_of(far)["smallest_gap"].is_null()) << "nothing was near";
}

TEST(ContactStart, CheckingCrossingsNeedsContact) {
  const Scratch scratch;
  const Program program(scratch, {"run", scratch.write("crossed.toml", scene_at(0.03)), "--check-crossings", "--set",
                                  "contact.enabled=false", "--out", (scratch / "run").string()});
  EXPECT_EQ(program.exit_code(), exit_bad_scene);
}

}  // namespace
}  // namespace tendril::app
