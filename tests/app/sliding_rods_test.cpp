// friction under the solvers that take Newton steps of whole rods: what slides, rolls and sticks is solved in a few

#include <gtest/gtest.h>

#include "loaded_scene.h"
#include "run_scene.h"
#include "sim/simulation.h"

namespace tendril::app {
namespace {

struct Effort {
  int unsolved = 0, iterations = 0;
};

Effort run(const std::string& scene, int steps) {
  const auto simulation = make_simulation(load_scene_text(scene, "sliding.toml"));
  Effort sum;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = simulation->step();
    sum.unsolved += report.converged ? 0 : 1, sum.iterations += report.iterations;
  }
  return sum;
}

const std::string rubber = R"(
[material.rubber]
young_modulus = 1e7
poisson_ratio = 0.45
density = 1100
section = { shape = "circle", radius = 0.004 }
friction = 0.4
)";

TEST(SlidingRods, with_a_ball_on_a_slope_in_long_steps) {
  const Effort effort = run(R"(
[simulation]
time_step = 0.097
duration = 5
threads = 1
)" + rubber + R"(
[[rod]]
name = "rod"
material = "rubber"
segments = 20
curve = { type = "line", from = [0, 0, 0.02], to = [0.4, 0, 0.02] }
[[body]]
name = "ball"
rod = "rod"
at = "end"
mass = 0.05
inertia = [2e-6, 2e-6, 2e-6]
shape = { type = "sphere", radius = 0.012 }
[[obstacle]]
shape = "plane"
normal = [0.2, 0.1, 0.97]
friction = 0.4
)",
                            50);
  EXPECT_LE(effort.unsolved, 5);
  EXPECT_LT(effort.iterations, 50 * 30);
}

TEST(SlidingRods, that_fall_in_a_heap) {
  const Effort effort = run(R"(
[simulation]
time_step = 0.002
duration = 1
threads = 1
)" + rubber + R"(
[[rod]]
name = "stick"
material = "rubber"
segments = 12
curve = { type = "line", from = [-0.1, 0, 0], to = [0.1, 0, 0] }
copies = { count = 30, low = [-0.05, -0.05, 0.1], high = [0.05, 0.05, 0.3], turn = "any", seed = 7 }
[[obstacle]]
shape = "plane"
friction = 0.4
)",
                            250);
  EXPECT_LE(effort.unsolved, 12);
  EXPECT_LT(effort.iterations, 250 * 25);
}

}  // namespace
}  // namespace tendril::app
