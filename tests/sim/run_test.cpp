#include "sim/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contact/crossed_rods.h"
#include "scratch.h"
#include "sim/checkpoint.h"
#include "sim/dense_euler.h"

namespace tendril::sim {
namespace {

namespace fs = std::filesystem;

// a beam that falls away from a ball, is shaken, held at its tip for a while, and breaks
Chain scene() {
  Chain c = make_chain({.segments = 4, .EA = 10, .clamped = true});
  c.model.gravity = {8, 0, -2};
  c.model.holds.push_back({0.1, 0.2, {}});
  add_clamp(c, 4, {3}, 1);
  add_obstacle(c, Sphere{{0.9, 0, 0.123}, 0.1}, "ball");
  c.model.segments[1].strain_limit = 0.3;
  Field wind;
  wind.velocity = {0, 3, 0}, wind.gust_amplitude = 1, wind.gust_frequency = 2;
  c.model.fields = {wind};
  c.model.probes = {{.name = "tip", .vertex = 4, .segment = 3, .other_segment = 2, .at_end = true}};
  return c;
}

struct Trial {
  Chain chain = scene();
  RunOptions options;
  std::unique_ptr<Solver> solver = make_dense_euler();
  RunStart start = RunStart::fresh;
  std::string scene_toml = "title = \"test\"\n";

  Trial() { options.schedule = {.time_step = 0.01, .duration = 0.5, .frame_rate = 30}; }

