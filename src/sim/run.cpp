#include "sim/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>

#include "rod/energy.h"
#include "sim/half_turns.h"
#include "sim/inner_state.h"
#include "sim/metrics.h"

namespace tendril::sim {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void put_text(Writer& out, const std::string& text) { out.put(std::vector<char>(text.begin(), text.end())); }

std::string get_text(Reader& in) {
  std::vector<char> bytes;
  in.get(bytes);
  return {bytes.begin(), bytes.end()};
}

// the report of settling belongs to the whole run, so checkpoints keep it
void put_settle(Writer& out, const std::optional<SettleReport>& report) {
  const SettleReport r = report.value_or(SettleReport{});
  out.put(report.has_value());
  out.put(r.settled);
  out.put(r.steps);
  out.put(r.residual);
  out.put(r.law_residual);
  put_text(out, r.message);
}

std::optional<SettleReport> get_settle(Reader& in) {
  SettleReport r;
  bool present = false;
  in.get(present);
  in.get(r.settled);
  in.get(r.steps);
  in.get(r.residual);
  in.get(r.law_residual);
  r.message = get_text(in);
  return present ? std::optional(r) : std::nullopt;
}

// sums over the whole run, kept in its checkpoints; no padding, for its bytes are saved
struct Totals {
  std::int64_t next_frame = 0;
  std::int64_t iterations = 0;
  std::int64_t unconverged_steps = 0;
  std::int64_t divisions = 0;  // of steps into halves
  double largest_residual = 0;
  double smallest_gap = forever;  // [m]
  double wall_seconds = 0;        // of earlier sessions
  double solver_seconds = 0;
};

// one session of a run: from its start or its checkpoint to its end or an interruption
class Session {
 public:
  Session(Simulation& simulation, const RunOptions& options, Recorder& recorder, Progress& progress)
      : simulation_(simulation),
        options_(options),
        recorder_(recorder),
        progress_(progress),
        metrics_(simulation.whole_model()),
        half_turns_(simulation.whole_model()),
        last_step_(options.schedule.step_count()) {
    assert(options.schedule.time_step == simulation.time_step());
    simulation.stop_when([this] { return is_out_of_patience(); });
  }
  ~Session() { simulation_.stop_when({}); }
  Session(const Session&) = delete;

  RunResult run();

 private:
  void settle();
  void start();
  void resume();
  void advance();
  void open_residuals(std::uint64_t kept_bytes);
  bool interrupted() const { return options_.interrupted && options_.interrupted->load(); }
  bool is_out_of_patience() const { return interrupted() && seconds_since(step_began_) > options_.patience; }
  RunResult stop_within_step();
  RunResult fail(const std::string& message);
  void write_due_frames();
  void write_frame();
  void checkpoint();
  void report(const std::string& state);
  ProgressPoint point() const;

