#include "run_scene.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "expectations.h"
#include "export.h"
#include "interrupt.h"
#include "scene_start.h"
#include "sim/inner_forces.h"
#include "sim/sag_free.h"
#include "verbs.h"

namespace tendril {
namespace {

namespace fs = std::filesystem;

// What is set, and the defaults of the rest. A mode has defaults of its own; what it stands for is said in its place.
nlohmann::json options_of(const LoadedScene& loaded) {
  const auto mode = loaded.options.find("mode");
  const bool has_mode = mode != loaded.options.end() && std::get<std::string>(mode->second) != "default";
  nlohmann::json options = nlohmann::json::object();
  for (const OptionInfo& option : loaded.solver->options) {
    const auto set = loaded.options.find(option.name);
    if (set == loaded.options.end() && has_mode) continue;
    std::visit([&](const auto& value) { options[option.name] = value; },
               set == loaded.options.end() ? option.default_value : set->second);
    if (option.name == "mode" && has_mode) options["mode_meaning"] = option.meaning;
  }
  return options;
}

RunInfo info_of(const LoadedScene& loaded) {
  const nlohmann::json options = options_of(loaded);
  return {resolved_toml(loaded.scene),
          {{"program", "tendril"}, {"version", TENDRIL_VERSION}, {"title", loaded.baked.title}, {"solver", loaded.solver->name},
           {"options", options}}};
}

// an equilibrium is the same for every solver, up to the law of its bends; this one finds it in a few steps
std::shared_ptr<Solver> settle_solver(const LoadedScene& loaded) {
  const auto is_moment = [](const Load& load) { return !(load.moment == Vec3d{}); };
  const std::vector<Load>& loads = loaded.baked.model.loads;
  const bool has_moments = std::any_of(loads.begin(), loads.end(), is_moment);
  // friction comes to rest in the last digits; with moments they turn what is free to turn
  return find_solver("block")->make({{"tolerance", has_moments ? 1e-7 : 1e-10}}, loaded.baked.settings.threads);
}

RunOptions run_options(const LoadedScene& loaded) {
  const Settings& s = loaded.baked.settings;
  RunOptions options;
  options.schedule = {s.time_step, s.duration, s.frame_rate};
  options.settle = settle_options(s);
  if (options.settle) options.settle_solver = settle_solver(loaded);
  options.residuals = loaded.scene.root.table("output").boolean("residuals");
  options.checkpoint_interval = loaded.scene.root.table("output").number("checkpoint_interval");
  options.expected = read_expectations(loaded.scene.root, loaded.solver->name);
  options.interrupted = &watch_for_interrupt();
  return options;
}

fs::path folder_of(const RunRequest& request, const LoadedScene& loaded) {
  if (!request.out.empty()) return request.out;
  return fs::path("runs") / fmt::format("{}-{}", fs::path(loaded.scene.file).stem().string(), loaded.solver->name);
}

void print_expectations(const std::vector<ExpectedResult>& results) {
  for (const ExpectedResult& r : results)
    fmt::print("{}  {} ({}): {:.8g}, expected {:.8g} within {:.3g}{}, error {:.3g}\n", r.passed ? "passed" : "FAILED",
               r.expected.column, describe(r.expected), r.measured, r.expected.value, r.expected.tolerance,
               r.expected.absolute ? "" : " (relative)", r.error);
}

// settle = "rest"
void choose_rest(const LoadedScene& loaded, Model& model, State& state) {
  try {
    make_sag_free(model, state);
  } catch (const NoEquilibrium& reason) {
    loaded.scene.root.table("simulation").fail("settle", reason.what());
  }
}

void announce_check(const LoadedScene& loaded) {
  if (!loaded.baked.settings.contact)
    throw SceneError(fmt::format("{}: --check-crossings has nothing to check: contact is off ([contact] enabled = false)",
                                 loaded.scene.file));
  fmt::print(stderr, "checking every leg of the path for crossings by an exact test: this is slow\n");
}

int conclude(const RunResult& result, const fs::path& folder) {
  if (!result.has_started()) {
    fmt::print(stderr,
               "interrupted while settling: nothing was started, and {} holds no run; start again with the same words\n",
               folder.string());
    return exit_interrupted;
  }
  print_expectations(result.expected);
  fmt::print("{} steps, {} frames in {:.2f} s: {}\n", result.steps, result.frames, result.wall_seconds, folder.string());
  switch (result.end) {
    case RunEnd::failed:
      std::cerr << result.message << "\n";
      return exit_simulation_failed;
    case RunEnd::interrupted:
      fmt::print(stderr, "interrupted; go on with: tendril run --resume with the same words\n");
      return exit_interrupted;
    case RunEnd::finished:
      break;
  }
  if (result.divisions > 0)
    fmt::print(stderr, "note: steps that could not be solved were divided in halves {} times\n", result.divisions);
  if (result.unconverged_steps > 0)
    fmt::print(stderr,
               "warning: {} of {} steps were not solved to the solver's tolerance, see residual in metrics.csv: smaller "
               "time steps, more iterations or another solver may help\n",
               result.unconverged_steps, result.steps);
  if (result.settle && !result.settle->settled)
    fmt::print(stderr, "warning: the equilibrium was not reached: {}\n", result.settle->message);
  return result.all_passed() ? exit_good : exit_check_failed;
}

}  // namespace

std::optional<SettleOptions> settle_options(const Settings& settings) {
  if (settings.settle != Settle::equilibrium) return std::nullopt;
  SettleOptions options;
  options.tolerance = settings.settle_tolerance;
  return options;
}

std::unique_ptr<Simulation> make_simulation(const LoadedScene& loaded, bool check_crossings) {
  const Settings& s = loaded.baked.settings;
  OptionValues options = loaded.options;
  if (loaded.scene.root.table("output").boolean("residuals")) options["residuals"] = true;
  Model model = loaded.baked.model;
  State state = loaded.baked.state;
  if (s.settle == Settle::rest) choose_rest(loaded, model, state);
  return std::make_unique<Simulation>(std::move(model), std::move(state),
                                      SimulationOptions{s.time_step, std::uint64_t(s.seed), contact_options(s), check_crossings},
                                      loaded.solver->make(options, s.threads));
}

FinishedRun run_scene(const RunRequest& request) {
  LoadedScene loaded = load_scene(request.scene, request.sets, request.solver);
  if (request.untangle) untangle_start(loaded);
  refuse_overlaps(loaded);
  if (request.check_crossings) announce_check(loaded);
  const fs::path folder = folder_of(request, loaded);
  const std::unique_ptr<Simulation> simulation = make_simulation(loaded, request.check_crossings);
  Recorder recorder(folder, info_of(loaded), loaded.baked.model, request.resume);
  Progress progress(stderr, Progress::style_for(stderr));
  Exporter exporter(folder, loaded);
  RunOptions options = run_options(loaded);
  options.on_frame = [&](std::int64_t frame) { exporter.add_frame(frame); };
  FinishedRun finished{run(*simulation, options, recorder, progress), folder, 0};
  exporter.finish(finished.result.frames);
  finished.exit_code = conclude(finished.result, folder);
  if (finished.result.has_started())
    for (const std::string& file : exporter.written()) fmt::print("exported: {}\n", file);
  return finished;
}

}  // namespace tendril
