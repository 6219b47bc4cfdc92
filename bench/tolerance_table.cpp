#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "benchmark.h"
#include "physics/real_rods.h"

// What `tolerance` of block leaves unsolved, beside the error of the time step itself. Both are the largest distance of
// a vertex, at any end of a step within half a second, from the same rod solved to the last digit: with the same step,
// and with a step 16 times shorter.

namespace tendril::app {
namespace {

using namespace physics;

constexpr double solved = 1e-10;  // a tolerance that leaves nothing
constexpr int finer = 16;         // times shorter
constexpr double duration = 0.5;  // [s]
constexpr std::array tolerances{1e-2, 2e-3, 1e-3, 1e-4};

struct Case {
  std::string name, material, curve, support, tables = "";
};

std::vector<Case> cases() {
  const std::string level = line({0, 0, 0}, {0, 0.2, 0.02}), held = "clamp = \"start\"";
  const std::string wind = "[[field]]\ntype = \"wind\"\nvelocity = [3, 0, 0]\n";
  const std::string turning =
      "[[drive]]\nrod = \"rod\"\nat = \"start\"\nabout = [0, -0.08, 0]\n"
      "rotate = { axis = [0, 0, 1], keys = [[0, 0], [0.5, 1], [1.5, -1]] }\n";
  const std::string bow = "{ type = \"arc\", center = [0, 0, 0], from = [0, 0.1, 0], axis = [1, 0, 0], angle = -2 }";
  return {{"hair, calm", "hair", level, held},
          {"hair, in wind", "hair", level, held, wind},
          {"hair, turning root", "hair", level, held, turning},
          {"hair, free, in wind", "hair", level, "", wind},
          {"hair, both ends held, in wind", "hair", bow, "clamp = [\"start\", \"end\"]", wind},
          {"steel wire, 2 m, swinging", "steel", line({0, 0, 0}, {0, 2, 0}), "pin = \"start\""},
          {"rubber rod, 0.5 m, falling", "rubber", line({0, 0, 0}, {0, 0.5, 0}), held},
          {"nylon cantilever, 0.3 m", "nylon", line({0, 0, 0}, {0, 0.3, 0}), held}};
}

struct Course {
  std::vector<std::vector<Vec3d>> x;  // positions of all vertices after every `each`-th step [m]
  StepTally tally;
};

Course course(const Case& of, int order, double time_step, int each, double tolerance) {
  const auto& all = real_materials();
  const RealMaterial& material =
      *std::find_if(all.begin(), all.end(), [&](const RealMaterial& m) { return m.name == of.material; });
  const std::string text = toml(World{time_step, {0, 0, -standard_gravity}, false}) + toml(material, 0) +
                           toml(RodText{"rod", material.name, 20, of.curve, of.support}) + of.tables +
                           fmt::format("[solver.block]\norder = {}\ntolerance = {:g}\n", order, tolerance);
  const LoadedScene loaded = load_scene_text(text, "bench", {}, "block");
  Simulation simulation = physics::simulation(loaded, loaded.baked.state);
  Course out;
  for (int n = int(std::lround(duration / time_step / each)); n > 0; --n) {
    for (int k = 0; k < each; ++k) out.tally.take(simulation.step());
    out.x.push_back(simulation.state().x);
  }
  return out;
}

double distance(const Course& a, const Course& b) {
  double most = 0;
  for (std::size_t n = 0; n < a.x.size(); ++n)
    for (std::size_t i = 0; i < a.x[n].size(); ++i) most = std::max(most, norm(a.x[n][i] - b.x[n][i]));
  return most;
}

}  // namespace

BenchResults bench_tolerance(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  if (!options.quiet) {
    fmt::print(
        "Errors of rods of 20 segments within {:g} s: of the time step itself, and what `tolerance` leaves of it;\n"
        "in brackets Newton steps per time step\n\n{:<30} {:>5} {:>8} {:>10}",
        duration, "", "order", "h, ms", "step, m");
    for (double tolerance : tolerances) fmt::print(" {:>16.0e}", tolerance);
    fmt::print("\n");
  }
  for (const Case& of : cases())
    for (int order : {1, 2})
      for (double h : {1e-3, 4e-3, 1.0 / 120, 1.0 / 60}) {
        const Course best = course(of, order, h, 1, solved);
        const double error = distance(best, course(of, order, h / finer, finer, solved));
        if (!options.quiet) fmt::print("{:<30} {:>5} {:>8.3f} {:>10.2e}", of.name, order, 1e3 * h, error);
        for (double tolerance : tolerances) {
          const Course rough = course(of, order, h, 1, tolerance);
          const double left = distance(rough, best);
          if (!options.quiet) fmt::print(" {:>9.4f} % ({:.1f})", 100 * left / error, rough.tally.mean_iterations());
          results.push_back({{"name", "tolerance"},
                             {"solver", "block"},
                             {"case", fmt::format("{}, order {}, {:.3f} ms, {:g}", of.name, order, 1e3 * h, tolerance)},
                             {"measured", left},
                             {"reference", error},
                             {"unit", "m"},
                             {"error", left / error},
                             {"tolerance", nullptr},
                             {"passed", nullptr},
                             {"newton_steps", rough.tally.mean_iterations()}});
        }
        const int unsolved = best.tally.unsolved;
        if (!options.quiet)
          fmt::print("{}\n", unsolved > 0 ? fmt::format("  {} not solved to {:g}", unsolved, solved) : "");
        std::fflush(stdout);
      }
  return results;
}

}  // namespace tendril::app
