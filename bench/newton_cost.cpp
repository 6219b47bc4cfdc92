#include "newton_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "run_scene.h"

namespace tendril::app {

std::string scene_text(const StrandScene& strands) {
  return fmt::format(
      "[simulation]\ntime_step = 1e-3\nduration = 100\n[contact]\nenabled = false\n"
      "[material.m]\nstiffness = {{ {} }}\nlinear_density = 0.3\nradius = 0.01\n"
      "[[rod]]\nname = \"strand\"\nmaterial = \"m\"\nsegments = {}\n"
      "curve = {{ type = \"line\", from = [0, 0, 0], to = [{}, 0, 0] }}\n"
      "copies = {{ count = {}, step = [0, 0.1, 0] }}\nnatural_curvature = [{}, 0, 0]\n"
      "[[hold]]\nrod = \"strand\"\nat = \"start\"\n",
      strands.stiffness, strands.segments, 0.01 * strands.segments, strands.count, strands.curvature);
}

NewtonCost measure_newton_step(const LoadedScene& loaded, double seconds) {
  using Clock = std::chrono::steady_clock;
  const double vertices = double(loaded.baked.model.vertices.size());
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  NewtonCost cost{forever, forever};
  const Clock::time_point begin = Clock::now();
  const auto simulation = make_simulation(loaded);
  simulation->step();
  cost.set_up = 1e9 * since(begin) / vertices;
  const Clock::time_point start = Clock::now();
  for (int n = 0; n < 10 || since(start) < seconds; ++n) {
    const StepReport report = simulation->step();
    if (report.iterations != 1) continue;
    double whole = 0;
    for (const StageTime& stage : report.stages) {
      whole += stage.seconds;
      if (stage.stage == "solve") cost.newton = std::min(cost.newton, 1e9 * stage.seconds / vertices);
    }
    cost.step = std::min(cost.step, 1e9 * whole / vertices);
  }
  return cost;
}

}  // namespace tendril::app
