#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "contact/contact.h"
#include "contact/crossed_rods.h"
#include "math/thread_team.h"
#include "rod/stream.h"
#include "sim/dense_euler.h"
#include "sim/simulation.h"

namespace tendril::sim {
namespace {

// takes the vertices wherever it is told, through the waypoints that it is told
class CarelessSolver : public Solver {
 public:
  using Way = std::function<void(Contact& contact, State& state)>;
  explicit CarelessSolver(Way way) : way_(std::move(way)) {}
  void reset(const Model&, const State&, ThreadTeam&) override {}
  StepReport step(const Inputs& inputs, Contact& contact, double, State& state) override {
    for (std::size_t b = 0; b < state.body_x.size(); ++b)
      state.body_x[b] = inputs.end.body_pose[b].x, state.body_q[b] = inputs.end.body_pose[b].q;
    way_(contact, state);
    return {};
  }
  void save(Writer&) const override {}
  void load(Reader&) override {}

 private:
  Way way_;
};

std::unique_ptr<Simulation> simulation_of(const Chain& c, std::unique_ptr<Solver> solver,
                                          bool check_crossings = false) {
  return std::make_unique<Simulation>(c.model, c.state, SimulationOptions{0.01, 0, ContactOptions{}, check_crossings},
                                      std::move(solver));
}

std::string failure_of(Simulation& simulation) {
  try {
    simulation.step();
  } catch (const SimulationFailed& failure) {
    return failure.what();
  }
  return "";
}

void raise(State& state, double way) {
  for (int i = 0; i <= 10; ++i) state.x[i].z += way;
}

// the lower rod goes through the upper one and back, in one step of three substeps
TEST(crossing, a_substep_through_a_rod_stops_the_run) {
  const Chain c = stacked_rods({0, 0.1});
  const auto simulation = simulation_of(c, std::make_unique<CarelessSolver>([](Contact& contact, State& state) {
                                          for (const double way : {0.03, 0.3, -0.33}) {
                                            raise(state, way);
                                            contact.cover(state);
                                            contact.end_substep(state);
                                          }
                                        }));
  const std::string text = failure_of(*simulation);
  for (const char* part : {"rod \"rod 0\" segment 5 and rod \"rod 1\" segment 5 crossed", "mistake of the solver"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(simulation->time(), 0);
  EXPECT_EQ(simulation->state().x, c.state.x) << "the last good state";
}

// also when the vertices end elsewhere than at the last waypoint
TEST(crossing, the_way_from_the_last_waypoint_counts) {
  const Chain c = stacked_rods({0, 0.1});
  const auto simulation = simulation_of(c, std::make_unique<CarelessSolver>([](Contact& contact, State& state) {
                                          contact.cover(state);
                                          contact.end_substep(state);
                                          raise(state, 0.3);
                                        }));
  EXPECT_NE(failure_of(*simulation).find("crossed"), std::string::npos);
}

TEST(crossing, a_substep_past_a_rod_is_no_crossing) {
  const Chain c = stacked_rods({0, 0.1});
  const auto simulation = simulation_of(c, std::make_unique<CarelessSolver>([](Contact&, State& state) {
                                          for (int i = 0; i <= 10; ++i) state.x[i] += Vec3d{0.4, 0, 0.059};
                                        }));
  EXPECT_EQ(failure_of(*simulation), "");
  EXPECT_GT(simulation->contact().smallest_gap(), 0.001 - 1e-12);
  EXPECT_LT(simulation->contact().smallest_gap(), 0.002) << "of steady points, a part of the barrier's reach more";
}

TEST(crossing, a_substep_through_a_floor_stops_the_run) {
  Chain c = stacked_rods({0.1});
  add_obstacle(c, Plane{}, "floor");
  const auto simulation = simulation_of(c, std::make_unique<CarelessSolver>([](Contact& contact, State& state) {
                                          contact.cover(state);
                                          state.x[3].z = -0.2;
                                        }));
  EXPECT_NE(failure_of(*simulation).find("rod \"rod 0\" segment 2 and obstacle \"floor\" crossed"), std::string::npos);
}

// The middle of a solid goes straight through a step, also when its body turns about a far point: here from (0, 1, 0)
// to (0, 0, 1), through (0, ½, ½) and not through (0, √½, √½).
TEST(crossing, a_turning_obstacle_goes_the_way_that_contact_takes) {
  const auto turn_past = [](double y, double z) {
    Chain c = stacked_rods({z});
    for (Vec3d& x : c.state.x) x.y += y;
    add_obstacle(c, Sphere{{0, 1, 0}, 0.1}, "ball");
    Motion turn;
    turn.axis = {1, 0, 0}, turn.rate = 0.5 * std::numbers::pi / 0.01;
    c.model.bodies[0].motions = {turn};
    return failure_of(*simulation_of(c, std::make_unique<CarelessSolver>([](Contact&, State&) {})));
  };
  EXPECT_NE(turn_past(0.5, 0.5).find("and obstacle \"ball\" touch"), std::string::npos) << turn_past(0.5, 0.5);
  EXPECT_EQ(turn_past(std::sqrt(0.5), std::sqrt(0.5)), "");
}

// Implicit Euler by Newton knows nothing of contact. The rod falls freely, x = g h² n (n+1) / 2, until its surface is
// at the floor after 0.0495 m: n = 10 makes 0.054, n = 9 still 0.044.
TEST(crossing, a_solver_without_contact_goes_on_until_something_touches) {
  Chain c = stacked_rods({0.0695});
  add_obstacle(c, Plane{}, "floor");
  const auto simulation = simulation_of(c, make_dense_euler());
  StepReport last;
  for (int n = 0; n < 9; ++n) ASSERT_NO_THROW(last = simulation->step()) << n;
  EXPECT_EQ(last.contacts, 0);
  EXPECT_NEAR(last.smallest_gap, 0.0495 - 9.81 * 1e-4 * 45, 1e-9);
  const std::string text = failure_of(*simulation);
  for (const char* part : {"rod \"rod 0\" segment 0 and obstacle \"floor\" touch", "has no contact", "t = 0.09 s"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

// it is asked on every substep, with both waypoints, and what it says counts
TEST(crossing, the_exact_test_judges_every_substep) {
  const Chain c = stacked_rods({0, 0.1});
  const auto pass = [](Contact&, State& state) { raise(state, 0.3); };
  Contact contact(ContactOptions{}, c.state);
  contact.reset(c.model);
  int substeps = 0;
  contact.judge_substeps_by([&](const Substep& substep, ThreadTeam&) -> std::optional<Crossing> {
    ++substeps;
    EXPECT_EQ(substep.from[0], c.state.x[0]);
    EXPECT_NEAR(substep.to[0].z, 0.01, 1e-15);
    return Crossing{4, 7, -1};
  });
  ThreadTeam team(1);
  State state = c.state;
  contact.find_candidates(c.model, state, {}, 0.01, team);
  raise(state, 0.01);
  contact.end_substep(state);
  EXPECT_EQ(substeps, 1);
  ASSERT_TRUE(contact.crossing());
  EXPECT_EQ(contact.crossing()->b, 7) << "what the judge says counts";

  const auto checked = simulation_of(c, std::make_unique<CarelessSolver>(pass), true);
  EXPECT_NE(failure_of(*checked).find("rod \"rod 0\" segment 5 and rod \"rod 1\" segment 5 (their middle lines met)"),
            std::string::npos);
  const auto grazed = [](Contact&, State& state) { raise(state, 0.08); };
  const auto touched = simulation_of(c, std::make_unique<CarelessSolver>(grazed), true);
  EXPECT_EQ(failure_of(*touched).find("lines met"), std::string::npos) << "their surfaces alone did";
  EXPECT_NE(failure_of(*touched).find("touch"), std::string::npos);
}

// where an obstacle stopped is rounded otherwise than where it stands in the next step
TEST(crossing, goes_on_with_the_same_bits_after_an_obstacle_stopped) {
  std::vector<double> gaps;  // as the solver sees them
  const auto stay = [&](Contact& contact, State&) {
    gaps.clear();
    for (const Pair& pair : contact.pairs()) gaps.push_back(pair.gap);
  };
  for (int n = 0; n < 20; ++n) {
    Chain c = stacked_rods({0.1});
    add_obstacle(c, Sphere{{0.123 - 0.017 * n, 0.05, -0.24}, 0.3}, "ball");
    Motion lift;
    lift.velocity = {0.3, 0.1, 0.7}, lift.rate = 3 + n, lift.until = 0.025;
    c.model.bodies[0].motions = {lift};
    const auto first = simulation_of(c, std::make_unique<CarelessSolver>(stay));
    for (int k = 0; k < 3; ++k) first->step();
    Writer out;
    first->save(out);
    const auto second = simulation_of(c, std::make_unique<CarelessSolver>(stay));
    Reader in(out.bytes());
    second->load(in);
    first->step();
    const std::vector<double> unbroken = gaps;
    second->step();
    ASSERT_FALSE(gaps.empty());
    EXPECT_EQ(gaps, unbroken) << n;
  }
}

}  // namespace
}  // namespace tendril::sim
