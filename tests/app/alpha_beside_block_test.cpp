#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "loaded_scene.h"
#include "sim/simulation.h"

// Two methods of second order that have nothing in common but the grid approach each other with h² where everything is
// at work that a rod may have: two materials, EI1 ≠ EI2, natural curvature and twist, both dampings, loads and moments
// at inner vertices, along the rod and in the frame of its end, which is held along one axis.

namespace tendril::app {
namespace {

std::string rich_rod(double time_step) {
  return fmt::format("[simulation]\ntime_step = {}\nduration = 1\nthreads = 1\n", time_step) + R"(
[contact]
enabled = false
[material.thick]
stiffness = { EA = 200, GA = 100, EI1 = 0.02, EI2 = 0.035, GJ = 0.016 }
linear_density = 0.05
radius = 0.02
damping = 0.5
internal_damping = 0.001
[material.thin]
stiffness = { EA = 150, GA = 70, EI1 = 0.008, EI2 = 0.014, GJ = 0.006 }
linear_density = 0.03
radius = 0.015
[[rod]]
name = "rod"
material = [[0, "thick"], [0.5, "thin"]]
segments = 12
curve = { type = "line", from = [0, 0, 0], to = [0.6, 0, 0] }
normal = [0, 1, 0]
natural_curvature = [1, 0.5, 2]
clamp = "start"
[[load]]
rod = "rod"
at = 5
force = [0, 0.3, 0.2]
ramp = 0.1
[[load]]
rod = "rod"
at = 8
moment = [0.005, 0.01, 0]
ramp = 0.1
[[load]]
rod = "rod"
at = "all"
per_length = [0, -0.2, 0.1]
ramp = 0.1
[[load]]
rod = "rod"
at = "end"
force = [0, 0, 0.1]
frame = "material"
ramp = 0.1
[[hold]]
rod = "rod"
at = "end"
position = "y"
[solver.block]
order = 2
rho_infinity = 0.9
tolerance = 1e-10
)";
}

State end_of(const std::string& solver, double time_step) {
  const LoadedScene loaded = load_scene_text(rich_rod(time_step), "test", {}, solver);
  Simulation simulation(loaded.baked.model, loaded.baked.state, SimulationOptions{.time_step = time_step},
                        loaded.solver->make(loaded.options));
  for (long n = std::lround(0.15 / time_step); n > 0; --n) EXPECT_TRUE(simulation.step().converged);
  return simulation.state();
}

double apart(double time_step) {
  const State a = end_of("alpha", time_step), b = end_of("block", time_step);
  double most = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) most = std::max(most, norm(a.x[i] - b.x[i]));
  EXPECT_LT(a.x.back().z, -0.1) << "it moves";
  return most;
}

TEST(AlphaBesideBlock, BothSolveTheSameEquations) {
  const double coarse = apart(5e-4), fine = apart(2.5e-4);
  EXPECT_LT(fine, 1e-5);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25);
}

}  // namespace
}  // namespace tendril::app
