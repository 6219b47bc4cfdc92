#include "groom.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/table.h"

namespace tendril::app {
namespace {

constexpr GroomBudget few_steps{2, 5, 60};

Groom few_strands() {
  Groom groom;
  groom.strands = 12, groom.vertices = 8;
  return groom;
}

TEST(Groom, has_its_strands_and_clamps) {
  const auto simulation = start_groom(few_strands());
  EXPECT_EQ(simulation->model().vertices.size(), 12 * 8u);
  EXPECT_EQ(simulation->model().segments.size(), 12 * 7u);
  EXPECT_EQ(simulation->model().ties.size(), 12u);
  for (const Tie& tie : simulation->model().ties) {
    EXPECT_EQ(tie.vertex % 8, 0);
    EXPECT_NEAR(norm(simulation->state().x[tie.vertex]), 0.101, 1e-6);
  }
}

// the roots go around the head's axis by 1 rad/s, the tips fall
TEST(Groom, turns_with_its_head_and_falls) {
  const auto simulation = start_groom(few_strands());
  const State start = simulation->state();
  for (int n = 0; n < 12; ++n) simulation->step();
  const State& now = simulation->state();
  for (const Tie& tie : simulation->model().ties) {
    const Vec3d a = start.x[tie.vertex], b = now.x[tie.vertex];
    EXPECT_NEAR(std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y), 0.1, 1e-6);
    EXPECT_LT(now.x[tie.vertex + 7].z, start.x[tie.vertex + 7].z);
  }
}

TEST(Groom, is_measured_on_every_head) {
  for (Head head : {Head::absent, Head::sphere, Head::mesh}) {
    Groom groom = few_strands();
    groom.head = head, groom.hair_meets_hair = head != Head::absent, groom.wind = true;
    const GroomCost cost = measure_groom(groom, few_steps);
    EXPECT_EQ(cost.refusal, "");
    EXPECT_EQ(cost.steps, few_steps.steps);
    EXPECT_GT(cost.milliseconds, 0);
    EXPECT_GE(cost.newton_steps, 1);
    EXPECT_GE(cost.most_newton_steps, cost.newton_steps);
  }
}

TEST(Groom, stops_when_its_time_is_used) {
  EXPECT_EQ(measure_groom(few_strands(), {1000, 1000, 0}).steps, 1);
  const GroomCost cost = measure_groom(few_strands(), {1000, 1'000'000, 0.2});
  EXPECT_GT(cost.steps, 1);
  EXPECT_LT(cost.steps, 1'000'000);
}

}  // namespace
}  // namespace tendril::app
