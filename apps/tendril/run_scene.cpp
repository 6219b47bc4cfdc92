#include "run_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "engine/scene_start.h"
#include "export.h"
#include "interrupt.h"
#include "verbs.h"

namespace tendril::app {
namespace {

namespace fs = std::filesystem;

bool is_free(const fs::path& folder) { return !fs::exists(folder) || fs::is_empty(folder); }

// runs/SCENE-SOLVER, then runs/SCENE-SOLVER-2, …
fs::path numbered(const fs::path& base, int number) {
  return number == 1 ? base : fs::path(fmt::format("{}-{}", base.string(), number));
}

// The default folder when it is free or to be replaced, else the next number that is free; to resume, the last of those
// in use that holds this scene.
fs::path folder_of(const RunRequest& request, const LoadedScene& loaded, const std::string& scene_toml) {
  if (!request.out.empty()) return request.out;
  const fs::path base =
      fs::path("runs") / fmt::format("{}-{}", fs::path(loaded.scene.file).stem().string(), loaded.solver->name);
  if (request.overwrite) return base;
  int number = 1;
  fs::path same_scene;
  for (; !is_free(numbered(base, number)); ++number)
    if (holds_run_of(numbered(base, number), scene_toml)) same_scene = numbered(base, number);
  if (!request.resume) return numbered(base, number);
  return same_scene.empty() ? base : same_scene;
}

RunStart start_of(const RunRequest& request) {
  return request.resume ? RunStart::resume : request.overwrite ? RunStart::overwrite : RunStart::fresh;
}

void print_expectations(const std::vector<ExpectedResult>& results) {
  for (const ExpectedResult& r : results)
    fmt::print("{}  {} ({}): {:.8g}, expected {:.8g} within {:.3g}{}, error {:.3g}\n", r.passed ? "passed" : "FAILED",
               r.expected.column, describe(r.expected), r.measured, r.expected.value, r.expected.tolerance,
               r.expected.absolute ? "" : " (relative)", r.error);
}

void print_untangled(const UntangleReport& report) {
  if (report.pairs == 0) return fmt::print(stderr, "nothing overlaps at the start\n");
  fmt::print(
      stderr,
      "untangled {} pairs in {} rounds: {} vertices moved, by at most {:.3g} m; segments changed their length by "
      "at most {:.2g} %\n",
      report.pairs, report.rounds, report.moved_vertices, report.farthest, 100 * report.largest_stretch);
}

void announce_check(const LoadedScene& loaded) {
  if (!loaded.baked.settings.contact)
    throw SceneError(fmt::format(
        "{}: --check-crossings has nothing to check: contact is off ([contact] enabled = false)", loaded.scene.file));
  fmt::print(stderr, "checking every substep of the path for crossings by an exact test: this is slow\n");
}

int conclude(const RunResult& result, const fs::path& folder) {
  if (!result.has_started()) {
    fmt::print(
        stderr,
        "interrupted while settling: nothing was started, and {} holds no run; start again with the same words\n",
        folder.string());
    return exit_interrupted;
  }
  print_expectations(result.expected);
  fmt::print("{} steps, {} frames in {:.2f} s: {}\n", result.steps, result.frames, result.wall_seconds,
             folder.string());
  switch (result.end) {
    case RunEnd::failed:
      std::cerr << result.message << "\n";
      return exit_simulation_failed;
    case RunEnd::interrupted:
      fmt::print(stderr, "interrupted; go on with: tendril run --resume --out {} with the same words\n",
                 folder.string());
      return exit_interrupted;
    case RunEnd::finished:
      break;
  }
  if (result.divisions > 0)
    fmt::print(stderr, "note: steps that could not be solved were divided in halves {} times\n", result.divisions);
  if (result.unconverged_steps > 0)
    fmt::print(
        stderr,
        "warning: {} of {} steps were not solved to the solver's tolerance, see residual in metrics.csv: smaller "
        "time steps, more iterations or another solver may help\n",
        result.unconverged_steps, result.steps);
  if (result.half_turns > 0)
    fmt::print(
        stderr,
        "warning: {} joints were turned by more than half a turn, which frames do not know from a turn the other "
        "way: turns are lost. The first: {}. More segments make the turn of each joint smaller\n",
        result.half_turns, result.first_half_turn);
  if (result.settle && !result.settle->settled)
    fmt::print(stderr, "warning: the equilibrium was not reached: {}\n", result.settle->message);
  return result.all_passed() ? exit_good : exit_check_failed;
}

}  // namespace

FinishedRun run_scene(const RunRequest& request) {
  LoadedScene loaded = open_scene(find_scene_file(request.scene),
                                  {.sets = request.sets, .solver = request.solver, .untangle = request.untangle});
  if (loaded.untangled) print_untangled(*loaded.untangled);
  if (const std::string doubt = schedule_warning(loaded); !doubt.empty()) fmt::print(stderr, "warning: {}\n", doubt);
  refuse_overlaps(loaded);
  if (request.check_crossings) announce_check(loaded);
  Engine engine(std::move(loaded), {request.check_crossings});
  const RunInfo info = engine.run_info({{"program", "tendril"}, {"version", TENDRIL_VERSION}});
  const fs::path folder = folder_of(request, engine.scene(), info.scene_toml);
  Recorder recorder(folder, info, engine.model(), start_of(request));
  Progress progress(stderr, Progress::style_for(stderr));
  Exporter exporter(folder, engine.scene());
  RunOptions options = engine.run_options();
  options.interrupted = &watch_for_interrupt();
  options.on_frame = [&](std::int64_t frame) { exporter.add_frame(frame); };
  FinishedRun finished{run(engine.simulation(), options, recorder, progress), folder, 0};
  exporter.finish(finished.result.frames);
  finished.exit_code = conclude(finished.result, folder);
  if (finished.result.has_started())
    for (const std::string& file : exporter.written()) fmt::print("exported: {}\n", file);
  return finished;
}

}  // namespace tendril::app
