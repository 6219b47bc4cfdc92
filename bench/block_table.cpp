#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "benchmark.h"
#include "run_scene.h"

namespace tendril::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int steps = 60;  // of each scene

struct Case {
  std::string label, scene;  // a name, or a text
  double h;                  // [s]
};

std::string world(bool contact) {
  return fmt::format("[simulation]\nduration = 100\ntime_step = 1e-3\n[contact]\nenabled = {}\n", contact);
}
std::string material(double young_modulus, double radius, double density = 1000) {
  return fmt::format(
      "[material.m]\nyoung_modulus = {}\npoisson_ratio = 0.35\ndensity = {}\nsection = {{ shape = \"circle\", radius = "
      "{} }}\n",
      young_modulus, density, radius);
}
std::string clamped_rod(int segments, const std::string& curve, const std::string& more = "") {
  return fmt::format(
      "[[rod]]\nname = \"rod\"\nmaterial = \"m\"\nsegments = {}\ncurve = {{ {} }}\nclamp = \"start\"\n{}", segments,
      curve, more);
}

std::string cantilever(double young_modulus) {
  return world(false) + material(young_modulus, 0.01) +
         clamped_rod(50, "type = \"line\", from = [0, 0, 0], to = [1, 0, 0]");
}
std::string helix() {
  return world(false) + material(1e7, 0.002) +
         clamped_rod(200,
                     "type = \"helix\", center = [0, 0, 0], axis = [1, 0, 0], radius = 0.05, turns = 6, pitch = 0.08");
}
std::string hair() {
  return world(false) + material(3e9, 4e-5, 1300) +
         clamped_rod(32, "type = \"line\", from = [0, 0, 0], to = [0.2, 0, 0.02]",
                     "copies = { count = 2000, step = [0, 0.001, 0] }\n");
}

// eight rods over and under eight others, all held at their ends
std::string weave() {
  constexpr int count = 8, per_gap = 6;
  constexpr double gap = 0.05, radius = 0.005, high = 1.2 * radius;
  std::string text = world(true) + material(1e6, radius);
  for (int along : {0, 1})
    for (int k = 0; k < count; ++k) {
      std::string points;
      for (int n = 0; n <= per_gap * (count + 1); ++n) {
        const double s = double(n) / per_gap, side = (k + along) % 2 ? -1 : 1;  // crossings at whole s
        const double x = gap * s, y = gap * (k + 1), z = side * high * std::cos(std::numbers::pi * s);
        points += fmt::format("{}[{}, {}, {}]", n ? ", " : "", along ? y : x, along ? x : y, z);
      }
      const std::string name = fmt::format("{}{}", along ? "weft" : "warp", k);
      text += fmt::format(
          "[[rod]]\nname = \"{0}\"\nmaterial = \"m\"\nsegments = {1}\ncurve = {{ type = \"polyline\", points = [{2}] "
          "}}\n"
          "[[hold]]\nrod = \"{0}\"\nat = \"start\"\n[[hold]]\nrod = \"{0}\"\nat = \"end\"\n",
          name, per_gap * (count + 1), points);
    }
  return text;
}

std::vector<Case> cases() {
  return {{"cantilever 50, E = 1e6 Pa", cantilever(1e6), 1e-3},
          {"same", cantilever(1e6), 1e-2},
          {"cantilever 50, E = 1e8 Pa", cantilever(1e8), 1e-2},
          {"soft helix 200, E = 1e7 Pa", helix(), 1e-2},
          {"teapot slinky 2,880", "teapot_slinky", 4.2e-3},
          {"hair 2,000 x 32, E = 3e9 Pa", hair(), 4.2e-3},
          {"three trees 9,948", "three_trees", 4.2e-3},
          {"weave 8 + 8", weave(), 1e-3},
          {"knots", "knots", 2e-3}};
}

// a way to run it: the solver, what it is set to, and what to print of it
struct Way {
  std::string solver;
  std::vector<std::string> sets;
};

