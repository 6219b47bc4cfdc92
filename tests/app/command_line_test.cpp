#include <gtest/gtest.h>

#include "app/program.h"
#include "scratch.h"
#include "sim/folder_lock.h"
#include "verbs.h"

namespace tendril {
namespace {

namespace fs = std::filesystem;

// a soft rope that takes long to come to rest
const std::string rope = R"(
[simulation]
solver = "stable"
time_step = 0.01
duration = 0.1
settle = true
settle_tolerance = 1e-14
[material.rubber]
stiffness = { EA = 1e5, GA = 1e5, EI1 = 1e-5, EI2 = 1e-5, GJ = 1e-5 }
linear_density = 0.1
radius = 0.005
[[rod]]
name = "rope"
material = "rubber"
segments = 500
curve = { type = "line", from = [0, 0, 0], to = [1, 0, 0] }
clamp = ["start"]
)";

TEST(CommandLine, AFolderThatIsWrittenToIsRefused) {
  const Scratch scratch;
  const std::string scene = scratch.write("rope.toml", rope), folder = (scratch / "run").string();
  const FolderLock writer(folder);
  for (const char* word : {"--set=simulation.settle=false", "--resume"}) {
    const Program program(scratch, {"run", scene, "--out", folder, word});
    EXPECT_EQ(program.exit_code(), exit_resource_failed) << word;
    EXPECT_NE(program.output().find(folder), std::string::npos) << program.output();
    EXPECT_NE(program.output().find("another run writes"), std::string::npos) << program.output();
  }
}

TEST(CommandLine, AnInterruptedSettlingLeavesNothing) {
  const Scratch scratch;
  const std::string scene = scratch.write("rope.toml", rope);
  const Program program(scratch, {"run", scene, "--out", (scratch / "run").string()});
  EXPECT_TRUE(program.says("settling"));
  program.interrupt();
  EXPECT_EQ(program.exit_code(), exit_interrupted);
  EXPECT_TRUE(program.says("nothing was started")) << program.output();
  EXPECT_FALSE(fs::exists(scratch / "run"));
}

// at the kink between sticking and sliding only a solver that goes to the last digits comes to rest
TEST(CommandLine, SettlesOnAFloorWithFriction) {
  const Scratch scratch;
  const std::string scene = scratch.write("floor.toml", R"(
[simulation]
time_step = 1e-3
duration = 1e-3
settle = true
[material.rubber]
young_modulus = 1e7
poisson_ratio = 0.4
density = 1100
section = { shape = "circle", radius = 0.003 }
friction = 1
[[rod]]
name = "rod"
material = "rubber"
segments = 60
curve = { type = "line", from = [0, 0, 0.1], to = [0.8, 0, 0.1] }
clamp = ["start"]
[[obstacle]]
shape = "plane"
)");
  const Program program(scratch, {"run", scene, "--out", (scratch / "run").string()});
  EXPECT_EQ(program.exit_code(), exit_good);
  EXPECT_TRUE(program.says("settled in")) << program.output();
  EXPECT_EQ(program.output().find("not settled"), std::string::npos) << program.output();
}

TEST(CommandLine, ARunInterruptedInItsMiddleGoesOn) {
  const Scratch scratch;
  const std::string scene = scratch.write("rope.toml", rope);
  const std::vector<std::string> words{"run",
                                       scene,
                                       "--out",
                                       (scratch / "run").string(),
                                       "--set=simulation.settle=false",
                                       "--set=simulation.duration=1000",
                                       "--resume"};
  const Program program(scratch, words);
  EXPECT_TRUE(program.says("frame"));
  program.interrupt();
  EXPECT_EQ(program.exit_code(), exit_interrupted);
  EXPECT_TRUE(program.says("--resume")) << program.output();
  EXPECT_TRUE(fs::exists(scratch / "run/checkpoint"));
  EXPECT_FALSE(fs::exists(scratch.path() / "run" / FolderLock::file_name));
}

TEST(CommandLine, MistakesHaveTheirExitCodes) {
  const Scratch scratch;
  EXPECT_EQ(Program(scratch, {"run"}).exit_code(), exit_usage);
  EXPECT_EQ(Program(scratch, {"run", "no_such_scene"}).exit_code(), exit_bad_scene);
  EXPECT_EQ(Program(scratch, {"check", scratch.write("bad.toml", rope + "[[load]]\nfroce = 1\n")}).exit_code(),
            exit_bad_scene);
  EXPECT_EQ(Program(scratch, {"list", "solvers"}).exit_code(), exit_good);
  scratch.write("notes", "mine");
  EXPECT_EQ(Program(scratch, {"run", scratch.write("rope.toml", rope), "--out", scratch.path().string()}).exit_code(),
            exit_usage);
}

}  // namespace
}  // namespace tendril
