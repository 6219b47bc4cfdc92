#include <fmt/format.h>
#include <malloc.h>

#include <chrono>

#include "contact/contact.h"
#include "newton_cost.h"
#include "run_scene.h"

// What an iteration of `direct` costs, beside the figures of the published implementation on the machine of its
// authors.

namespace tendril::app {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// on the heap [bytes]
double used_memory() {
  const struct mallinfo2 info = mallinfo2();
  return double(info.uordblks) + double(info.hblkhd);
}

struct Case {
  const char* label;
  std::string scene;  // a name, or a text
  double bar;         // per segment and iteration [us]
};

std::vector<Case> cases() {
  return {{"chain of 1,000, isotropic", scene_text({isotropic_stiffness, 1, 1000}), 0.25},
          {"chain of 1,000, general", scene_text({general_stiffness, 1, 1000}), 0.25},
          {"chain of 10,000, general", scene_text({general_stiffness, 1, 10000}), 0.5},
          {"chain of 100,000, general", scene_text({general_stiffness, 1, 100000}), 0.5},
          {"chain of 1,000,000, general", scene_text({general_stiffness, 1, 1000000}), 0.5},
          {"birch of 29,973", TENDRIL_SOURCE_DIR "/scenes/full/birch.toml", 0.5},
          {"2,000 strands of 32, general", scene_text({general_stiffness, 2000, 32}), 0.25}};
}

LoadedScene load(const Case& c, int threads) {
  const std::vector<std::string> sets = {fmt::format("simulation.threads={}", threads), "solver.direct.tolerance=1.0"};
  const bool is_name = c.scene.find('\n') == std::string::npos;
  return is_name ? load_scene(c.scene, sets, "direct") : load_scene_text(c.scene, "bench.toml", sets, "direct");
}

struct SetUp {
  double seconds = 0;  // to set the solver up
  double bytes = 0;    // of the solver after a step, per segment
};
SetUp set_up(const LoadedScene& loaded) {
  const auto simulation = make_simulation(loaded);
  simulation->step();
  const Inputs inputs = simulation->inputs();
  State state = simulation->state();
  const double before = used_memory();
  const auto solver = loaded.solver->make(loaded.options);
  ThreadTeam team(1);
  const Clock::time_point start = Clock::now();
  solver->reset(simulation->model(), state, team);
  const double seconds = seconds_since(start);
  Contact nothing_touches;
  solver->step(inputs, nothing_touches, loaded.baked.settings.time_step, state);
  return {seconds, (used_memory() - before) / double(simulation->model().segments.size())};
}

}  // namespace

BenchResults bench_direct_cost(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  if (!options.quiet)
    fmt::print(
        "Cost of `direct`, double, one thread and two; published: 1.76 us on a chain of 1,000, 7 s and 5.8 kB\n\n"
        "{:<32} {:>13} {:>13} {:>6} {:>10} {:>12}\n",
        "structure", "us, 1 thread", "us, 2 threads", "bar", "set-up, s", "memory, B/seg");
  for (const Case& c : cases()) {
    const LoadedScene one = load(c, 1);
    const double shift = double(one.baked.model.vertices.size()) / double(one.baked.model.segments.size());
    const SetUp start = set_up(one);
    double us[2] = {};
    for (int threads : {1, 2})
      us[threads - 1] = 1e-3 * shift * measure_newton_step(load(c, threads), options.seconds).newton;
    if (!options.quiet)
      fmt::print("{:<32} {:>13.3f} {:>13.3f} {:>6.2f} {:>10.3f} {:>12.0f}\n", c.label, us[0], us[1], c.bar,
                 start.seconds, start.bytes);
    for (int threads : {1, 2})
      results.push_back({{"name", "direct-cost"},
                         {"solver", "direct"},
                         {"case", fmt::format("{}, {} threads", c.label, threads)},
                         {"measured", us[threads - 1]},
                         {"reference", c.bar},
                         {"unit", "us"},
                         {"error", nullptr},
                         {"tolerance", nullptr},
                         {"passed", nullptr},
                         {"us_per_segment_iteration", us[threads - 1]},
                         {"threads", threads},
                         {"set_up_seconds", start.seconds},
                         {"bytes_per_segment", start.bytes},
                         {"paper", "1.76 us, 7 s, 5.8 kB"}});
  }
  return results;
}

}  // namespace tendril::app
