#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/open_scene.h"
#include "sim/run.h"

namespace tendril::engine {

struct EngineOptions {
  bool check_crossings = false;  // judge every substep by an exact test too, slowly
};

// A scene that runs: it is opened once, and its Model, its State and its solver are given to all who read them from
// here.
//
//   Engine engine = Engine::open("rope.toml");
//   engine.settle();                      // if the scene asks for it
//   while (engine.state().time < 1) engine.step();
class Engine {
 public:
  static Engine open(const std::string& file, const OpenOptions& options = {});
  static Engine open_text(const std::string& text, const std::string& name, const OpenOptions& options = {});
  explicit Engine(LoadedScene scene, const EngineOptions& options = {});

  const LoadedScene& scene() const { return scene_; }
  const SolverInfo& solver() const { return *scene_.solver; }
  const Model& model() const { return simulation_->whole_model(); }  // of the scene, with the rest shape of the run
  const State& state() const { return simulation_->state(); }        // numbered as Simulation::model()
  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }

  // advances by one time step; throws SimulationFailed and stays at the last good state
  StepReport step() { return simulation_->step(); }
  // goes to the equilibrium when the scene asks for it with settle = true
  std::optional<SettleReport> settle();

  // how the scene wants to be run and recorded: settling, frames, residuals, what it expects
  RunOptions run_options() const;
  // what a run of it is, for its folder; `program`: {"version", …}
  RunInfo run_info(const nlohmann::json& program) const;

 private:
  LoadedScene scene_;
  std::unique_ptr<Simulation> simulation_;
};

// a simulation of a scene at its start
std::unique_ptr<Simulation> make_simulation(const LoadedScene& loaded, bool check_crossings = false);

// how the scene wants to be settled before its first step; nullopt: not at all
std::optional<SettleOptions> settle_options(const Settings& settings);

}  // namespace tendril::engine
