#include "engine/engine.h"

#include <algorithm>

#include "engine/expectations.h"
#include "engine/scene_start.h"

namespace tendril::engine {
namespace {

bool wants_residuals(const LoadedScene& loaded) { return loaded.scene.root.table("output").boolean("residuals"); }

// an equilibrium is the same for every solver, up to the law of its bends; this one finds it in a few steps
std::shared_ptr<Solver> settle_solver(const LoadedScene& loaded) {
  const auto is_moment = [](const Load& load) { return !(load.moment == Vec3d{}); };
  const std::vector<Load>& loads = loaded.baked.model.loads;
  const bool has_moments = std::any_of(loads.begin(), loads.end(), is_moment);
  // friction comes to rest in the last digits; with moments they turn what is free to turn
  return find_solver("block")->make({{"tolerance", has_moments ? 1e-7 : 1e-10}});
}

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

}  // namespace

Engine Engine::open(const std::string& file, const OpenOptions& options) { return Engine(open_scene(file, options)); }

Engine Engine::open_text(const std::string& text, const std::string& name, const OpenOptions& options) {
  return Engine(open_scene_text(text, name, options));
}

Engine::Engine(LoadedScene scene, const EngineOptions& options)
    : scene_(std::move(scene)), simulation_(make_simulation(scene_, options.check_crossings)) {}

std::optional<SettleReport> Engine::settle() {
  const std::optional<SettleOptions> options = settle_options(scene_.baked.settings);
  if (!options) return std::nullopt;
  return simulation_->settle(*options, *settle_solver(scene_));
}

RunOptions Engine::run_options() const {
  const Settings& s = scene_.baked.settings;
  RunOptions options;
  options.schedule = {s.time_step, s.duration, s.frame_rate};
  options.settle = settle_options(s);
  if (options.settle) options.settle_solver = settle_solver(scene_);
  options.residuals = wants_residuals(scene_);
  options.checkpoint_interval = scene_.scene.root.table("output").number("checkpoint_interval");
  options.expected = read_expectations(scene_.scene.root, scene_.solver->name);
  return options;
}

RunInfo Engine::run_info(const nlohmann::json& program) const {
  nlohmann::json about = program;
  about.update({{"title", scene_.baked.title}, {"solver", scene_.solver->name}, {"options", options_of(scene_)}});
  return {resolved_toml(scene_.scene), about, scene_.baked.followers};
}

std::unique_ptr<Simulation> make_simulation(const LoadedScene& loaded, bool check_crossings) {
  const Settings& s = loaded.baked.settings;
  OptionValues options = loaded.options;
  if (wants_residuals(loaded)) options["residuals"] = true;
  return std::make_unique<Simulation>(loaded.baked.model, loaded.baked.state,
                                      SimulationOptions{s.time_step, std::uint64_t(s.seed), contact_options(s),
                                                        check_crossings, s.threads, volume_options(s)},
                                      loaded.solver->make(options));
}

std::optional<SettleOptions> settle_options(const Settings& settings) {
  if (settings.settle != Settle::equilibrium) return std::nullopt;
  SettleOptions options;
  options.tolerance = settings.settle_tolerance;
  return options;
}

}  // namespace tendril::engine
