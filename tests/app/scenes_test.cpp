#include <gtest/gtest.h>

#include <filesystem>

#include "expectations.h"
#include "run_scene.h"
#include "scratch.h"
#include "verbs.h"

namespace tendril {
namespace {

namespace fs = std::filesystem;

class Scenes : public testing::TestWithParam<std::string> {};

// A sanitizer looks at memory and threads, not at physics, and takes ten times as long: the start of a scene is enough.
void run_start(const LoadedScene& loaded) {
  const auto simulation = make_simulation(loaded);
  while (simulation->time() < 0.05 * loaded.baked.settings.duration) simulation->step();
}

// every scene says what it expects of itself, and meets it
TEST_P(Scenes, meets_its_expectations) {
  const LoadedScene loaded = load_scene(GetParam());
  EXPECT_FALSE(read_expectations(loaded.scene.root, loaded.solver->name).empty())
      << "a scene without [expect] tests nothing";
  if (TENDRIL_SANITIZED) return run_start(loaded);
  const Scratch scratch;
  RunRequest request;
  request.scene = GetParam();
  request.out = (scratch / "run").string();
  EXPECT_EQ(run_scene(request).exit_code, exit_good);
}

std::string name_of(const testing::TestParamInfo<std::string>& info) { return fs::path(info.param).stem().string(); }

INSTANTIATE_TEST_SUITE_P(All, Scenes, testing::ValuesIn(scene_files()), name_of);

// gravity and loads are carried by the chosen rest shape: nothing moves
TEST(SagFree, start_is_the_equilibrium) {
  const std::string text = R"(
[simulation]
time_step = 0.01
duration = 1
settle = "rest"
[material.m]
young_modulus = 1e7
poisson_ratio = 0.3
density = 1100
section = { shape = "circle", radius = 0.004 }
damping = 1
[[rod]]
name = "hair"
material = "m"
segments = 20
curve = { type = "arc", center = [0, 0, 0], from = [0.2, 0, 0], axis = [0, 1, 0], angle = 1.5 }
clamp = ["start"]
[[load]]
rod = "hair"
at = "end"
force = [0, 0.02, 0]
)";
  const LoadedScene loaded = load_scene_text(text, "sag_free");
  const auto simulation = make_simulation(loaded);
  const State start = simulation->whole_state();
  double sag = 0;
  for (int n = 0; n < 100; ++n) simulation->step();
  for (std::size_t i = 0; i < start.x.size(); ++i) sag = std::max(sag, norm(simulation->state().x[i] - start.x[i]));
  // the solver's own bend law differs by theta²/24 of the rotation per bend, here 1e-3 of the load's deflection
  EXPECT_LT(sag, 2e-4);

  LoadedScene plain = load_scene_text(text, "sagging", {"simulation.settle=false"});
  const auto sagging = make_simulation(plain);
  for (int n = 0; n < 100; ++n) sagging->step();
  EXPECT_GT(norm(sagging->state().x.back() - start.x.back()), 0.01) << "the loads must matter";
}

}  // namespace
}  // namespace tendril
