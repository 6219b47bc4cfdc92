#include <fmt/format.h>

#include <algorithm>

#include "benchmark.h"
#include "direct_comparison.h"
#include "run_scene.h"

// Tables 1 and 2 and Fig. 9 of [deul2018]

namespace tendril::app {
namespace {

double solve_seconds(const StepReport& report) {
  for (const StageTime& stage : report.stages)
    if (stage.stage == "solve") return stage.seconds;
  return 0;
}

BenchResults entry(const std::string& what, double measured, const char* unit) {
  return {{"name", "direct"},     {"solver", "direct"}, {"case", what},     {"measured", measured},
          {"reference", nullptr}, {"unit", unit},       {"error", nullptr}, {"tolerance", nullptr},
          {"passed", nullptr},    {"threads", 1}};
}

// the time of the position correction in steps of 40 ms: three iterations, as published
void table_1(const BenchOptions& options, BenchResults& results) {
  struct Tree {
    const char* name;
    double paper;  // [ms]
  };
  if (!options.quiet)
    fmt::print("Table 1: position correction, one thread, steps of 40 ms\n\n{:<10} {:>9} {:>10} {:>12} {:>12} {:>14}\n",
               "tree", "segments", "ours, ms", "paper, ms", "iterations", "residual");
  for (const Tree& tree : {Tree{"birch", 658.08}, Tree{"willow", 870.31}, Tree{"pine", 1048.74}}) {
    const LoadedScene loaded =
        load_scene(fmt::format("{}/scenes/full/{}.toml", TENDRIL_SOURCE_DIR, tree.name),
                   {"simulation.threads=1", "solver.direct.mode=\"paper\"", "solver.direct.tolerance=0.0"}, "direct");
    const auto simulation = make_simulation(loaded);
    double seconds = 0, residual = 0;
    int steps = 0, iterations = 0;
    while (simulation->time() < loaded.baked.settings.duration && (steps < 20 || seconds < 4 * options.seconds)) {
      const StepReport report = simulation->step();
      seconds += solve_seconds(report), iterations += report.iterations, ++steps;
      residual = std::max(residual, report.residual);
    }
    const double ms = 1e3 * seconds / steps;
    const std::size_t segments = loaded.baked.model.segments.size();
    if (!options.quiet)
      fmt::print("{:<10} {:>9} {:>10.2f} {:>12.2f} {:>12.2f} {:>14.2e}\n", tree.name, segments, ms, tree.paper,
                 double(iterations) / steps, residual);
    results.push_back(entry(fmt::format("Table 1, {}, {} segments", tree.name, segments), ms, "ms"));
    results.back()["paper"] = fmt::format("{} ms, one core of an i7-2600", tree.paper);
    results.back()["largest_residual"] = residual;
  }
}

}  // namespace

BenchResults bench_direct(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  table_1(options, results);
  compare_on_birch(options, results);
  compare_on_beam(options, results);
  return results;
}

}  // namespace tendril::app
