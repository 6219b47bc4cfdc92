#include "sim/following_loads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rod/chain.h"
#include "rod/momentum.h"
#include "rod/stream.h"
#include "sim/simulation.h"

namespace tendril::sim {
namespace {

// Beck's column: EI = m = L = 1, pressed by a force P along its tip's tangent; it flutters from P = 20.05 on
struct Column {
  Chain chain;
  int tip;

  Column(double P, int segments, double speed = 1e-6)
      : chain(make_chain(
            {.segments = segments, .EA = 1e6, .GA = 1e6, .linear_density = 1, .radius = 5e-3, .clamped = true})),
        tip(segments) {
    chain.model.gravity = {};
    Load load;
    load.indices = {tip}, load.force = {0, 0, -P}, load.in_material_frame = true;
    chain.model.loads = {load};
    for (int i = 0; i <= tip; ++i) chain.state.v[i].y = speed * chain.state.x[i].x * chain.state.x[i].x;
  }

  std::unique_ptr<Simulation> simulate(double h, const std::string& solver, const OptionValues& options) const {
    return std::make_unique<Simulation>(chain.model, chain.state, SimulationOptions{.time_step = h},
                                        find_solver(solver)->make(options));
  }
};

// how far the tip swings until then [m]
double swing(const Column& column, Simulation& simulation, double until) {
  double largest = 0;
  while (simulation.time() < until - 1e-9) {
    simulation.step();
    largest = std::max(largest, std::abs(simulation.state().x[column.tip].y));
  }
  return largest;
}

// longer than the two lowest modes beat: 1.4 s for P = 19
TEST(following_loads, nothing_grows_below_the_load_of_flutter) {
  for (int order : {1, 2})
    for (double P : {10.0, 19.0}) {
      const Column column(P, 30);
      const auto simulation = column.simulate(4e-3, "block", {{"order", order}});
      const double early = swing(column, *simulation, 2),
                   late = (swing(column, *simulation, 4), swing(column, *simulation, 6));
      EXPECT_GT(early, 1e-8);
      EXPECT_LT(late, 1.001 * early) << "order " << order << ", P = " << P;
    }
}

// as fast as a solver with a loose tolerance can tell
TEST(following_loads, nothing_grows_under_any_solver) {
  for (const SolverInfo& info : registered_solvers()) {
    if (info.name == "redmax") continue;  // loads are explicit there
    const Column column(19, 16, 0.1);
    const auto simulation = column.simulate(4e-3, info.name, {});
    const double early = swing(column, *simulation, 2), late = swing(column, *simulation, 4);
    EXPECT_GT(early, 1e-2);
    EXPECT_LT(late, early) << info.name;
  }
}

// P² + 2 w² (1 + cosh a cos b) + P w sinh a sin b = 0,  a, b = (√(P²/4 + w²) ∓ P/2)^½  has w = 10.856 - 3.055 i at P =
// 22
TEST(following_loads, a_column_flutters_above_it) {
  const Column column(22, 60);
  const auto simulation = column.simulate(1e-3, "block", {{"order", 2}});
  swing(column, *simulation, 1);
  const double first = swing(column, *simulation, 1.5),
               last = (swing(column, *simulation, 2.5), swing(column, *simulation, 3));
  EXPECT_NEAR(std::log(last / first) / 1.5, 3.055, 0.1);
}

// A cantilever that leans in a gale swings about its place: drag damps that, and nothing feeds it. With segments seen
// as they stood when the step began it grew, at U h / L = 0.8 fourfold in the time of this test.
TEST(following_loads, a_wind_feeds_no_swinging) {
  Chain chain = make_chain({.segments = 12,
                            .length = 0.3,
                            .EA = 1e4,
                            .GA = 1e4,
                            .EI1 = 1e-3,
                            .EI2 = 1e-3,
                            .GJ = 1e-3,
                            .linear_density = 0.01,
                            .radius = 0.002,
                            .clamped = true});
  chain.model.gravity = {};
  Field wind;
  wind.velocity = {0, 30, 0};
  chain.model.fields = {wind};
  Simulation simulation(chain.model, chain.state, {.time_step = 8e-3}, find_solver("block")->make({{"order", 2}}));
  ASSERT_TRUE(simulation.settle({}).settled);
  simulation.set_force(12, {0, 0, 0.02});
  for (int n = 0; n < 6; ++n) simulation.step();
  simulation.set_force(12, {});
  const auto largest_energy = [&](double until) {
    double largest = 0;
    while (simulation.time() < until)
      simulation.step(), largest = std::max(largest, kinetic_energy(simulation.model(), simulation.state()));
    return largest;
  };
  const double early = largest_energy(0.5);
  largest_energy(2);
  EXPECT_LT(largest_energy(2.5), 0.2 * early);
}

// A force across the end of a spinning rod, seen from the rod, stays where it is: constant speed about a fixed axis
// has the exact solution  v = F/(m w) (sin wt, 1 - cos wt)
TEST(following_loads, a_thrust_turns_with_a_free_body) {
  const double mass = 2, w = 3, F = 5, h = 1e-3;
  Chain chain;
  chain.model.gravity = {};
  Body body;
  body.kind = BodyKind::dynamic, body.mass = mass, body.inertia = {1, 1, 1};
  chain.model.bodies = {body};
  chain.state.body_x = {{}}, chain.state.body_v = {{}}, chain.state.body_q = {{}}, chain.state.body_omega = {{0, 0, w}};
  Load load;
  load.target = LoadTarget::body, load.indices = {0}, load.force = {F, 0, 0}, load.in_material_frame = true;
  chain.model.loads = {load};
  for (int order : {1, 2}) {
    Simulation simulation(chain.model, chain.state, {.time_step = h}, find_solver("block")->make({{"order", order}}));
    for (int n = 0; n < 1000; ++n) simulation.step();
    const double t = simulation.time();
    const Vec3d exact = (F / (mass * w)) * Vec3d{std::sin(w * t), 1 - std::cos(w * t), 0};
    EXPECT_LT(norm(simulation.state().body_v[0] - exact), order == 1 ? F / mass * h : F / mass * w * w * h * h)
        << order;
  }
}

// tries leave no trace in solver or contact: what is saved in between goes on with the same bits
TEST(following_loads, resume_with_the_same_bits) {
  for (const SolverInfo& info : registered_solvers()) {
    Column column(19, 12);
    SimulationOptions options{.time_step = 4e-3};
    options.contact.enabled = true;
    const auto make = [&] {
      return std::make_unique<Simulation>(column.chain.model, column.chain.state, options, info.make({}));
    };
    const auto whole = make(), resumed = make();
    for (int n = 0; n < 10; ++n) whole->step();
    Writer out;
    whole->save(out);
    Reader in(out.bytes());
    resumed->load(in);
    for (int n = 0; n < 10; ++n) whole->step(), resumed->step();
    EXPECT_EQ(whole->state().x, resumed->state().x) << info.name;
  }
}

}  // namespace
}  // namespace tendril::sim
