// real hair on a head that turns: solved in few Newton steps, while it falls freely and where it touches

#include "physics/hair_on_head.h"

#include <gtest/gtest.h>

#include "loaded_scene.h"
#include "physics/real_rods.h"
#include "run_scene.h"
#include "sim/simulation.h"

namespace tendril::app {
namespace {

// What was measured is 2 to 3 and, touching, 9.7 at 4 ms and 12 to 14 at 8 ms. Falling hair is a path of few turns,
// which Newton's method follows in at most 4; a hair that lands goes on only as far as each of its gaps halves, so that
// it takes several times as many, and more in longer steps. Hair that is not solved takes a hundred.
struct Hairdo {
  const char *name, *solver;
  double time_step, friction;
  double free, touching;  // Newton steps per time step in the mean, before and since it first touched
};

class RealHair : public testing::TestWithParam<Hairdo> {};

TEST_P(RealHair, takes_few_newton_steps) {
  const auto& [name, solver, time_step, friction, free, touching] = GetParam();
  const std::string scene = physics::toml(physics::HairOnHead{24, time_step, friction, 1});
  const auto sim = make_simulation(load_scene_text(scene, "hair.toml", {}, solver));
  physics::StepTally apart, met;
  while (sim->time() < 0.36) {
    const StepReport report = sim->step();
    (met.steps > 0 || report.contacts > 0 ? met : apart).take(report);
  }
  ASSERT_GT(apart.steps, 20);
  ASSERT_GT(met.steps, 5) << "it touches";
  RecordProperty("free", std::to_string(apart.mean_iterations()));
  RecordProperty("touching", std::to_string(met.mean_iterations()));
  EXPECT_EQ(apart.unsolved + met.unsolved, 0);
  EXPECT_LE(apart.mean_iterations(), free);
  EXPECT_LE(met.mean_iterations(), touching);
  EXPECT_GT(met.smallest_gap, 0);
}

INSTANTIATE_TEST_SUITE_P(All, RealHair,
                         testing::Values(Hairdo{"block_4ms", "block", 4e-3, 0, 4, 12},
                                         Hairdo{"block_8ms", "block", 8e-3, 0, 4, 20},
                                         Hairdo{"block_8ms_rubs", "block", 8e-3, 0.3, 4, 20},
                                         Hairdo{"direct_8ms", "direct", 8e-3, 0, 4, 20}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tendril::app