  RunResult run(const fs::path& folder) {
    Simulation simulation(chain.model, chain.state, {.time_step = options.schedule.time_step, .seed = 3, .contact = {}},
                          std::move(solver));
    solver = make_dense_euler();
    Recorder recorder(folder, {scene_toml, {{"solver", "dense"}}}, chain.model, start);
    Progress quiet(stderr, Progress::Style::none);
    return sim::run(simulation, options, recorder, quiet);
  }
};

// an empty place for a run, in memory where there is such a disk: checkpoints wait for the disk
fs::path fresh(const std::string& name) {
  static const Scratch place(fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path());
  fs::remove_all(place / name);
  return place / name;
}

std::string text(const fs::path& path) {
  const std::vector<char> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

nlohmann::json report_of(const fs::path& folder) { return nlohmann::json::parse(text(folder / "report.json")); }

// metrics without the column that depends on the clock
std::vector<std::vector<double>> rows_of(const fs::path& folder) {
  CsvTable table = read_csv(folder / "metrics.csv");
  table.columns.erase(table.columns.begin() + table.find("step_ms"));
  return table.columns;
}

void expect_same_run(const fs::path& a, const fs::path& b) {
  std::size_t frames = 0;
  for (const auto& entry : fs::directory_iterator(a / "frames")) {
    EXPECT_EQ(text(entry.path()), text(b / "frames" / entry.path().filename())) << entry.path();
    ++frames;
  }
  EXPECT_EQ(std::size_t(std::distance(fs::directory_iterator(b / "frames"), {})), frames);
  EXPECT_EQ(rows_of(a), rows_of(b));
  EXPECT_EQ(text(a / "scene.toml"), text(b / "scene.toml"));
  EXPECT_EQ(text(a / "model.npz"), text(b / "model.npz"));
  nlohmann::json left = report_of(a), right = report_of(b);
  for (const char* clock : {"wall_seconds", "step_seconds"}) left.erase(clock), right.erase(clock);
  EXPECT_EQ(left, right);
}

TEST(schedule, frames_show_the_nearest_steps) {
  const Schedule s{.time_step = 0.01, .duration = 1, .frame_rate = 30};
  EXPECT_EQ(s.step_count(), 100);
  EXPECT_EQ(s.frame_step(0), 0);
  EXPECT_EQ(s.frame_step(1), 3);
  EXPECT_EQ(s.frame_step(2), 7);
  EXPECT_EQ(s.last_frame(), 30);
  EXPECT_EQ(s.frame_step(30), 100);
  const Schedule odd{.time_step = 0.01, .duration = 0.505, .frame_rate = 30};
  EXPECT_EQ(odd.step_count(), 51);
  EXPECT_EQ(odd.frame_step(15), 50);
  EXPECT_EQ(odd.last_frame(), 16) << "the last step has a frame of its own";
  EXPECT_EQ(odd.frame_step(16), 51);
  const Schedule fast{.time_step = 0.1, .duration = 1, .frame_rate = 30};
  EXPECT_EQ(fast.frame_step(1), 0);
  EXPECT_EQ(fast.frame_step(2), 1);
  EXPECT_EQ(fast.last_frame(), 30);
  EXPECT_EQ((Schedule{.time_step = 1e-3, .duration = 0.3, .frame_rate = 30}).step_count(), 300);
}

TEST(run, writes_what_it_promises) {
  Trial trial;
  trial.options.expected = {
      {.column = "tip.x", .value = 5, .tolerance = 1, .absolute = true, .at = ExpectedAt::max},
      {.column = "tip.x", .value = 1, .tolerance = 1e-15, .at = ExpectedAt::time, .time = 0},
      {.column = "broken", .value = 1, .tolerance = 0},
      {.column = "time", .value = 0.25, .tolerance = 1e-12, .at = ExpectedAt::time, .time = 0.25}};
  const fs::path folder = fresh("whole");
  const RunResult result = trial.run(folder);
  EXPECT_EQ(result.end, RunEnd::finished);
  EXPECT_EQ(result.steps, 50);
  EXPECT_EQ(result.frames, 16);
  ASSERT_EQ(result.expected.size(), 4u);
  EXPECT_FALSE(result.expected[0].passed);
  for (int k = 1; k < 4; ++k)
    EXPECT_TRUE(result.expected[std::size_t(k)].passed) << k << " " << result.expected[std::size_t(k)].measured;
  EXPECT_FALSE(result.all_passed());

  const CsvTable metrics = read_csv(folder / "metrics.csv");
  EXPECT_EQ(metrics.row_count(), 16u);
  EXPECT_GT(report_of(folder)["smallest_gap"], 0.003) << "what it is at the start";
  EXPECT_LT(report_of(folder)["smallest_gap"], 0.01) << "in the first steps, and kept over a resume";
  for (int k = 0; k < 16; ++k) {
    std::vector<int> broken;
    const State frame = read_frame(folder / "frames" / fmt::format("{:06}.npz", k), &broken);
    EXPECT_EQ(frame.time, double(trial.options.schedule.frame_step(k)) * 0.01);
    EXPECT_EQ(frame.time, metrics.columns[0][std::size_t(k)]);
    EXPECT_EQ(frame.x[4].z, metrics.columns[std::size_t(metrics.find("tip.z"))][std::size_t(k)]);
    EXPECT_EQ(frame.q.size(), 4u);
    EXPECT_EQ(double(broken.size()), metrics.columns[std::size_t(metrics.find("broken"))][std::size_t(k)]);
  }
  const nlohmann::json report = report_of(folder);
  EXPECT_EQ(report["state"], "finished");
  EXPECT_EQ(report["solver"], "dense");
  EXPECT_EQ(report["broken_segments"], nlohmann::json({1}));
  EXPECT_EQ(report["expectations"].size(), 4u);
  EXPECT_EQ(read_npz(folder / "model.npz").at("segments").shape, (std::vector<std::size_t>{4, 2}));
}

// stopped after any number of steps, a run continues to the same files
// a solver that others change the steps of
struct AroundDenseEuler : Solver {
  void reset(const Model& m, const State& s, ThreadTeam& t) override { inner->reset(m, s, t); }
  void save(Writer& out) const override { inner->save(out); }
  void load(Reader& in) override { inner->load(in); }
  std::unique_ptr<Solver> inner = make_dense_euler();
};

TEST(run, resumes_to_the_same_bits) {
  const fs::path whole = fresh("unbroken");
  Trial().run(whole);
  for (int stop : {0, 1, 7, 12, 33, 49}) {
    const fs::path folder = fresh("resumed");
    std::atomic<bool> flag = false;
    struct Stopper : AroundDenseEuler {  // raises the flag in its n-th step, as a signal would
      Stopper(std::atomic<bool>& flag, int after) : flag(flag), after(after) { flag = after == 0; }
      StepReport step(const Inputs& i, Contact& c, double h, State& s) override {
        if (--after == 0) flag = true;
        return inner->step(i, c, h, s);
      }
      std::atomic<bool>& flag;
      int after;
    };
    Trial first;
    first.options.interrupted = &flag;
    first.solver = std::make_unique<Stopper>(flag, stop);
    const RunResult stopped = first.run(folder);
    EXPECT_EQ(stopped.end, RunEnd::interrupted);
    EXPECT_EQ(stopped.steps, stop);
    EXPECT_EQ(report_of(folder)["state"], "interrupted");
    write_file(folder / "frames/000099.npz", std::string("left by a step after the checkpoint"));
    Trial second;
    second.start = RunStart::resume;
    EXPECT_EQ(second.run(folder).end, RunEnd::finished);
    expect_same_run(whole, folder);
  }
}

// a step that takes too long after the signal is given up; the run goes on from its last checkpoint to the same files
TEST(run, stops_within_a_long_step) {
  struct Stuck : AroundDenseEuler {  // raises the flag in its n-th step, and goes on for ever unless it is told to stop
    Stuck(std::atomic<bool>& flag, int after) : flag(flag), after(after) {}
    StepReport step(const Inputs& i, Contact& c, double h, State& s) override {
      if (--after > 0) return inner->step(i, c, h, s);
      flag = true;
      s.x[0].x += 1;
      StepReport report;
      for (int n = 0; n < 10000; ++n) {
        report.is_stopped = i.stops();
        if (report.is_stopped) break;
        usleep(1000);
      }
      return report;
    }
    std::atomic<bool>& flag;
    int after;
  };
  const fs::path whole = fresh("unstopped"), folder = fresh("stopped");
  Trial().run(whole);
  std::atomic<bool> flag = false;
  Trial first;
  first.options.interrupted = &flag, first.options.patience = 0.02;
  first.solver = std::make_unique<Stuck>(flag, 34);
  const RunResult stopped = first.run(folder);
  EXPECT_EQ(stopped.end, RunEnd::interrupted);
  EXPECT_EQ(stopped.steps, 33);
  EXPECT_LT(stopped.wall_seconds, 5);
  EXPECT_EQ(report_of(folder)["state"], "interrupted");
  Trial second;
  second.start = RunStart::resume;
  EXPECT_EQ(second.run(folder).end, RunEnd::finished);
  expect_same_run(whole, folder);
}

// killed at any moment, a run opens, holds whole frames only, and continues to the same files
TEST(run, survives_kill) {
  const fs::path whole = fresh("unkilled"), folder = fresh("killed");
  Trial().run(whole);
  for (int attempt = 0; attempt < 12; ++attempt) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Trial trial;
      trial.start = RunStart::resume;
      trial.options.checkpoint_interval = 0.002;
      trial.run(folder);
      _exit(0);
    }
    usleep(useconds_t(3000 + 2500 * attempt));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    if (fs::exists(folder / "metrics.csv")) {
      const std::size_t rows = read_csv(folder / "metrics.csv").row_count();
      for (std::size_t k = 0; k < rows; ++k)
        EXPECT_NO_THROW(read_frame(folder / "frames" / fmt::format("{:06}.npz", k)));
    }
  }
  Trial last;
  last.start = RunStart::resume;
  EXPECT_EQ(last.run(folder).end, RunEnd::finished);
  expect_same_run(whole, folder);
}

TEST(run, a_full_disk_is_reported_and_resumed) {
  const fs::path whole = fresh("roomy"), folder = fresh("full");
  Trial().run(whole);
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{std::min<rlim_t>(fs::file_size(whole / "metrics.csv") - 100, before.rlim_max), before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(Trial().run(folder), ResourceError);
  setrlimit(RLIMIT_FSIZE, &before);
  const std::size_t rows = read_csv(folder / "metrics.csv").row_count();
  EXPECT_GT(rows, 3u);
  for (std::size_t k = 0; k < rows; ++k) EXPECT_NO_THROW(read_frame(folder / "frames" / fmt::format("{:06}.npz", k)));
  EXPECT_EQ(report_of(folder)["state"], "failed");
  Trial again;
  again.start = RunStart::resume;
  EXPECT_EQ(again.run(folder).end, RunEnd::finished);
  expect_same_run(whole, folder);
}

TEST(run, a_failed_simulation_keeps_its_last_good_state) {
  Trial trial;
  trial.chain = make_chain({.segments = 3});
  trial.solver = make_failing_solver(12, 1);
  const fs::path folder = fresh("failed");
  const RunResult result = trial.run(folder);
  EXPECT_EQ(result.end, RunEnd::failed);
  EXPECT_NE(result.message.find("vertex 1 of rod \"beam\""), std::string::npos);
  EXPECT_EQ(result.steps, 11);
  EXPECT_EQ(read_frame(folder / "frames/000004.npz").time, 0.11);
  EXPECT_EQ(report_of(folder)["state"], "failed");
  EXPECT_EQ(report_of(folder)["message"], result.message);
}

TEST(run, refuses_a_folder_in_use) {
  const fs::path folder = fresh("busy");
  Trial().run(folder);
  EXPECT_THROW(Trial().run(folder), RunFolderError);
  Trial other;
  other.start = RunStart::resume;
  other.scene_toml = "title = \"another\"\n";
  EXPECT_THROW(other.run(folder), RunFolderError);
  Trial same;
  same.start = RunStart::resume;
  EXPECT_EQ(same.run(folder).end, RunEnd::finished) << "a finished run has nothing left to do";
}

TEST(run, refuses_a_damaged_checkpoint) {
  const fs::path folder = fresh("damaged");
  Trial().run(folder);
  const std::string good = text(folder / "checkpoint");
  for (std::size_t k = 0; k < good.size(); k += 7) {
    std::string bad = good;
    bad[k] = char(bad[k] ^ 0x40);
    write_file(folder / "checkpoint", bad);
    EXPECT_THROW(read_checkpoint(folder / "checkpoint"), FileError) << k;
    write_file(folder / "checkpoint", good.substr(0, k));
    EXPECT_THROW(read_checkpoint(folder / "checkpoint"), FileError) << k;
  }
  // a whole one of another scene
  Trial other;
  other.chain = make_chain({.segments = 3});
  other.start = RunStart::resume;
  write_file(folder / "checkpoint", good);
  EXPECT_THROW(other.run(folder), FileError);
}

TEST(run, settles_first) {
  Trial trial;
  trial.chain = make_chain({.segments = 4, .clamped = true});
  trial.options.settle = SettleOptions{};
  const fs::path folder = fresh("settled");
  const RunResult result = trial.run(folder);
  ASSERT_TRUE(result.settle && result.settle->settled);
  const State first = read_frame(folder / "frames/000000.npz"), last = read_frame(folder / "frames/000015.npz");
  EXPECT_LT(first.x[4].z, -0.1);
  EXPECT_NEAR(first.x[4].z, last.x[4].z, 1e-6);
  const nlohmann::json report = report_of(folder);
  EXPECT_TRUE(report["settle"]["settled"]);
  trial.start = RunStart::resume;
  trial.run(folder);
  EXPECT_EQ(report_of(folder)["settle"], report["settle"]) << "a resumed run knows how it began";
}

TEST(expected, measures_ends_extremes_and_instants) {
  const CsvTable t = parse_csv("time,a\n0,1\n1,5\n2,3\n", "m");
  const auto measured = [&](ExpectedAt at, double time = 0) {
    return check_expected({{.column = "a", .value = 4, .tolerance = 0.3, .at = at, .time = time}}, t)[0];
  };
  EXPECT_EQ(measured(ExpectedAt::end).measured, 3);
  EXPECT_TRUE(measured(ExpectedAt::end).passed);
  EXPECT_DOUBLE_EQ(measured(ExpectedAt::end).error, 0.25);
  EXPECT_EQ(measured(ExpectedAt::max).measured, 5);
  EXPECT_EQ(measured(ExpectedAt::min).measured, 1);
  EXPECT_FALSE(measured(ExpectedAt::min).passed);
  EXPECT_DOUBLE_EQ(measured(ExpectedAt::time, 1.5).measured, 4);
  EXPECT_FALSE(measured(ExpectedAt::time, 2.5).passed) << "the run ended before";
  EXPECT_TRUE(check_expected({{.column = "a", .value = 0, .tolerance = 3, .absolute = true}}, t)[0].passed);
  EXPECT_FALSE(check_expected({{.column = "a", .value = 0, .tolerance = 3}}, t)[0].passed);
  EXPECT_FALSE(check_expected({{.column = "b", .value = 0, .tolerance = 3}}, t)[0].passed) << "there is no such column";
}

TEST(progress, tells_where_it_is) {
  ProgressPoint p;
  p.time = 0.5, p.duration = 1, p.step = 50, p.step_count = 100, p.frame = 15, p.iterations = 8, p.residual = 1e-9;
  p.stretch = 0.012, p.elapsed = 100;
  EXPECT_DOUBLE_EQ(time_left(p), 100);
  p.first_step = 25;
  EXPECT_DOUBLE_EQ(time_left(p), 200) << "only the steps of this session tell its pace";
  const std::string line = progress_line(p);
  for (const char* part : {"50 %", "0.5/1 s", "frame 15", "8 iterations", "1e-09", "1.2 %", "3 min 20 s left"})
    EXPECT_NE(line.find(part), std::string::npos) << line;
}

}  // namespace
}  // namespace tendril::sim
