#include "sim/half_turns.h"

#include <gtest/gtest.h>

#include <numbers>

#include "rod/chain.h"

namespace tendril::sim {
namespace {

// a rod of 0.1 m between two clamps, of which the second turns once in a second; too stiff to buckle into a coil
Chain twisted(int segments) {
  Chain c = make_chain(
      {.segments = segments, .length = 0.1, .EI1 = 20, .EI2 = 20, .GJ = 0.1, .damping = 50, .clamped = true});
  c.model.gravity = {};
  Motion turn;
  turn.axis = {1, 0, 0}, turn.rate = 2 * std::numbers::pi;
  c.model.bodies[add_clamp(c, segments, {segments - 1}, 0)].motions = {turn};
  return c;
}

HalfTurns turned_for(const Chain& c, double seconds, const std::string& solver) {
  Simulation simulation(c.model, c.state, {.time_step = 0.01}, find_solver(solver)->make({}));
  HalfTurns turns(c.model);
  turns.look(simulation);
  while (simulation.time() < seconds) simulation.step(), turns.look(simulation);
  return turns;
}

// four segments and half a bend at each clamp share the twist: each bend reaches half a turn after 2 s
TEST(half_turns, joints_that_lose_turns_are_counted) {
  for (const SolverInfo& info : registered_solvers()) {
    if (info.name == "redmax") continue;  // it holds a rod at one end only
    EXPECT_EQ(turned_for(twisted(4), 1.6, info.name).count(), 0) << info.name;
    const HalfTurns turns = turned_for(twisted(4), 2.6, info.name);
    EXPECT_GT(turns.count(), 0) << info.name;
    EXPECT_NE(turns.first().find("rod \"beam\" segment"), std::string::npos) << turns.first();
    EXPECT_EQ(turned_for(twisted(12), 2.6, info.name).count(), 0) << info.name << ": each turns less";
  }
}

// what turns as a whole is not twisted, however far it goes
TEST(half_turns, a_rod_that_spins_loses_none) {
  for (const SolverInfo& info : registered_solvers()) {
    Chain c = make_chain({.segments = 4});
    c.model.gravity = {};
    for (std::size_t i = 0; i < c.state.x.size(); ++i)
      c.state.v[i] = cross(Vec3d{0, 0, 20}, c.state.x[i] - Vec3d{0.5, 0, 0});
    for (Vec3d& omega : c.state.omega) omega = {0, 0, 20};
    EXPECT_EQ(turned_for(c, 1, info.name).count(), 0) << info.name;
  }
}

TEST(half_turns, are_kept_in_a_checkpoint) {
  const Chain c = twisted(4);
  const HalfTurns turns = turned_for(c, 2.6, "block");
  Writer out;
  turns.save(out);
  HalfTurns again(c.model);
  Reader in(out.bytes());
  again.load(in);
  EXPECT_EQ(again.count(), turns.count());
  EXPECT_EQ(again.first(), turns.first());
  HalfTurns other(twisted(5).model);
  Reader same(out.bytes());
  EXPECT_THROW(other.load(same), std::runtime_error);
}

}  // namespace
}  // namespace tendril::sim
