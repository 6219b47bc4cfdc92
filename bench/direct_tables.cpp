#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benchmark.h"
#include "rod/stream.h"
#include "run_scene.h"

// Tables 1 and 2 and Fig. 9 of [deul2018]

namespace tendril {
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

// the time of the position correction, three iterations in steps of 40 ms
void table_1(const BenchOptions& options, BenchResults& results) {
  struct Tree {
    const char* name;
    double paper;  // [ms]
  };
  if (!options.quiet)
    fmt::print("Table 1: position correction, one thread, 3 iterations\n\n{:<10} {:>9} {:>10} {:>12} {:>12} {:>14}\n",
               "tree", "segments", "ours, ms", "paper, ms", "iterations", "residual");
  for (const Tree& tree : {Tree{"birch", 658.08}, Tree{"willow", 870.31}, Tree{"pine", 1048.74}}) {
    const LoadedScene loaded = load_scene(fmt::format("{}/scenes/full/{}.toml", TENDRIL_SOURCE_DIR, tree.name),
                                          {"simulation.threads=1"}, "direct");
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

// a step from a saved state, with as many iterations as it takes
std::vector<double> residuals_of_step(const std::string& scene, const std::vector<char>& state, double tolerance,
                                      int iterations, bool gauss_seidel, double& seconds) {
  const std::vector<std::string> sets = {"simulation.threads=1",
                                         "solver.direct.mode=\"paper\"",
                                         "solver.direct.residuals=true",
                                         fmt::format("solver.direct.tolerance={:g}", tolerance),
                                         fmt::format("solver.direct.iterations={}", iterations),
                                         fmt::format("solver.direct.gauss_seidel={}", gauss_seidel)};
  const LoadedScene loaded = scene.find('\n') == std::string::npos
                                 ? load_scene(scene, sets, "direct")
                                 : load_scene_text(scene, "bench.toml", sets, "direct");
  const auto simulation = make_simulation(loaded);
  Reader in(state);
  simulation->load(in);
  const StepReport report = simulation->step();
  seconds = solve_seconds(report);
  return report.residuals;
}

std::vector<char> state_after(const LoadedScene& loaded, double time) {
  const auto simulation = make_simulation(loaded);
  while (simulation->time() < time) simulation->step();
  Writer out;
  simulation->save(out);
  return out.bytes();
}

// how many iterations the birch needs in a step of its wind
void table_2(const BenchOptions& options, BenchResults& results) {
  const int most_sweeps = 4000;
  const std::vector<char> state = state_after(load_scene("birch", {"simulation.threads=1"}, "direct"), 1.0);
  double all_at_once = 0, one_by_one = 0;
  const auto kkt = residuals_of_step("birch", state, 1e-10, 50, false, all_at_once);
  const auto sweeps = residuals_of_step("birch", state, 1e-10, most_sweeps, true, one_by_one);
  const auto needed = [](const std::vector<double>& residuals, double threshold) {
    const auto found = std::find_if(residuals.begin(), residuals.end(), [&](double r) { return r <= threshold; });
    return found == residuals.end() ? -1 : static_cast<int>(found - residuals.begin()) + 1;
  };
  if (!options.quiet)
    fmt::print(
        "\nTable 2: iterations in one step of the small birch, 1 s into its wind (paper: average over a run of the "
        "large one)\n\n{:<10} {:>8} {:>14} {:>14} {:>14} {:>10}\n",
        "threshold", "KKT/GS", "Gauss-Seidel", "KKT/GS, paper", "G.-S., paper", "speed-up");
  struct Row {
    double threshold;
    const char *kkt, *sweeps;
  };
  for (const Row& row : {Row{1e-2, "1.49", "208.73"}, Row{1e-6, "2.98", "2055.23"}, Row{1e-9, "4.15", "3629.69"}}) {
    const int direct = needed(kkt, row.threshold), gs = needed(sweeps, row.threshold);
    const double ratio = (one_by_one / double(sweeps.size()) * (gs > 0 ? gs : most_sweeps)) /
                         (all_at_once / double(kkt.size()) * std::max(direct, 1));
    const std::string gs_text = gs > 0 ? std::to_string(gs) : fmt::format("> {}", most_sweeps);
    if (!options.quiet)
      fmt::print("{:<10g} {:>8} {:>14} {:>14} {:>14} {:>10}\n", row.threshold, direct, gs_text, row.kkt, row.sweeps,
                 fmt::format("{}{:.0f}", gs > 0 ? "" : "> ", ratio));
    results.push_back(entry(fmt::format("Table 2, threshold {:g}, KKT/GS", row.threshold), direct, "iterations"));
    results.back()["paper"] = row.kkt;
    results.push_back(entry(fmt::format("Table 2, threshold {:g}, Gauss-Seidel", row.threshold), gs, "iterations"));
    results.back()["paper"] = row.sweeps;
  }
}

// the paper's cantilever, damped so that it comes to rest
std::string beam(int segments) {
  return fmt::format(
      "[simulation]\ntime_step = 0.01\nduration = 100\ngravity = [0, 0, 0]\n[contact]\nenabled = false\n"
      "[material.m]\nyoung_modulus = 1e9\npoisson_ratio = 0.3\ndensity = 1000\nsection = {{ shape = \"circle\", radius "
      "= 0.5 }}\n"
      "damping = 2\n[[rod]]\nname = \"beam\"\nmaterial = \"m\"\nsegments = {}\nclamp = [\"start\"]\n"
      "curve = {{ type = \"line\", from = [0, 0, 0], to = [10, 0, 0] }}\n"
      "[[load]]\nrod = \"beam\"\nat = \"end\"\nforce = [0, 0, -1000]\n",
      segments);
}

// residual by iteration, all at once and one by one
void figure_9(const BenchOptions& options, BenchResults& results) {
  if (!options.quiet)
    fmt::print("\nFig. 9: residual of the cantilever at rest\n\n{:<10} {:<14} {:>10} {:>12} {:>12}\n", "segments",
               "method", "iteration", "time ms", "residual");
  struct Beam {
    int segments, sweeps;
    const char* paper;
  };
  for (const Beam& b : {Beam{8, 100000, "4.4e-18 and 3.5e-4 after one"}, Beam{50, 100000, "2.8e-16 and 5e-3 after one"},
                        Beam{1000, 10000, "2.2e-13 and 1e-1 after one"}}) {
    const std::vector<char> state = state_after(load_scene_text(beam(b.segments), "bench.toml", {}, "direct"), 20);
    for (bool gauss_seidel : {false, true}) {
      double seconds = 0;
      const std::vector<double> residuals =
          residuals_of_step(beam(b.segments), state, 0, gauss_seidel ? b.sweeps : 3, gauss_seidel, seconds);
      BenchResults curve = BenchResults::array();
      const double ms = 1e3 * seconds / double(residuals.size());
      for (std::size_t n = 1; n <= residuals.size(); n = std::max(n + 1, n * 5 / 4)) {
        curve.push_back({{"iteration", n}, {"ms", ms * double(n)}, {"residual", residuals[n - 1]}});
        const bool shown = n <= 3 || std::log10(double(n)) == std::floor(std::log10(double(n)));
        if (!options.quiet && shown)
          fmt::print("{:<10} {:<14} {:>10} {:>12.4f} {:>12.3e}\n", b.segments, gauss_seidel ? "Gauss-Seidel" : "KKT/GS",
                     n, ms * double(n), residuals[n - 1]);
      }
      if (!options.quiet && gauss_seidel)
        fmt::print("{:<10} {:<14} {:>10} {:>12.4f} {:>12.3e}\n", b.segments, "Gauss-Seidel", residuals.size(),
                   ms * double(residuals.size()), residuals.back());
      results.push_back(
          entry(fmt::format("Fig. 9, {} segments, {}", b.segments, gauss_seidel ? "Gauss-Seidel" : "KKT/GS"),
                residuals.back(), "-"));
      results.back()["paper"] = b.paper;
      results.back()["curve"] = curve;
    }
  }
}

}  // namespace

BenchResults bench_direct(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  table_1(options, results);
  table_2(options, results);
  figure_9(options, results);
  return results;
}

}  // namespace tendril
