#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "benchmark.h"
#include "run_scene.h"

namespace tendril {
namespace {

using Clock = std::chrono::steady_clock;

// one stiffness for stretch and shear and one for bend and twist, and all of them apart
constexpr const char* isotropic = "EA = 300, GA = 300, EI1 = 0.008, EI2 = 0.008, GJ = 0.008";
constexpr const char* general = "EA = 300, GA = 100, EI1 = 0.008, EI2 = 0.002, GJ = 0.004";

std::string scene_text(const char* stiffness, int strands, int segments) {
  return fmt::format(
      "[simulation]\ntime_step = 1e-3\nduration = 100\n[contact]\nenabled = false\n"
      "[material.m]\nstiffness = {{ {} }}\nlinear_density = 0.3\nradius = 0.01\n"
      "[[rod]]\nname = \"strand\"\nmaterial = \"m\"\nsegments = {}\n"
      "curve = {{ type = \"line\", from = [0, 0, 0], to = [{}, 0, 0] }}\ncopies = {{ count = {}, step = [0, 0.1, 0] "
      "}}\n"
      "[[hold]]\nrod = \"strand\"\nat = \"start\"\n",
      stiffness, segments, 0.01 * segments, strands);
}

struct Case {
  const char* label;
  std::string scene;  // a name, or a text
  double bar;         // [ns]
};

std::vector<Case> cases() {
  return {{"chain of 1,000, isotropic", scene_text(isotropic, 1, 1000), 130},
          {"chain of 1,000, general", scene_text(general, 1, 1000), 260},
          {"three trees of 9,948", "three_trees", 260},
          {"64 hairs of 32, isotropic", scene_text(isotropic, 64, 32), 32},
          {"64 hairs of 32, general", scene_text(general, 64, 32), 64},
          {"2,000 hairs of 32, isotropic", scene_text(isotropic, 2000, 32), 32},
          {"2,000 hairs of 32, general", scene_text(general, 2000, 32), 64}};
}

struct Cost {
  double newton = forever, step = forever;  // per vertex: a Newton step, and all of a time step that has one [ns]
};

// every time step has one Newton step; the fastest counts, since all else on the machine only adds to it
Cost measure(const Case& c, int threads, double seconds) {
  const std::vector<std::string> sets = {fmt::format("simulation.threads={}", threads), "solver.block.tolerance=1.0"};
  const bool is_name = c.scene.find('\n') == std::string::npos;
  const LoadedScene loaded =
      is_name ? load_scene(c.scene, sets, "block") : load_scene_text(c.scene, "bench.toml", sets, "block");
  const auto simulation = make_simulation(loaded);
  const double vertices = double(loaded.baked.model.vertices.size());
  Cost cost;
  const Clock::time_point start = Clock::now();
  for (int n = 0; n < 10 || Clock::now() - start < std::chrono::duration<double>(seconds); ++n) {
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

}  // namespace

BenchResults bench_block_cost(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  if (!options.quiet)
    fmt::print("Cost of `block` per vertex, double\n\n{:<32} {:>8} {:>16} {:>6} {:>20}\n", "structure", "threads",
               "Newton step, ns", "bar", "whole time step, ns");
  for (const Case& c : cases())
    for (int threads : {1, 2}) {
      const Cost cost = measure(c, threads, options.seconds);
      if (!options.quiet)
        fmt::print("{:<32} {:>8} {:>16.1f} {:>6.0f} {:>20.1f}\n", c.label, threads, cost.newton, c.bar, cost.step);
      results.push_back({{"name", "block-cost"},
                         {"solver", "block"},
                         {"case", fmt::format("{}, {} threads", c.label, threads)},
                         {"measured", cost.newton},
                         {"reference", c.bar},
                         {"unit", "ns"},
                         {"error", nullptr},
                         {"tolerance", nullptr},
                         {"passed", nullptr},
                         {"threads", threads},
                         {"ns_per_time_step", cost.step}});
    }
  return results;
}

}  // namespace tendril
