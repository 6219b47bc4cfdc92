#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/program.h"
#include "io/csv.h"
#include "scratch.h"
#include "sim/folder_lock.h"
#include "verbs.h"

namespace tendril::app {
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

TEST(CommandLine, HelpAndUnknownVerbs) {
  const Scratch scratch;
  const Program all(scratch, {"help"});
  EXPECT_EQ(all.exit_code(), exit_good);
  for (const char* verb : {"run", "check", "render", "convert"})
    EXPECT_NE(all.output().find(std::string("\n  ") + verb + " "), std::string::npos) << verb << all.output();
  const Program one(scratch, {"help", "render"});
  EXPECT_EQ(one.exit_code(), exit_good);
  EXPECT_NE(one.output().find("--camera"), std::string::npos) << one.output();
  for (const std::vector<std::string>& words : {std::vector<std::string>{"rnu"}, {"help", "rnu"}}) {
    const Program program(scratch, words);
    EXPECT_EQ(program.exit_code(), exit_usage);
    EXPECT_NE(program.output().find("no verb \"rnu\" (did you mean \"run\"?)"), std::string::npos) << program.output();
  }
}

TEST(CommandLine, ListsAreForPrograms) {
  const Scratch scratch;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"keys"}, {"solvers"}, {"options", "block"}}) {
    std::vector<std::string> all{"list", "--json"};
    all.insert(all.end(), words.begin(), words.end());
    const Program program(scratch, all);
    EXPECT_EQ(program.exit_code(), exit_good);
    const nlohmann::json list = nlohmann::json::parse(program.output(), nullptr, false);
    ASSERT_TRUE(list.is_array() && !list.empty()) << words[0] << program.output();
    for (const auto& entry : list) EXPECT_TRUE(entry.contains("name") && entry.contains("meaning")) << entry;
    if (words[0] != "keys") continue;
    const auto found = std::find_if(list.begin(), list.end(),
                                    [](const auto& entry) { return entry["name"] == "simulation.time_step"; });
    ASSERT_NE(found, list.end());
    EXPECT_EQ((*found)["unit"], "s");
    EXPECT_EQ((*found)["required"], true);
    EXPECT_EQ((*found)["type"], "number");
  }
}

// with its standard streams closed the program prints into none of its files
TEST(CommandLine, ClosedStreamsStayOutOfTheFiles) {
  const Scratch scratch;
  const std::string scene = scratch.write("rope.toml", rope), folder = (scratch / "run").string();
  const Program program(scratch, {"run", scene, "--out", folder, "--set=simulation.settle=false"}, [] {
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(stream);
  });
  EXPECT_EQ(program.exit_code(), exit_good);
  EXPECT_EQ(read_csv(scratch / "run/metrics.csv").row_count(), 4u);  // and throws when anything else is in it
}

TEST(CommandLine, OutputThatIsLostIsAnError) {
  const Scratch scratch;
  const std::string scene = scratch.write("rope.toml", rope);
  const auto to_a_full_disk = [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); };
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"info", scene}, {"info", scene, "--json"}, {"list", "keys"}, {"check", scene}}) {
    const Program program(scratch, words, to_a_full_disk);
    EXPECT_EQ(program.exit_code(), exit_resource_failed) << words[0];
    EXPECT_NE(program.output().find("standard output cannot be written"), std::string::npos) << program.output();
  }
}

// What systems send to end a program, within steps that take much longer: of a rod of 200,000 segments, and of a knit
// that falls in steps of 0.1 s. In processor time, which other busy programs do not lengthen.
TEST(CommandLine, ASignalEndsAStepWithinASecond) {
  const std::vector<std::string> long_rope{"--set=rod.rope.segments=200000", "--set=simulation.settle=false",
                                           "--set=contact.enabled=false"};
  for (const std::string solver : {"block", "direct", "stable"})
    for (const bool knit : {false, true}) {
      const Scratch scratch;
      std::vector<std::string> words{"run",
                                     knit ? "knit_letters" : scratch.write("rope.toml", rope),
                                     "--out",
                                     (scratch / "run").string(),
                                     "--solver",
                                     solver,
                                     "--set=simulation.duration=1000",
                                     "--set=simulation.time_step=0.1"};
      if (!knit) words.insert(words.end(), long_rope.begin(), long_rope.end());
      const Program program(scratch, words);
      for (int n = 0; n < 12000 && !fs::exists(scratch / "run/checkpoint"); ++n) usleep(10'000);
      usleep(300'000);
      const double before = program.cpu_seconds();
      EXPECT_GT(before, 0.1) << "it computes";
      program.terminate();
      EXPECT_EQ(program.exit_code(), exit_interrupted) << solver << program.output();
      EXPECT_LT(program.cpu_seconds() - before, 1) << solver << (knit ? ", knit" : ", rope");
    }
}

}  // namespace
}  // namespace tendril::app
