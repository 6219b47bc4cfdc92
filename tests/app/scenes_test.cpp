#include <gtest/gtest.h>

#include <filesystem>

#include "engine/expectations.h"
#include "run_scene.h"
#include "scratch.h"
#include "solvers/baselines.h"
#include "verbs.h"

namespace tendril::app {
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

// what hangs at rest is the same for every solver
TEST(HangingScenes, meet_their_expectations_under_every_solver) {
  if (TENDRIL_SANITIZED) GTEST_SKIP() << "physics";
  for (const char* scene : {"cantilever_exact", "cantilever_approximate"})
    for (const SolverInfo& solver : registered_solvers()) {
      if (is_baseline(solver)) continue;
      if (!solver.capabilities.extensible) continue;  // it refuses a beam whose shear and stretch are part of the value
      const Scratch scratch;
      RunRequest request;
      request.scene = scene;
      request.solver = solver.name;
      request.out = (scratch / "run").string();
      EXPECT_EQ(run_scene(request).exit_code, exit_good) << scene << " under " << solver.name;
    }
}

}  // namespace
}  // namespace tendril::app
