// residuals.csv: the residual after every iteration of every step

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "rod/chain.h"
#include "scratch.h"
#include "sim/run.h"

namespace tendril::sim {
namespace {

namespace fs = std::filesystem;

constexpr double tolerance = 1e-6;

// a beam that begins to sag, with a frame per step, so that a row of metrics.csv tells of one step
struct Trial {
  double duration = 0.2;
  bool residuals = true;
  bool resume = false;
  double checkpoint_interval = 10;

  RunResult run(const fs::path& folder) const {
    const Chain c = make_chain({.segments = 6, .clamped = true});
    RunOptions options;
    options.schedule = {.time_step = 0.01, .duration = duration, .frame_rate = 100};
    options.residuals = residuals;
    options.checkpoint_interval = checkpoint_interval;
    const OptionValues solver{{"residuals", residuals}, {"tolerance", tolerance}, {"acceleration", false}};
    Simulation simulation(c.model, c.state, {.time_step = 0.01}, find_solver("stable")->make(solver));
    Recorder recorder(folder, {"title = \"test\"\n", {}}, c.model, resume ? RunStart::resume : RunStart::fresh);
    Progress quiet(stderr, Progress::Style::none);
    return sim::run(simulation, options, recorder, quiet);
  }
};

std::string text(const fs::path& path) {
  const std::vector<char> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

// in memory where there is such a disk: checkpoints wait for the disk
fs::path place() { return fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path(); }

TEST(residuals, has_a_row_for_every_iteration_of_every_step) {
  const Scratch scratch(place());
  Trial().run(scratch / "run");
  const CsvTable rows = read_csv(scratch / "run/residuals.csv"), metrics = read_csv(scratch / "run/metrics.csv");
  ASSERT_EQ(rows.names, (std::vector<std::string>{"step", "iteration", "residual"}));
  const auto column = [&](const char* name) { return metrics.columns[std::size_t(metrics.find(name))]; };
  std::size_t row = 0;
  for (std::size_t step = 1; step < metrics.row_count(); ++step) {
    const std::size_t count = std::size_t(column("iterations")[step]), last = row + count - 1;
    ASSERT_GT(count, 2u);
    ASSERT_LT(last, rows.row_count());
    for (std::size_t n = 1; n <= count; ++n, ++row) {
      EXPECT_EQ(rows.columns[0][row], double(step));
      EXPECT_EQ(rows.columns[1][row], double(n));
      // momentum may let them grow for a moment, but the last sweep leaves the least
      EXPECT_GE(rows.columns[2][row], rows.columns[2][last]) << "step " << step << ", iteration " << n;
    }
    EXPECT_EQ(rows.columns[2][last], column("residual")[step]);
    EXPECT_LE(rows.columns[2][last], tolerance);
    EXPECT_GT(rows.columns[2][last - 1], tolerance) << "the step would have ended before";
  }
  EXPECT_EQ(row, rows.row_count());
}

TEST(residuals, are_written_only_when_asked_for) {
  const Scratch scratch(place());
  Trial().run(scratch / "with");
  Trial without;
  without.residuals = false;
  without.run(scratch / "without");
  EXPECT_TRUE(fs::exists(scratch / "with/residuals.csv"));
  EXPECT_FALSE(fs::exists(scratch / "without/residuals.csv"));
}

// a run that stops after some steps; later steps have left rows behind the checkpoint, the last of them cut off
TEST(residuals, continue_without_doubling_or_losing_rows) {
  const Scratch scratch(place());
  Trial().run(scratch / "whole");
  for (const char* left_behind : {"", "8,1,0.5\n8,2,0.25\n8,3,0.1"}) {
    const fs::path folder = scratch / fmt::format("stopped_{}", *left_behind != 0);
    Trial first, second;
    first.duration = 0.07;
    EXPECT_EQ(first.run(folder).steps, 7);
    std::ofstream(folder / "residuals.csv", std::ios::app) << left_behind;
    second.resume = true;
    EXPECT_EQ(second.run(folder).steps, 20);
    EXPECT_EQ(text(folder / "residuals.csv"), text(scratch / "whole/residuals.csv"));
  }
}

TEST(residuals, survive_a_kill) {
  const Scratch scratch(place());
  Trial().run(scratch / "whole");
  Trial trial;
  trial.resume = true;
  trial.checkpoint_interval = 0.0005;
  for (int attempt = 0; attempt < 6; ++attempt) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) trial.run(scratch / "killed"), _exit(0);
    usleep(useconds_t(1000 + 1500 * attempt));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  EXPECT_EQ(trial.run(scratch / "killed").end, RunEnd::finished);
  EXPECT_EQ(text(scratch / "killed/residuals.csv"), text(scratch / "whole/residuals.csv"));
}

}  // namespace
}  // namespace tendril::sim