  Simulation& simulation_;
  const RunOptions& options_;
  Recorder& recorder_;
  Progress& progress_;
  Metrics metrics_;
  HalfTurns half_turns_;
  Totals totals_;
  RunResult result_;
  StepReport last_report_;
  std::unique_ptr<AppendedFile> residuals_;
  std::int64_t last_step_ = 0, first_step_ = 0;
  Clock::time_point began_ = Clock::now(), saved_ = Clock::now(), step_began_ = Clock::now();
};

RunResult Session::run() {
  if (recorder_.checkpoint().empty()) {
    try {
      settle();
      if (result_.end == RunEnd::interrupted) return result_;
      start();
    } catch (const SimulationFailed&) {  // the start itself is out of scale: there is no run then
      recorder_.abandon();
      throw;
    }
  } else {
    resume();
  }
  first_step_ = simulation_.step_count();
  report("running");

  try {
    while (simulation_.step_count() < last_step_ && !interrupted()) {
      advance();
      write_due_frames();
      if (seconds_since(saved_) > options_.checkpoint_interval) checkpoint();
      if (progress_.wants_update()) progress_.update(point());
    }
  } catch (const SimulationStopped&) {
    return stop_within_step();
  } catch (const SimulationFailed& failure) {
    return fail(failure.what());
  } catch (const ResourceError& failure) {
    result_.message = failure.what();
    try {
      report("failed");  // the run itself is what was written before
    } catch (const ResourceError&) {
    }
    throw;
  }
  checkpoint();
  result_.end = simulation_.step_count() < last_step_ ? RunEnd::interrupted : RunEnd::finished;
  if (result_.end == RunEnd::finished)
    result_.expected = check_expected(options_.expected, read_csv(recorder_.folder() / "metrics.csv"));
  report(result_.end == RunEnd::finished ? "finished" : "interrupted");
  progress_.finish(point());
  return result_;
}

// The last good state is the last frame, unless its numbers are what failed.
RunResult Session::fail(const std::string& message) {
  result_.end = RunEnd::failed;
  result_.message = message;
  try {
    if (simulation_.step_count() > options_.schedule.frame_step(totals_.next_frame - 1)) write_frame();
  } catch (const SimulationFailed&) {
  }
  report("failed");
  progress_.finish(point());
  return result_;
}

// Frames and rows after the last checkpoint stay on disk; --resume starts from the checkpoint and writes them again.
RunResult Session::stop_within_step() {
  result_.end = RunEnd::interrupted;
  report("interrupted");
  progress_.finish(point());
  return result_;
}

// finds the equilibrium, when the run is to begin with it; an interruption leaves no run
void Session::settle() {
  if (!options_.settle) return;
  SettleOptions options = *options_.settle;
  options.go_on = [this](const SettlePoint& point) {
    if (progress_.wants_update()) progress_.update(point);
    return !interrupted();
  };
  result_.settle =
      options_.settle_solver ? simulation_.settle(options, *options_.settle_solver) : simulation_.settle(options);
  progress_.say(result_.settle->settled ? fmt::format("settled in {} steps", result_.settle->steps)
                                        : "not settled: " + result_.settle->message);
  if (!result_.settle->interrupted) return;
  result_.end = RunEnd::interrupted;
  result_.wall_seconds = seconds_since(began_);
  recorder_.abandon();
}

void Session::start() {
  recorder_.start_rows(metrics_.columns());
  open_residuals(0);
  write_due_frames();
  checkpoint();
}

void Session::resume() {
  try {
    Reader in(recorder_.checkpoint());
    std::uint64_t row_bytes = 0, residual_bytes = 0;
    in.get(totals_);
    in.get(row_bytes);
    in.get(residual_bytes);
    result_.settle = get_settle(in);
    metrics_.load(in);
    half_turns_.load(in);
    simulation_.load(in);
    recorder_.continue_rows(row_bytes, totals_.next_frame);
    open_residuals(residual_bytes);
  } catch (const ResourceError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw FileError(fmt::format("{}: {}", (recorder_.folder() / "checkpoint").string(), error.what()));
  }
}

void Session::advance() {
  step_began_ = Clock::now();
  last_report_ = simulation_.step();
  const double seconds = seconds_since(step_began_);
  metrics_.add(last_report_, seconds);
  totals_.iterations += last_report_.iterations;
  totals_.unconverged_steps += last_report_.converged ? 0 : 1;
  totals_.divisions += last_report_.divisions;
  totals_.largest_residual = std::max(totals_.largest_residual, last_report_.residual);
  totals_.smallest_gap = std::min(totals_.smallest_gap, last_report_.smallest_gap);
  totals_.solver_seconds += seconds;
  if (residuals_) {
    std::string lines;
    for (std::size_t n = 0; n < last_report_.residuals.size(); ++n)
      lines += fmt::format("{},{},{:.17g}\n", simulation_.step_count(), n + 1, last_report_.residuals[n]);
    residuals_->append(lines);
  }
}

// residuals.csv, when the run is to write one: the residual after every iteration of every step
void Session::open_residuals(std::uint64_t kept_bytes) {
  if (!options_.residuals) return;
  residuals_ = std::make_unique<AppendedFile>(recorder_.folder() / "residuals.csv", kept_bytes);
  if (kept_bytes == 0) residuals_->append("step,iteration,residual\n");
}

// every frame of the schedule that shows the present step
void Session::write_due_frames() {
  const std::int64_t last_frame = options_.schedule.last_frame();
  while (totals_.next_frame <= last_frame &&
         options_.schedule.frame_step(totals_.next_frame) == simulation_.step_count())
    write_frame();
}

void Session::write_frame() {
  const std::vector<double> row = metrics_.take_row(simulation_);
  half_turns_.look(simulation_);
  recorder_.write_frame(totals_.next_frame, simulation_.whole_state(), simulation_.broken_segments(),
                        inner_state(simulation_), row);
  if (options_.on_frame) options_.on_frame(totals_.next_frame);
  ++totals_.next_frame;
}

void Session::checkpoint() {
  Totals totals = totals_;
  totals.wall_seconds += seconds_since(began_);
  Writer out;
  out.put(totals);
  out.put(recorder_.row_bytes());
  if (residuals_) residuals_->flush_to_disk();
  out.put<std::uint64_t>(residuals_ ? residuals_->size() : 0);
  put_settle(out, result_.settle);
  metrics_.save(out);
  half_turns_.save(out);
  simulation_.save(out);
  recorder_.write_checkpoint(out.bytes());
  saved_ = Clock::now();
}

void Session::report(const std::string& state) {
  result_.steps = simulation_.step_count();
  result_.frames = totals_.next_frame;
  result_.unconverged_steps = totals_.unconverged_steps, result_.divisions = totals_.divisions;
  result_.half_turns = half_turns_.count(), result_.first_half_turn = half_turns_.first();
  result_.wall_seconds = totals_.wall_seconds + seconds_since(began_);
  nlohmann::json json{{"state", state},
                      {"time", simulation_.time()},
                      {"steps", result_.steps},
                      {"frames", result_.frames},
                      {"time_step", simulation_.time_step()},
                      {"duration", options_.schedule.duration},
                      {"frame_rate", options_.schedule.frame_rate},
                      {"vertices", simulation_.whole_model().vertices.size()},
                      {"segments", simulation_.whole_model().segments.size()},
                      {"broken_segments", simulation_.broken_segments()},
                      {"iterations", totals_.iterations},
                      {"unconverged_steps", totals_.unconverged_steps},
                      {"divisions", totals_.divisions},
                      {"half_turns", result_.half_turns},
                      {"largest_residual", totals_.largest_residual},
                      {"smallest_gap", totals_.smallest_gap},  // null when it is infinite
                      {"friction_work", simulation_.contact().friction_work()},
                      {"contact_loss", simulation_.contact().contact_loss()},
                      {"wall_seconds", result_.wall_seconds},
                      {"step_seconds", totals_.solver_seconds},
                      {"message", result_.message}};
  if (result_.settle)
    json["settle"] = {{"settled", result_.settle->settled},
                      {"steps", result_.settle->steps},
                      {"residual", result_.settle->residual},
                      {"law_residual", result_.settle->law_residual},
                      {"message", result_.settle->message}};
  json["expectations"] = nlohmann::json::array();
  for (const ExpectedResult& r : result_.expected)
    json["expectations"].push_back({{"column", r.expected.column},
                                    {"at", describe(r.expected)},
                                    {"value", r.expected.value},
                                    {"measured", r.measured},
                                    {"error", r.error},
                                    {"tolerance", r.expected.tolerance},
                                    {"absolute", r.expected.absolute},
                                    {"passed", r.passed}});
  recorder_.write_report(json);
}

ProgressPoint Session::point() const {
  return {simulation_.time(),       double(last_step_) * simulation_.time_step(),
          simulation_.step_count(), last_step_,
          totals_.next_frame - 1,   last_report_.iterations,
          last_report_.residual,    largest_stretch(simulation_.model(), simulation_.state()),
          seconds_since(began_),    first_step_};
}

}  // namespace

bool RunResult::all_passed() const {
  return std::all_of(expected.begin(), expected.end(), [](const ExpectedResult& r) { return r.passed; });
}

RunResult run(Simulation& simulation, const RunOptions& options, Recorder& recorder, Progress& progress) {
  return Session(simulation, options, recorder, progress).run();
}

}  // namespace tendril::sim
