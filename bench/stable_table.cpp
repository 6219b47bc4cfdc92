#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "benchmark.h"
#include "ranges.h"
#include "run_scene.h"

namespace tendril::app {
namespace {

using Clock = std::chrono::steady_clock;

// one row of Table 1 [hsu2025]; their times are of an AMD 9950X with 16 cores, per 1/30 s
struct PaperRow {
  const char* scene;
  const char* label;
  const char* stiffness;  // k_ss max / min, k_bt max / min
  const char* mass;
  int iterations;
  double approximate, exact;  // [ms]
};

constexpr PaperRow paper_rows[] = {
    {"slingshot", "Slingshot (Fig. 8)", "3.0e5/4.0e1  1.6e6/2.0e0", "1.2e0/2.6e-2", 4, 0.2, 0.2},
    {"bridge", "Bridge (Fig. 10)", "4.2e4/1.4e3  5.9e5/2.0e1", "1.5e0/6.8e-3", 4, 2.0, 2.1},
    {"teapot_slinky", "Slinky (Fig. 9)", "6.0e1/2.6e1  1.6e6/2.0e0", "9.0e-3/3.9e-3", 8, 22.8, 23.1},
    {"three_trees", "Trees (Fig. 7)", "1.3e7/4.0e3  4.2e8/4.0e2", "2.0e3/1.8e-1", 4, 7.3, 7.5},
};

struct Timing {
  double ms_per_frame = 0;        // whole steps, per 1/30 s
  double ns_per_update = 0;       // sweeps only, per vertex and its segment and iteration
  double updates_per_second = 0;  // millions of vertex and segment updates
  int iterations = 0, steps_per_frame = 0;
};

// one frame: its steps, the seconds of its sweeps, and how often a vertex with its segment was updated
struct TimedFrame {
  double seconds = 0, sweep_seconds = 0, updates = 0;
};

TimedFrame time_frame(Simulation& simulation, int steps, int& iterations) {
  TimedFrame frame;
  const Clock::time_point start = Clock::now();
  for (int n = 0; n < steps; ++n) {
    const StepReport report = simulation.step();
    for (const StageTime& stage : report.stages)
      if (stage.stage == "sweep") frame.sweep_seconds += stage.seconds;
    const double elements = double(simulation.model().vertices.size() + simulation.model().segments.size());
    frame.updates += 0.5 * elements * report.iterations;
    iterations = report.iterations;
  }
  frame.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return frame;
}

// frames until enough time has passed, after a warm-up of one; the fastest counts, since all else on the machine only
// adds to it
Timing time_scene(const LoadedScene& loaded, double seconds) {
  const auto simulation = make_simulation(loaded);
  Timing timing;
  timing.steps_per_frame = std::max(1, int(std::lround(1 / (30 * simulation->time_step()))));
  time_frame(*simulation, timing.steps_per_frame, timing.iterations);
  timing.ms_per_frame = timing.ns_per_update = forever;
  double passed = 0;
  for (int frames = 0; passed < seconds || frames < 3; ++frames) {
    const TimedFrame frame = time_frame(*simulation, timing.steps_per_frame, timing.iterations);
    timing.ms_per_frame = std::min(timing.ms_per_frame, 1e3 * frame.seconds);
    timing.ns_per_update = std::min(timing.ns_per_update, 1e9 * frame.sweep_seconds / frame.updates);
    passed += frame.seconds;
  }
  timing.updates_per_second = 2e3 / timing.ns_per_update;
  return timing;
}

// the scene with the solver as published: so many plain sweeps, whatever the scene itself asks for
std::vector<std::string> sets_for(const PaperRow& row, const char* lambda, const char* precision, int threads) {
  return {"solver.stable.mode=\"paper\"",
          fmt::format("solver.stable.iterations={}", row.iterations),
          "solver.stable.tolerance=0.0",
          "solver.stable.acceleration=false",
          fmt::format("solver.stable.lambda=\"{}\"", lambda),
          fmt::format("solver.stable.precision=\"{}\"", precision),
          fmt::format("simulation.threads={}", threads)};
}

}  // namespace

BenchResults bench_stable_table(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  if (!options.quiet)
    fmt::print(
        "Table 1 of Stable Cosserat Rods [hsu2025]: milliseconds per 1/30 s frame; theirs on 16 cores, float\n\n"
        "{:<20} {:>15} {:>24} {:>14} {:>4} {:>9} {:>6} {:>12} {:>7} {:>7} {:>9} {:>8} {:>9}\n",
        "scene", "vertices/segm.", "k_ss and k_bt max/min", "mass max/min", "itr", "h", "steps", "lambda", "float",
        "threads", "ms/frame", "theirs", "ns/update");
  for (const PaperRow& row : paper_rows) {
    for (const char* lambda : {"approximate", "exact"})
      for (const char* precision : {"float", "double"})
        for (int threads : {1, 2}) {
          const LoadedScene loaded = load_scene(row.scene, sets_for(row, lambda, precision, threads), "stable");
          const Model& model = loaded.baked.model;
          const Timing t = time_scene(loaded, options.seconds);
          const double paper = std::string(lambda) == "exact" ? row.exact : row.approximate;
          const Ranges r = ranges_of(model);
          if (!options.quiet)
            fmt::print(
                "{:<20} {:>15} {:>24} {:>14} {:>4} {:>9} {:>6} {:>12} {:>7} {:>7} {:>9.3f} {:>8.1f} {:>9.2f}  {:.0f} M "
                "updates/s\n",
                row.label, fmt::format("{}/{}", model.vertices.size(), model.segments.size()),
                r.stretch.text() + "  " + r.bend.text(), r.mass.text(), t.iterations,
                fmt::format("{:.3g} ms", 1e3 * loaded.baked.settings.time_step), t.steps_per_frame, lambda, precision,
                threads, t.ms_per_frame, paper, t.ns_per_update, t.updates_per_second);
          results.push_back({{"name", "stable"},
                             {"solver", "stable"},
                             {"case", fmt::format("{}, {} lambda, {}", row.scene, lambda, precision)},
                             {"measured", t.ms_per_frame},
                             {"reference", paper},
                             {"unit", "ms"},
                             {"error", nullptr},
                             {"tolerance", nullptr},
                             {"passed", nullptr},
                             {"ms_per_frame", t.ms_per_frame},
                             {"ns_per_update", t.ns_per_update},
                             {"threads", threads},
                             {"paper", paper}});
        }
    if (!options.quiet)
      fmt::print("{:<20} {:>15} {:>24} {:>14}   (the paper's ranges)\n\n", "", "", row.stiffness, row.mass);
  }
  return results;
}

}  // namespace tendril::app
