#include "export.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/program.h"
#include "io/file.h"
#include "sim/recorder.h"
#include "verbs.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

// a rope that tears under its own weight
const std::string rope = R"(
title = "A rope tears"
[simulation]
solver = "stable"
time_step = 0.005
duration = 0.3
[material.paper]
stiffness = { EA = 100, GA = 100, EI1 = 1e-3, EI2 = 1e-3, GJ = 1e-3 }
linear_density = 0.1
radius = 0.005
strain_limit = 0.004
[[rod]]
name = "rope"
material = "paper"
segments = 8
curve = { type = "line", from = [0, 0, 0], to = [0, 0, -1] }
clamp = ["start"]
[output]
export = ["pvd", ".usda", "glb", "abc", "csv", "npz", "obj"]
)";

std::string text(const fs::path& path) {
  const std::vector<char> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

// what is in a folder: names and bytes
std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) files[entry.path().filename().string()] = text(entry.path());
  return files;
}

TEST(Export, WritesEveryFormatAsTheRunGoesOn) {
  const Scratch scratch;
  const std::string scene = scratch.write("rope.toml", rope), run = (scratch / "run").string();
  const Program program(scratch, {"run", scene, "--out", run});
  ASSERT_EQ(program.exit_code(), exit_good) << program.output();
  EXPECT_NE(program.output().find("exported: " + run + "/export/rods.usda"), std::string::npos) << program.output();
  std::vector<int> broken;
  read_frame(scratch / "run/frames/000009.npz", &broken);
  ASSERT_FALSE(broken.empty()) << "the rope is to tear";

  // the whole motion is what `convert` makes of the finished run
  for (const std::string name : {"rods.usda", "rods.glb", "rods.abc", "rods.csv", "rods.npz"}) {
    ASSERT_EQ(Program(scratch, {"convert", run, (scratch / name).string()}).exit_code(), exit_good) << name;
    EXPECT_TRUE(text(scratch / name) == text(scratch.path() / "run/export" / name)) << name;
  }
  for (int frame = 0; frame < 10; ++frame) {
    EXPECT_TRUE(fs::exists(scratch / fmt::format("run/export/rods_{:04}.vtp", frame)));
    EXPECT_TRUE(fs::exists(scratch / fmt::format("run/export/rods_{:04}.obj", frame)));
    EXPECT_NE(text(scratch / "run/export/rods.pvd").find(fmt::format("rods_{:04}.vtp", frame)), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(scratch / "run/export/rods_0010.vtp"));
}

// what breaks collapses in the motion, and its strands stay
TEST(Export, ATornRopeKeepsItsStrands) {
  const Scratch scratch;
  const std::string scene = scratch.write("rope.toml", rope), run = (scratch / "run").string();
  ASSERT_EQ(Program(scratch, {"run", scene, "--out", run}).exit_code(), exit_good);
  const Take take = read_rods(scratch / "run/export/rods.usda");
  ASSERT_GT(take.strands.strands.size(), 1u);
  const Moment first = take.moment(0), last = take.moment(int(take.times.size()) - 1);
  int collapsed = 0;
  for (const Strand& strand : take.strands.strands) {
    const int a = strand.points.front(), b = strand.points.back();
    EXPECT_GT(norm(first.x[a] - first.x[b]), 0.1);
    collapsed += first.x[a] != first.x[b] && last.x[a] == last.x[b];
  }
  EXPECT_GT(collapsed, 0);
  const std::string table = text(scratch / "run/export/rods.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 10 * 9) << "a table has the rod's own nine vertices";
}

// at any moment after a frame the files of the whole motion are readable and hold at least half of it
TEST(Export, AnInterruptedRunIsExportedAndGoesOn) {
  const Scratch scratch;
  const std::string scene = scratch.write("rope.toml", rope), whole = (scratch / "whole").string(),
                    run = (scratch / "run").string();
  ASSERT_EQ(Program(scratch, {"run", scene, "--out", whole}).exit_code(), exit_good);

  // a run that was killed behind its fifth frame, with what its exporter had written
  const LoadedScene loaded = load_scene(scene);
  fs::create_directories(scratch / "run/frames");
  for (int frame = 0; frame < 5; ++frame)
    fs::copy(scratch / fmt::format("whole/frames/{:06}.npz", frame),
             scratch / fmt::format("run/frames/{:06}.npz", frame));
  fs::copy(scratch / "whole/metrics.csv", scratch / "run/metrics.csv");
  Exporter killed(run, loaded);
  for (int frame = 0; frame < 5; ++frame) {
    killed.add_frame(frame);
    const std::size_t moments = read_rods(scratch / "run/export/rods.usda").times.size();
    EXPECT_LE(moments, std::size_t(frame + 1));
    EXPECT_GE(2 * moments, std::size_t(frame + 1));
  }

  // another process goes on behind its third frame, as from a checkpoint
  Exporter resumed(run, loaded);
  for (int frame = 3; frame < 10; ++frame) {
    fs::copy(scratch / fmt::format("whole/frames/{:06}.npz", frame),
             scratch / fmt::format("run/frames/{:06}.npz", frame), fs::copy_options::overwrite_existing);
    resumed.add_frame(frame);
  }
  resumed.finish(10);
  EXPECT_TRUE(files_of(scratch / "run/export") == files_of(scratch / "whole/export"));

  // one that has nothing left to simulate brings its files up to date all the same
  fs::remove(scratch / "run/export/rods.glb");
  Exporter(run, loaded).finish(10);
  EXPECT_TRUE(files_of(scratch / "run/export") == files_of(scratch / "whole/export"));
}

TEST(Export, CtrlCLeavesWholeFiles) {
  const Scratch scratch;
  const std::string scene = scratch.write("rope.toml", rope), run = (scratch / "run").string();
  const Program program(scratch, {"run", scene, "--out", run, "--set=simulation.duration=1e5"});
  ASSERT_TRUE(program.says("frame")) << program.output();
  program.interrupt();
  EXPECT_EQ(program.exit_code(), exit_interrupted) << program.output();
  const Take take = read_rods(scratch / "run/export/rods.usda");
  int frames = 0;
  while (fs::exists(scratch / fmt::format("run/frames/{:06}.npz", frames))) ++frames;
  EXPECT_EQ(int(take.times.size()), frames);
}

TEST(Export, AnUnknownFormatIsAnErrorWithItsLine) {
  const Scratch scratch;
  std::string bad = rope;
  bad.replace(bad.find("\"glb\""), 5, "\"max\"");
  const Program program(scratch, {"check", scratch.write("bad.toml", bad)});
  EXPECT_EQ(program.exit_code(), exit_bad_scene);
  for (const char* part : {"bad.toml:19", "\"max\"", "\"usda\""})
    EXPECT_NE(program.output().find(part), std::string::npos) << program.output();
  EXPECT_EQ(Program(scratch, {"check", scratch.write("read.toml", bad.replace(bad.find("\"max\""), 5, "\"swc\""))})
                .exit_code(),
            exit_bad_scene)
      << "what is only read is no export format";
}

}  // namespace
}  // namespace tendril::app
