// rods that touch are solved together, and as well as if they were alone

#include <gtest/gtest.h>

#include "loaded_scene.h"
#include "run_scene.h"
#include "sim/simulation.h"

namespace tendril::app {
namespace {

class Islands : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Simulation> after(int steps, const std::string& scene) const {
    const std::string simulation =
        "[simulation]\nduration = 1\nthreads = 1\ntime_step = 0.002\nsolver = \"" + std::string(GetParam()) + "\"\n";
    auto out = make_simulation(load_scene_text(simulation + scene, "islands.toml"));
    for (int n = 0; n < steps; ++n) EXPECT_TRUE(out->step().converged);
    return out;
  }
};
INSTANTIATE_TEST_SUITE_P(Newton, Islands, ::testing::Values("block", "direct"));

// one lies across the other, which is clamped and gives way
const std::string two_hairs = R"(
[material.hair]
young_modulus = 4e9
poisson_ratio = 0.3
density = 1300
section = { shape = "circle", radius = 5e-5 }
friction = 0.3
[[rod]]
name = "below"
material = "hair"
segments = 40
curve = { type = "line", from = [0, 0, 0], to = [0.04, 0, 0] }
clamp = "start"
[[rod]]
name = "above"
material = "hair"
segments = 40
curve = { type = "line", from = [0.03, -0.01, 1.06e-4], to = [0.03, 0.011, 1.06e-4] }
)";

// ten billion times the energy
const std::string two_bars = R"(
[material.steel]
young_modulus = 2e11
poisson_ratio = 0.3
density = 7800
section = { shape = "circle", radius = 0.02 }
friction = 0.3
[[rod]]
name = "bar"
material = "steel"
segments = 10
curve = { type = "line", from = [1, 0, 0], to = [2, 0, 0] }
clamp = "start"
[[rod]]
name = "beam"
material = "steel"
segments = 10
curve = { type = "line", from = [1.5, -0.3, 0.0405], to = [1.5, 0.7, 0.0405] }
velocity = [0.1, 0.3, -3]
)";

TEST_P(Islands, DoNotFeelOthersThatAreHeavier) {
  const int steps = 20;
  const auto alone = after(steps, two_hairs), beside = after(steps, two_hairs + two_bars);
  double furthest = 0;
  for (std::size_t i = 0; i < alone->state().x.size(); ++i)
    furthest = std::max(furthest, norm(alone->state().x[i] - beside->state().x[i]));
  EXPECT_LT(furthest, 5e-9);
}

// Where a knot presses on itself each strand alone seems to be held by the other; only together they fall.
TEST_P(Islands, FallFreelyThoughTheyPressOnThemselves) {
  const auto simulation = after(50, R"(
[material.rubber]
young_modulus = 1e7
poisson_ratio = 0.45
density = 1100
section = { shape = "circle", radius = 0.002 }
friction = 0.3
[[rod]]
name = "knot"
material = "rubber"
segments = 150
curve = { type = "knot", kind = "overhand", size = 0.1, tail = 0.05 }
rest = "straight"
)");
  EXPECT_GT(simulation->contact().touching(), 0);
  Vec3d momentum;
  double mass = 0;
  for (std::size_t i = 0; i < simulation->model().vertices.size(); ++i) {
    const double m = simulation->model().vertices[i].mass;
    momentum += m * simulation->state().v[i], mass += m;
  }
  const double fallen = 9.81 * simulation->time();
  EXPECT_NEAR(momentum.z / mass, -fallen, 1e-6 * fallen);
  EXPECT_NEAR(std::hypot(momentum.x, momentum.y) / mass, 0, 1e-6 * fallen);
}

// a vertex that hangs on a body goes with it only to the last digit, and is not stopped by anything for that
TEST_P(Islands, AreSolvedThoughRoundOffMovesWhatHangsOnBodies) {
  const auto simulation = make_simulation(load_scene("wrecking_ball", {"simulation.threads=1"}, GetParam()));
  int unsolved = 0;
  for (int n = 0; n < 400; ++n) unsolved += simulation->step().converged ? 0 : 1;
  EXPECT_EQ(unsolved, 0);
}

}  // namespace
}  // namespace tendril::app
