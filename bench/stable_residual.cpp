#include <fmt/format.h>

#include <chrono>

#include "benchmark.h"
#include "rod/stream.h"
#include "run_scene.h"

namespace tendril {
namespace {

// the bridge in the wind, one second in: the state from which every variant takes the same step
std::vector<char> representative_state(const LoadedScene& loaded) {
  const auto simulation = make_simulation(loaded);
  while (simulation->time() < 1.0) simulation->step();
  Writer out;
  simulation->save(out);
  return out.bytes();
}

struct Variant {
  const char* lambda;
  const char* precision;
};

}  // namespace

BenchResults bench_stable_residual(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  const int sweeps = 512;
  // plain sweeps as published, whatever the scene itself asks for
  std::vector<std::string> sets{"solver.stable.mode=\"paper\"", "solver.stable.acceleration=false",
                                "solver.stable.tolerance=0.0", "solver.stable.iterations=4", "simulation.threads=1"};
  const std::vector<char> start = representative_state(load_scene("bridge", sets, "stable"));
  sets.insert(sets.end(), {fmt::format("solver.stable.iterations={}", sweeps), "solver.stable.residuals=true"});
  if (!options.quiet)
    fmt::print(
        "Fig. 11 of Stable Cosserat Rods [hsu2025]: residual of one step of the bridge, 1 s into the wind\n\n"
        "{:<24} {:>9} {:>12} {:>12}\n",
        "variant", "iteration", "time ms", "residual");
  for (const Variant& variant :
       {Variant{"approximate", "float"}, {"exact", "float"}, {"approximate", "double"}, {"exact", "double"}}) {
    std::vector<std::string> all = sets;
    all.push_back(fmt::format("solver.stable.lambda=\"{}\"", variant.lambda));
    all.push_back(fmt::format("solver.stable.precision=\"{}\"", variant.precision));
    const LoadedScene loaded = load_scene("bridge", all, "stable");
    const auto simulation = make_simulation(loaded);
    Reader in(start);
    simulation->load(in);
    const StepReport report = simulation->step();
    double seconds = 0;
    for (const StageTime& stage : report.stages)
      if (stage.stage == "sweep") seconds = stage.seconds;
    const double ms = 1e3 * seconds / report.iterations;
    BenchResults curve = BenchResults::array();
    for (std::size_t n = 0; n < report.residuals.size(); ++n) {
      curve.push_back({{"iteration", n + 1}, {"ms", ms * double(n + 1)}, {"residual", report.residuals[n]}});
      const bool power_of_two = ((n + 1) & n) == 0;
      if (!options.quiet && power_of_two)
        fmt::print("{:<24} {:>9} {:>12.4f} {:>12.3e}\n", fmt::format("{}, {}", variant.lambda, variant.precision),
                   n + 1, ms * double(n + 1), report.residuals[n]);
    }
    results.push_back({{"name", "stable-residual"},
                       {"solver", "stable"},
                       {"case", fmt::format("bridge, {} lambda, {}", variant.lambda, variant.precision)},
                       {"measured", report.residuals.empty() ? 0.0 : report.residuals.back()},
                       {"reference", nullptr},
                       {"unit", "-"},
                       {"error", nullptr},
                       {"tolerance", nullptr},
                       {"passed", nullptr},
                       {"ms_per_frame", nullptr},
                       {"threads", 1},
                       {"paper", "2e-3 to 3e-5 after 4 iterations, 2e-6 after 512 (float)"},
                       {"curve", curve}});
  }
  return results;
}

}  // namespace tendril
