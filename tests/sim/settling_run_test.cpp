// a run that begins with its equilibrium: what is seen of it, and how it is interrupted

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rod/chain.h"
#include "scratch.h"
#include "sim/dense_euler.h"
#include "sim/run.h"

namespace tendril::sim {
namespace {

namespace fs = std::filesystem;

// what a run says where there is no terminal
class Transcript {
 public:
  std::FILE* file() { return file_; }
  std::string text() {
    std::string result;
    std::rewind(file_);
    for (int c; (c = std::fgetc(file_)) != EOF;) result += char(c);
    return result;
  }
  ~Transcript() { std::fclose(file_); }

 private:
  std::FILE* file_ = std::tmpfile();
};

RunResult settle_and_run(const fs::path& folder, std::atomic<bool>& interrupted, Transcript& transcript) {
  const Chain c = make_chain({.segments = 4, .clamped = true});
  RunOptions options;
  options.schedule = {.time_step = 0.01, .duration = 0.05, .frame_rate = 100};
  options.settle = SettleOptions{};
  options.interrupted = &interrupted;
  Simulation simulation(c.model, c.state, {.time_step = 0.01}, make_dense_euler());
  Recorder recorder(folder, {"title = \"test\"\n", {}}, c.model, RunStart::fresh);
  Progress progress(transcript.file(), Progress::Style::lines);
  return run(simulation, options, recorder, progress);
}

TEST(settling_run, says_that_it_settles) {
  const Scratch scratch;
  std::atomic<bool> interrupted = false;
  Transcript transcript;
  const RunResult result = settle_and_run(scratch / "run", interrupted, transcript);
  EXPECT_TRUE(result.has_started());
  EXPECT_EQ(transcript.text().find("settling  0 steps"), 0u) << transcript.text();
  EXPECT_NE(transcript.text().find(fmt::format("settled in {} steps", result.settle->steps)), std::string::npos);
}

// nothing was started, so the same words start it later
TEST(settling_run, leaves_no_run_when_interrupted) {
  const Scratch scratch;
  std::atomic<bool> interrupted = true;
  Transcript transcript;
  const RunResult result = settle_and_run(scratch / "run", interrupted, transcript);
  EXPECT_EQ(result.end, RunEnd::interrupted);
  EXPECT_FALSE(result.has_started());
  EXPECT_TRUE(result.settle->interrupted);
  EXPECT_FALSE(fs::exists(scratch / "run"));
  interrupted = false;
  EXPECT_EQ(settle_and_run(scratch / "run", interrupted, transcript).end, RunEnd::finished);
}

TEST(progress, tells_how_far_from_the_equilibrium_it_is) {
  EXPECT_EQ(progress_line(SettlePoint{1200, 3.24e-5, 1e-8}), "settling  1200 steps  residual 3.2e-05, until 1e-08");
}

}  // namespace
}  // namespace tendril::sim