Way sweeps(int count) {
  return {"stable",
          {fmt::format("solver.stable.iterations={}", count), "solver.stable.tolerance=0.0",
           "solver.stable.acceleration=false"}};
}

std::unique_ptr<Simulation> start(const Case& c, const Way& way) {
  std::vector<std::string> sets = way.sets;
  sets.push_back(fmt::format("simulation.time_step={}", c.h));
  sets.push_back("simulation.threads=1");
  const bool is_name = c.scene.find('\n') == std::string::npos;
  return make_simulation(is_name ? load_scene(c.scene, sets, way.solver)
                                 : load_scene_text(c.scene, "bench.toml", sets, way.solver));
}

struct Measured {
  double error = 0;       // the largest distance from the solution, over the size of the scene [-]
  double ms = forever;    // the fastest step
  double mean_steps = 0;  // Newton steps or sweeps in a time step
};

double size_of(const State& state) {
  Vec3d low = state.x[0], high = state.x[0];
  for (const Vec3d& x : state.x)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
  return norm(high - low);
}

// every way along the same steps, beside Newton's method to the last digit
std::vector<Measured> measure(const Case& c, const std::vector<Way>& ways) {
  const auto solution = start(c, {"block", {"solver.block.tolerance=1e-9"}});
  const double size = size_of(solution->state());
  std::vector<std::unique_ptr<Simulation>> runs;
  for (const Way& way : ways) runs.push_back(start(c, way));
  std::vector<Measured> out(ways.size());
  for (int n = 0; n < steps; ++n) {
    solution->step();
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const Clock::time_point begin = Clock::now();
      const StepReport report = runs[w]->step();
      out[w].ms = std::min(out[w].ms, 1e3 * std::chrono::duration<double>(Clock::now() - begin).count());
      out[w].mean_steps += double(report.iterations) / steps;
      for (std::size_t i = 0; i < solution->state().x.size(); ++i)
        out[w].error = std::max(out[w].error, norm(runs[w]->state().x[i] - solution->state().x[i]) / size);
    }
  }
  return out;
}

}  // namespace

BenchResults bench_block(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  const std::vector<Way> ways = {sweeps(8), sweeps(128), {"block", {}}};
  if (!options.quiet)
    fmt::print(
        "`block` beside `stable`: the largest error in {} steps over the size of the scene, against Newton's method to "
        "the\nlast digit; milliseconds of the fastest step, one thread, double\n\n"
        "{:<30} {:>8} {:>20} {:>20} {:>20} {:>14}\n",
        steps, "scene", "h", "stable, 8 sweeps", "128 sweeps", "block", "Newton steps");
  for (const Case& c : cases()) {
    const std::vector<Measured> m = measure(c, ways);
    const auto cell = [](const Measured& one) { return fmt::format("{:.1e}, {:.3f}", one.error, one.ms); };
    if (!options.quiet)
      fmt::print("{:<30} {:>8} {:>20} {:>20} {:>20} {:>14.1f}\n", c.label, fmt::format("{:.3g} ms", 1e3 * c.h),
                 cell(m[0]), cell(m[1]), cell(m[2]), m[2].mean_steps);
    const char* names[] = {"stable, 8 sweeps", "stable, 128 sweeps", "block"};
    for (std::size_t w = 0; w < ways.size(); ++w)
      results.push_back({{"name", "block"},
                         {"solver", ways[w].solver},
                         {"case", fmt::format("{}, {} ms, {}", c.label, 1e3 * c.h, names[w])},
                         {"measured", m[w].ms},
                         {"reference", nullptr},
                         {"unit", "ms"},
                         {"error", m[w].error},
                         {"tolerance", nullptr},
                         {"passed", nullptr},
                         {"iterations", m[w].mean_steps}});
  }
  if (!options.quiet) fmt::print("\n");
  for (auto& result : bench_block_cost(options)) results.push_back(result);
  return results;
}

}  // namespace tendril::app
