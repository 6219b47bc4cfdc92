#include "sim/steering.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/simulation.h"
#include "solvers/solver.h"

namespace tendril::sim {
namespace {

// a segment of 1 m and 2 kg that falls freely or hangs in a body that holds its first vertex
struct Stick {
  Model model;
  State state;

  explicit Stick(bool held) {
    model.gravity = {};
    model.vertices = {{1, 0.01}, {1, 0.01}};
    Segment s;
    s.vertex[1] = 1;
    s.rest_length = 1, s.EA = s.GA = 1e5, s.EI1 = s.EI2 = s.GJ = 1, s.linear_density = 2;
    s.linear_inertia = {1e-2, 1e-2, 1e-2};
    model.segments = {s};
    Rod rod;
    rod.name = "stick", rod.vertices = {0, 1}, rod.segment_count = 1;
    model.rods = {rod};
    state.x = {{0, 0, 0}, {0, 0, 1}}, state.v.resize(2), state.q = {{}}, state.omega.resize(1);
    if (!held) return;
    model.bodies.resize(1), model.ties = {{}};
    state.body_x.resize(1), state.body_v.resize(1), state.body_q.resize(1), state.body_omega.resize(1);
  }
  Simulation simulation(const char* solver) const {
    return Simulation(model, state, {.time_step = 0.01}, find_solver(solver)->make({}));
  }
};

// implicit Euler under a constant force: the centre moves f/m h² n (n + 1) / 2, until the force is taken away
TEST(steering, a_force_acts_until_it_is_changed) {
  for (const char* solver : {"block", "stable", "direct"}) {
    Simulation sim = Stick(false).simulation(solver);
    const auto centre = [&] { return 0.5 * (sim.state().x[0] + sim.state().x[1]); };
    sim.set_force(0, {3, 0, 0}), sim.set_force(1, {3, 0, 0});
    for (int n = 0; n < 10; ++n) sim.step();
    EXPECT_NEAR(centre().x, 6.0 / 2 * 1e-4 * 55, 1e-9) << solver;
    sim.set_force(0, {}), sim.set_force(1, {});
    const double x = centre().x;
    for (int n = 0; n < 10; ++n) sim.step();
    EXPECT_NEAR(centre().x - x, 6.0 / 2 * 0.1 * 0.1, 1e-9) << solver;
  }
}

TEST(steering, a_body_is_where_it_is_driven_and_stays_there) {
  for (const char* solver : {"block", "stable", "direct"}) {
    Simulation sim = Stick(true).simulation(solver);
    for (int n = 1; n <= 5; ++n) {
      sim.drive(0, {{0.001 * n, 0, 0}, quaternion_exp({0, 0, 0.01 * n})});
      sim.step();
      EXPECT_NEAR(sim.state().x[0].x, 0.001 * n, 1e-15) << solver << ": the vertex is held by it";
      EXPECT_NEAR(sim.state().body_v[0].x, 0.1, 1e-9) << solver;
      EXPECT_NEAR(sim.state().body_omega[0].z, 1, 1e-9) << solver;
    }
    sim.step();
    EXPECT_NEAR(sim.state().x[0].x, 0.005, 1e-15) << solver;
    EXPECT_EQ(norm(sim.state().body_v[0]), 0) << solver;
  }
}

// a part of a step that is divided goes its part of the way
TEST(steering, a_divided_step_goes_its_part_of_the_way) {
  const Stick stick(true);
  Steering steering;
  steering.drive(stick.model, 0, {{0.4, 0, 0}, {}});
  Inputs inputs;
  for (Instant* instant : {&inputs.begin, &inputs.end}) instant->body_pose.resize(1), instant->body_twist.resize(1);
  inputs.begin.time = 1, inputs.end.time = 1.25;
  steering.prescribe(stick.state, 2, inputs);
  EXPECT_DOUBLE_EQ(inputs.end.body_pose[0].x.x, 0.1);
  EXPECT_DOUBLE_EQ(inputs.end.body_twist[0].v.x, 0.4);
}

TEST(steering, what_there_is_not_or_moves_freely_is_refused) {
  Stick stick(true);
  Simulation sim = stick.simulation("block");
  EXPECT_THROW(sim.set_force(2, {}), std::out_of_range);
  EXPECT_THROW(sim.set_force(-1, {}), std::out_of_range);
  EXPECT_THROW(sim.drive(1, {}), std::out_of_range);
  stick.model.bodies[0].kind = BodyKind::dynamic;
  EXPECT_THROW(Steering().drive(stick.model, 0, {}), std::invalid_argument);
  EXPECT_EQ(support_of(Stick(true).model, 0), 0);
  EXPECT_EQ(support_of(Stick(true).model, 1), -1);
}

}  // namespace
}  // namespace tendril::sim
