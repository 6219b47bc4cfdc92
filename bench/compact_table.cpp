#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "compact_helix.h"
#include "run_scene.h"

// Table 1 [zhao2022]

namespace tendril::app {
namespace {

// theirs is an AMD Ryzen 7 3800X, one thread; milliseconds are means of a time step
struct PaperRow {
  const char* scene;
  const char* figure;
  int vertices;
  double pairs, systems;                              // collision pairs, KKT systems
  double evaluation, precomputation, solving, total;  // [ms]
};
constexpr PaperRow paper_rows[] = {
    {"compact_helix", "Fig. 6", 201, 0, 1, 2.22, 0.264, 1.333, 5.917},
    {"compact_springs", "Fig. 14", 333, 16, 7, 4.421, 0.947, 40, 52.69},
    {"compact_knot", "Fig. 15", 100, 15, 8, 2.037, 0.287, 38, 43},
    {"compact_plectoneme", "Fig. 16", 51, 8, 7, 2.392, 0.375, 13.089, 20.160},
    {"compact_cylinders", "Fig. 17", 201, 46, 6, 1.5613, 1.56, 12.172, 36.888},
    {"compact_drag_short", "Sec. 4.1.3", 21, 0, 0, 0.561, 0.048, 1.386, 2.843},
};

struct Row {
  std::size_t vertices = 0;
  double pairs = 0, systems = 0;                         // means of a step
  double evaluation = 0, precomputation = 0, total = 0;  // likewise [ms]
  double solving = 0;                                    // with the others, where a solver does not tell them apart
  int unsolved = 0, steps = 0;
  std::string stopped;  // why the run ended early; empty: it did not
};

bool is_scene(const std::string& name) {
  const std::vector<std::string> files = scene_files();
  return std::any_of(files.begin(), files.end(),
                     [&](const std::string& file) { return std::filesystem::path(file).stem() == name; });
}

// the scene from its start, for its duration or until time is up
Row measure(const std::string& scene, const Way& way, double seconds) {
  const LoadedScene loaded = load_scene(scene, {"simulation.threads=1"}, way.solver);
  const auto simulation = make_simulation(loaded);
  Row row;
  row.vertices = loaded.baked.model.vertices.size();
  double passed = 0, all_stages = 0;
  try {
    while (simulation->time() < loaded.baked.settings.duration && (row.steps < 20 || passed < seconds)) {
      const double begin = cpu_seconds();
      const StepReport report = simulation->step();
      passed += cpu_seconds() - begin;
      ++row.steps, row.unsolved += !report.converged;
      row.pairs += report.contacts, row.systems += report.iterations;
      for (const StageTime& stage : report.stages) {
        all_stages += stage.seconds;
        if (stage.stage == "evaluate") row.evaluation += stage.seconds;
        if (stage.stage == "precompute") row.precomputation += stage.seconds;
        if (stage.stage == "solve") row.solving += stage.seconds;
      }
    }
  } catch (const std::exception& error) {
    row.stopped = error.what();
  }
  for (double* sum : {&row.pairs, &row.systems}) *sum /= std::max(row.steps, 1);
  row.total = 1e3 * passed / std::max(row.steps, 1);
  for (double* stage : {&row.evaluation, &row.precomputation, &row.solving})
    *stage = all_stages > 0 ? row.total * *stage / all_stages : 0;
  return row;
}

std::string milliseconds(double value) { return value > 0 ? fmt::format("{:.4f}", value) : "-"; }

void report(const PaperRow& paper, const Way& way, const BenchOptions& options, BenchResults& results) {
  Row row;
  try {
    row = measure(paper.scene, way, 5 * options.seconds);
  } catch (const SceneError& error) {
    if (!options.quiet) fmt::print("{:<22} {:<8} refused: {}\n", paper.scene, way.solver, error.what());
    return;
  }
  if (!options.quiet)
    fmt::print("{:<20} {:<8} {:>5} {:>6.1f} {:>7.2f} {:>8} {:>8} {:>8.4f} {:>9.4f} {:>9}  {}\n", paper.scene,
               way.solver, row.vertices, row.pairs, row.systems, milliseconds(row.evaluation),
               milliseconds(row.precomputation), row.solving, row.total, fmt::format("{}/{}", row.unsolved, row.steps),
               row.stopped);
  results.push_back(compact_entry(fmt::format("Table 1, {}", paper.scene), way.solver, row.total, "ms"));
  BenchResults& entry = results.back();
  entry["reference"] = paper.total, entry["paper"] = fmt::format("{} ms, one thread of a Ryzen 7 3800X", paper.total);
  entry["pairs"] = row.pairs, entry["systems"] = row.systems, entry["ms_solving"] = row.solving;
  entry["ms_evaluation"] = row.evaluation, entry["ms_precomputation"] = row.precomputation;
  entry["unsolved"] = row.unsolved, entry["steps"] = row.steps, entry["stopped"] = row.stopped;
}

void table_1(const BenchOptions& options, BenchResults& results) {
  if (!options.quiet)
    fmt::print(
        "Table 1 of Efficient and Stable Simulation of Inextensible Cosserat Rods by a Compact Representation\n"
        "[zhao2022]: means of a time step, milliseconds of one thread: derivatives, precomputation, solving, all; of "
        "block\nthe first three together\n\n{:<20} {:<8} {:>5} {:>6} {:>7} {:>8} {:>8} {:>8} {:>9} {:>9}\n",
        "scene", "", "vert.", "pairs", "systems", "deriv.", "precomp.", "solving", "total", "unsolved");
  for (const PaperRow& paper : paper_rows) {
    if (!options.quiet)
      fmt::print("{:<20} {:<8} {:>5} {:>6} {:>7} {:>8} {:>8} {:>8} {:>9}\n", paper.figure, "paper", paper.vertices,
                 paper.pairs, paper.systems, paper.evaluation, paper.precomputation, paper.solving, paper.total);
    if (!is_scene(paper.scene)) {
      if (!options.quiet) fmt::print("{:<22} is no scene here\n", paper.scene);
      continue;
    }
    for (const Way& way : {Way{"compact", {}}, Way{"block", {}}})
      if (is_there(way)) report(paper, way, options, results);
  }
}

}  // namespace

BenchResults bench_compact(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  table_1(options, results);
  compare_linear_solvers(options, results);
  compare_baselines(options, results);
  compare_stability(options, results);
  return results;
}

}  // namespace tendril::app
