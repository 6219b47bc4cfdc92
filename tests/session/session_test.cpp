#include "session/session.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rod/momentum.h"
#include "session/session_scenes.h"

namespace tendril::session {
namespace {

// what is missing between the momentum of a rod that was pulled for 0.4 s and the impulse of the spring, which is all
// that acts: d(momentum) = h sum of its force; over the impulse [-]
double missing_momentum(const std::string& solver, double h) {
  Session session = open_text(free_rod(solver, h));
  session.grab(0, {.segment = 3, .fraction = 0.3}, {0.3, 0.2, 0.4});
  Vec3d impulse;
  const auto missing = [&] {
    return norm(linear_momentum(session.model(), session.simulation().state()) - impulse) / norm(impulse);
  };
  const int steps = int(std::lround(0.4 / h));
  for (int n = 0; n < steps; ++n) {
    if (n == steps / 2) session.drag(0, {-0.3, 0.1, 0.5});
    EXPECT_TRUE(session.step()) << solver;
    impulse += session.simulation().last_time_step() * session.pulls().at(0).force;
  }
  EXPECT_GT(norm(impulse), 1e-3) << solver;
  const double pulled = missing();
  session.release(0);
  for (int n = 0; n < 5; ++n) session.step();
  EXPECT_NEAR(missing(), pulled, 1e-7) << solver << ": released, it keeps its momentum";
  return pulled;
}

TEST(session, a_pulled_free_rod_gains_exactly_the_impulse_of_the_spring) {
  for (const char* solver : {"block", "stable", "direct"}) EXPECT_LT(missing_momentum(solver, 0.01), 1e-9) << solver;
}

// alpha weighs the two ends of a step, so its force is that of implicit Euler but for the first order
TEST(session, a_solver_of_second_order_gains_it_as_the_step_shrinks) {
  const double coarse = missing_momentum("alpha", 0.002), fine = missing_momentum("alpha", 0.0005);
  EXPECT_LT(fine, 0.35 * coarse);
}

TEST(session, a_pulled_body_gains_the_impulse_of_the_spring) {
  Session session = open_text(free_ball());
  session.grab(0, {.body = 0, .point = {0, 0.05, 0}}, {1, 0, 0});
  Vec3d impulse;
  for (int n = 0; n < 40; ++n) {
    session.step();
    impulse += 0.01 * session.pulls().at(0).force;
  }
  EXPECT_GT(norm(impulse), 1e-2);
  EXPECT_LT(norm(0.2 * session.simulation().state().body_v[0] - impulse), 1e-9 * norm(impulse));
}

// the spring is no stiffer than it may be, whatever the target
TEST(session, a_pull_has_a_bound) {
  Session session = open_text(hanging_rod());
  session.grab(0, {.segment = 9, .fraction = 1}, {1e3, 0, 0});
  const GripStrength strength = grip_strength({.segment = 9}, session.model(), 0.01);
  for (int n = 0; n < 100; ++n) {
    ASSERT_TRUE(session.step());
    EXPECT_LE(norm(session.pulls().at(0).force), 1.5 * strength.most_force);
  }
  EXPECT_NEAR(norm(session.pulls().at(0).force), strength.most_force, 0.1 * strength.most_force)
      << "it has come to rest";
}

TEST(session, a_pulled_rod_swings_back) {
  Session session = open_text(hanging_rod());
  session.grab(0, {.segment = 9, .fraction = 1}, {0.5, 0, 0.2});
  for (int n = 0; n < 100; ++n) session.step();
  EXPECT_GT(session.simulation().state().x.back().x, 0.2);
  session.release(0);
  for (int n = 0; n < 600; ++n) session.step();
  EXPECT_NEAR(session.simulation().state().x.back().x, 0, 0.02);
}

TEST(session, a_rod_pulled_into_an_obstacle_does_not_pass) {
  Session session = open_text(rod_over_bar());
  session.grab(0, {.segment = 5, .fraction = 0.5}, {0, 0, -2}, 10);
  for (int n = 0; n < 200; ++n) {
    if (!session.step()) session.grab(0, {.segment = 5, .fraction = 0.5}, {0, 0, -2}, 10);
    ASSERT_GT(session.report().smallest_gap, 0);
  }
  EXPECT_GT(session.simulation().state().x[5].z, 0.1) << "it lies on the bar";
}

TEST(session, a_moved_obstacle_takes_its_time_and_pushes) {
  Session session = open_text(rod_over_bar());
  const double most = session.hand_speed().way;
  session.move(session_body(session, "bar"), {{0, 0, 0.2}, {}});
  for (int n = 0; n < 200; ++n) {
    const Vec3d before = session.simulation().state().body_x[session_body(session, "bar")];
    session.step();
    const Vec3d after = session.simulation().state().body_x[session_body(session, "bar")];
    ASSERT_LE(norm(after - before), most * 0.01 * (1 + 1e-9));
    ASSERT_GT(session.report().smallest_gap, 0);
  }
  EXPECT_NEAR(session.simulation().state().body_x[session_body(session, "bar")].z, 0.2, 1e-3);
  EXPECT_GT(session.simulation().state().x[5].z, 0.28) << "the rod is lifted";
}

TEST(session, a_moved_clamp_takes_its_rod_along) {
  Session session = open_text(hanging_rod());
  const int clamp = support_of(session.model(), 0);
  session.move(clamp, {{0.2, 0.1, 1}, session.simulation().state().body_q[clamp]});
  for (int n = 0; n < 300; ++n) session.step();
  EXPECT_NEAR(session.simulation().state().x[0].x, 0.2, 1e-4);
  EXPECT_NEAR(session.simulation().state().x[0].y, 0.1, 1e-4);
  session.stay(clamp);
  session.step();
  EXPECT_NEAR(session.simulation().state().x[0].x, 0.2, 1e-4);
}

TEST(session, reset_goes_back_to_the_start_and_lets_go) {
  Session session = open_text(hanging_rod());
  const State start = session.simulation().state();
  session.grab(0, {.segment = 9}, {0.5, 0, 0});
  session.move(support_of(session.model(), 0), {{0.2, 0, 1}, {}});
  for (int n = 0; n < 20; ++n) session.step();
  session.reset();
  EXPECT_EQ(session.simulation().time(), 0);
  EXPECT_TRUE(session.simulation().state().x == start.x);
  EXPECT_TRUE(session.pulls().empty());
  EXPECT_FALSE(session.is_touched());
}

TEST(session, what_is_not_there_is_refused) {
  Session session = open_text(hanging_rod());
  EXPECT_THROW(session.grab(0, {.segment = 10}, {}), std::out_of_range);
  EXPECT_THROW(session.grab(0, {.segment = 1, .fraction = 2}, {}), std::invalid_argument);
  EXPECT_THROW(session.grab(0, {.segment = 1}, {std::nan(""), 0, 0}), std::invalid_argument);
  EXPECT_THROW(session.grab(0, {.body = 0}, {}), std::invalid_argument) << "a clamp is moved, not pulled";
  EXPECT_THROW(session.move(7, {}), std::out_of_range);
  EXPECT_THROW(session.move(0, {{}, {0, 0, 0, 0}}), std::invalid_argument);
  EXPECT_FALSE(session.is_touched());
}

}  // namespace
}  // namespace tendril::session
