#include <fmt/format.h>

#include "newton_cost.h"

namespace tendril::app {
namespace {

struct Case {
  const char* label;
  std::string scene;  // a name, or a text
  double bar;         // [ns]
  const char* precision = "double";
};

std::vector<Case> cases() {
  return {{"chain of 1,000, isotropic", scene_text({isotropic_stiffness, 1, 1000}), 130},
          {"chain of 1,000, general", scene_text({general_stiffness, 1, 1000}), 260},
          {"three trees of 9,948, isotropic", "three_trees", 130},
          {"64 hairs of 32, isotropic", scene_text({isotropic_stiffness, 64, 32}), 32},
          {"64 hairs of 32, isotropic, curled", scene_text({isotropic_stiffness, 64, 32, 5}), 32},
          {"64 hairs of 32, general", scene_text({general_stiffness, 64, 32}), 64},
          {"2,000 hairs of 32, isotropic", scene_text({isotropic_stiffness, 2000, 32}), 32},
          {"2,000 hairs of 32, general", scene_text({general_stiffness, 2000, 32}), 64},
          {"5,000 hairs of 49, isotropic", scene_text({isotropic_stiffness, 5000, 49}), 32},
          {"20,000 hairs of 49, isotropic", scene_text({isotropic_stiffness, 20000, 49}), 32},
          {"64 hairs of 32, isotropic", scene_text({isotropic_stiffness, 64, 32}), 16, "float"},
          {"64 hairs of 32, isotropic, curled", scene_text({isotropic_stiffness, 64, 32, 5}), 16, "float"},
          {"64 hairs of 32, general", scene_text({general_stiffness, 64, 32}), 32, "float"},
          {"2,000 hairs of 32, isotropic", scene_text({isotropic_stiffness, 2000, 32}), 16, "float"},
          {"2,000 hairs of 32, general", scene_text({general_stiffness, 2000, 32}), 32, "float"},
          {"20,000 hairs of 49, isotropic", scene_text({isotropic_stiffness, 20000, 49}), 16, "float"}};
}

// every time step has one Newton step
LoadedScene load(const Case& c, int threads) {
  const std::vector<std::string> sets = {fmt::format("simulation.threads={}", threads), "solver.block.tolerance=1.0",
                                         fmt::format("solver.block.precision=\"{}\"", c.precision)};
  const bool is_name = c.scene.find('\n') == std::string::npos;
  return is_name ? load_scene(c.scene, sets, "block") : load_scene_text(c.scene, "bench.toml", sets, "block");
}

}  // namespace

BenchResults bench_block_cost(const BenchOptions& options) {
  BenchResults results = BenchResults::array();
  if (!options.quiet)
    fmt::print("Cost of `block` per vertex\n\n{:<34} {:<9} {:>8} {:>16} {:>6} {:>20} {:>12}\n", "structure",
               "precision", "threads", "Newton step, ns", "bar", "whole time step, ns", "set-up, ns");
  for (const Case& c : cases())
    for (int threads : {1, 2}) {
      const NewtonCost cost = measure_newton_step(load(c, threads), options.seconds);
      if (!options.quiet)
        fmt::print("{:<34} {:<9} {:>8} {:>16.1f} {:>6.0f} {:>20.1f} {:>12.0f}\n", c.label, c.precision, threads,
                   cost.newton, c.bar, cost.step, cost.set_up);
      results.push_back({{"name", "block-cost"},
                         {"solver", "block"},
                         {"case", fmt::format("{}, {}, {} threads", c.label, c.precision, threads)},
                         {"measured", cost.newton},
                         {"reference", c.bar},
                         {"unit", "ns"},
                         {"error", nullptr},
                         {"tolerance", nullptr},
                         {"passed", nullptr},
                         {"threads", threads},
                         {"ns_per_time_step", cost.step},
                         {"ns_of_set_up", cost.set_up}});
    }
  return results;
}

}  // namespace tendril::app
