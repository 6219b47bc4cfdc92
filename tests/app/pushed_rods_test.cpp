// obstacles that are driven into held rods, at ordinary steps and speeds: every step finds room

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaded_scene.h"
#include "run_scene.h"
#include "sim/simulation.h"

namespace tendril::app {
namespace {

// half a metre along x, of rubber
std::string rod(int segments, const std::string& solver) {
  return fmt::format(R"(
[simulation]
solver = "{}"
time_step = 0.002
duration = 0.1
gravity = [0, 0, 0]
threads = 1
[material.rubber]
young_modulus = 1e7
poisson_ratio = 0.4
density = 1100
section = {{ shape = "circle", radius = 0.005 }}
[[rod]]
name = "rod"
material = "rubber"
segments = {}
curve = {{ type = "line", from = [0, 0, 0], to = [0.5, 0, 0] }}
clamp = ["start"]
)",
                     solver, segments);
}

struct Pusher {
  const char *name, *shape;
};

constexpr Pusher pushers[] = {
    {"sphere", "shape = \"sphere\"\ncenter = [0.2, 0.01, -0.108]\nradius = 0.1"},
    {"sphere near the clamp", "shape = \"sphere\"\ncenter = [0.03, 0, -0.027]\nradius = 0.02"},
    {"capsule", "shape = \"capsule\"\nfrom = [0.2, -0.1, -0.028]\nto = [0.25, 0.1, -0.028]\nradius = 0.02"},
    {"box", "shape = \"box\"\ncenter = [0.065, 0, -0.058]\nsize = [0.1, 0.1, 0.1]"},
};

// runs 30 steps; each is judged by the exact test as well
void expect_to_run(const std::string& scene, int most_unsolved) {
  const auto simulation = make_simulation(load_scene_text(scene, "pushed.toml"), true);
  int unsolved = 0, iterations = 0;
  double smallest = forever;
  for (int n = 0; n < 30; ++n) {
    const StepReport report = simulation->step();
    unsolved += report.converged ? 0 : 1, iterations += report.iterations;
    smallest = std::min(smallest, report.smallest_gap);
  }
  EXPECT_LE(unsolved, most_unsolved);
  EXPECT_LT(iterations, 30 * 25) << "a few Newton steps each";
  EXPECT_GT(smallest, 0);
  EXPECT_LT(smallest, 1e-3) << "they touch";
}

class PushedRods : public testing::TestWithParam<const char*> {};

TEST_P(PushedRods, by_driven_obstacles) {
  for (int segments : {1, 2, 5, 20})
    for (const auto& [name, shape] : pushers) {
      SCOPED_TRACE(fmt::format("{}, {} segments", name, segments));
      expect_to_run(rod(segments, GetParam()) + "[[obstacle]]\nname = \"pusher\"\n" + shape +
                        "\n[[drive]]\nobstacle = \"pusher\"\ntranslate = { velocity = [0.3, 0, 1] }\n",
                    2);
    }
}

TEST_P(PushedRods, by_their_own_clamp) {
  for (int segments : {1, 2, 5, 20})
    for (const auto& [name, shape] : pushers) {
      SCOPED_TRACE(fmt::format("{}, {} segments", name, segments));
      expect_to_run(rod(segments, GetParam()) + "[[obstacle]]\nname = \"rest\"\n" + shape +
                        "\n[[drive]]\nrod = \"rod\"\nat = \"start\"\ntranslate = { velocity = [0, 0, -1] }\n",
                    2);
    }
}

INSTANTIATE_TEST_SUITE_P(All, PushedRods, testing::Values("block", "direct"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tendril::app
