#include <gtest/gtest.h>

#include "app/program.h"
#include "app/small_scene.h"
#include "io/csv.h"
#include "io/file.h"
#include "verbs.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

// `tendril run` in an empty folder of its own
class RunFolders : public testing::Test {
 protected:
  int run(std::vector<std::string> words) {
    words.insert(words.begin(), {"run", scene});
    const Program program(scratch, words, [&] { fs::current_path(scratch.path()); });
    const int code = program.exit_code();
    said = program.output();
    return code;
  }
  std::string text(const fs::path& path) const {
    const std::vector<char> bytes = read_file(scratch / path.string());
    return {bytes.begin(), bytes.end()};
  }
  bool holds(const std::string& path) const { return fs::exists(scratch / path); }

  const Scratch scratch;
  const std::string scene = scratch.write("beam.toml", small_scene);
  std::string said;
};

TEST_F(RunFolders, ASecondRunHasANumber) {
  for (const char* folder : {"runs/beam-stable", "runs/beam-stable-2", "runs/beam-stable-3"}) {
    EXPECT_EQ(run({}), exit_good) << said;
    EXPECT_NE(said.find(folder), std::string::npos) << said;
    EXPECT_TRUE(holds(std::string(folder) + "/report.json"));
  }
}

// the last of the numbered folders that holds this very scene
TEST_F(RunFolders, ResumeFindsTheRunOfTheScene) {
  ASSERT_EQ(run({}), exit_good);
  ASSERT_EQ(run({"--set=simulation.duration=0.05"}), exit_good);
  ASSERT_EQ(run({"--set=simulation.duration=0.07"}), exit_good);
  EXPECT_EQ(run({"--set=simulation.duration=0.05", "--resume"}), exit_good) << said;
  EXPECT_NE(said.find("runs/beam-stable-2"), std::string::npos) << said;
  EXPECT_EQ(run({"--set=simulation.duration=0.02", "--resume"}), exit_usage);
  EXPECT_NE(said.find("--overwrite"), std::string::npos) << said;
  EXPECT_FALSE(holds("runs/beam-stable-4"));
}

TEST_F(RunFolders, OverwriteReplacesTheRunAndNothingElse) {
  ASSERT_EQ(run({"--out", "here"}), exit_good);
  scratch.write("here/notes.txt", "mine");
  scratch.write("here/frames/000099.npz", "of a longer run");
  EXPECT_EQ(run({"--out", "here"}), exit_usage);
  EXPECT_NE(said.find("--overwrite"), std::string::npos) << said;
  EXPECT_EQ(run({"--out", "here", "--set=simulation.duration=0.02", "--overwrite"}), exit_good) << said;
  EXPECT_NE(text("here/scene.toml").find("0.02"), std::string::npos);
  EXPECT_EQ(read_csv(scratch / "here/metrics.csv").columns[0].back(), 0.02);
  EXPECT_FALSE(holds("here/frames/000099.npz"));
  EXPECT_EQ(text("here/notes.txt"), "mine");
  EXPECT_EQ(run({"--out", "fresh", "--overwrite"}), exit_good) << said;
  EXPECT_EQ(run({"--out", "here", "--overwrite", "--resume"}), exit_usage);
}

// neither overwriting nor resuming touches a folder that holds no run
TEST_F(RunFolders, OtherPeoplesFilesStay) {
  fs::create_directories(scratch / "papers/frames");
  scratch.write("papers/scene.tex", "\\section{Rods}");
  for (const char* word : {"--overwrite", "--resume"}) {
    EXPECT_EQ(run({"--out", "papers", word}), exit_usage) << word;
    EXPECT_NE(said.find("no run"), std::string::npos) << said;
    EXPECT_EQ(std::distance(fs::directory_iterator(scratch / "papers"), {}), 2) << word;
  }
}

TEST_F(RunFolders, WhatAKillLeftOfABeginningIsResumed) {
  fs::create_directories(scratch / "begun/frames");
  scratch.write("begun/.tendril.lock", "");
  scratch.write("begun/model.npz.tmp", "half");
  EXPECT_EQ(run({"--out", "begun", "--resume"}), exit_good) << said;
  EXPECT_TRUE(holds("begun/report.json"));
}

// one step, two frames; every step once
TEST_F(RunFolders, FramesAreNoCopies) {
  ASSERT_EQ(run({"--out", "one", "--set=simulation.time_step=100", "--set=simulation.duration=1",
                 "--set=simulation.solver=block", "--set=contact.enabled=false"}),
            exit_good)
      << said;
  EXPECT_NE(said.find("longer than duration"), std::string::npos) << said;
  EXPECT_EQ(read_csv(scratch / "one/metrics.csv").columns[0], (std::vector<double>{0, 100}));
  ASSERT_EQ(run({"--out", "all", "--set=simulation.frame_rate=1e6"}), exit_good) << said;
  EXPECT_NE(said.find("every step is written"), std::string::npos) << said;
  const std::vector<double> times = read_csv(scratch / "all/metrics.csv").columns[0];
  ASSERT_EQ(times.size(), 11u);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], 0.01 * double(k), 1e-15);
  ASSERT_EQ(run({"--out", "usual"}), exit_good);
  EXPECT_EQ(said.find("warning"), std::string::npos) << said;
}

// numbers that a scene may have but a computer has not
TEST_F(RunFolders, InfinityStopsTheRun) {
  EXPECT_EQ(run({"--out", "fast", "--set=rod.beam.velocity=[1e300,0,0]", "--set=rod.beam.clamp=[]"}),
            exit_simulation_failed);
  EXPECT_NE(said.find("kinetic"), std::string::npos) << said;
  EXPECT_FALSE(holds("fast")) << "nothing was started";
  for (const char* solver : {"block", "direct", "stable"}) {
    const std::string out = std::string("stiff-") + solver;
    const int code = run({"--out", out, "--solver", solver, "--set=material.rubber.stiffness.EA=1e300",
                          "--set=material.rubber.stiffness.EI1=1e300", "--set=material.rubber.stiffness.GJ=1e300"});
    if (!holds(out)) continue;
    const CsvTable rows = read_csv(scratch / (out + "/metrics.csv"));
    for (std::size_t c = 0; c < rows.names.size(); ++c)
      for (const double value : rows.columns[c])
        EXPECT_TRUE(std::isfinite(value) || rows.names[c] == "min_gap") << solver << " " << rows.names[c];
    EXPECT_TRUE(code == exit_simulation_failed || code == exit_good) << solver << ": " << said;
  }
}

// even one step
TEST_F(RunFolders, UnsolvedStepsAreReported) {
  ASSERT_EQ(run({"--out", "good", "--solver", "block"}), exit_good) << said;
  EXPECT_EQ(said.find("not solved"), std::string::npos) << said;
  ASSERT_EQ(
      run({"--out", "bad", "--solver", "block", "--set=simulation.duration=1", "--set=solver.block.iterations=1"}),
      exit_good)
      << said;
  EXPECT_NE(said.find("not solved"), std::string::npos) << said;
}

}  // namespace
}  // namespace tendril::app
