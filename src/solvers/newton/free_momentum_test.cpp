#include "solvers/newton/free_momentum.h"

#include <gtest/gtest.h>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "rod/momentum.h"
#include "solvers/random_rod.h"

namespace tendril::solvers::newton {
namespace {

using solvers::testing::Dice;
using solvers::testing::RodOptions;
using solvers::testing::Scene;

constexpr double h = 1e-3;
constexpr int steps = 300;

// A rod that flies and whirls far from the origin: the last digit of a position, over h, is 1e-12 of its velocity.
Scene flying_rod() {
  Scene s;
  RodOptions o;
  o.segments = 12, o.from = {10, -20, 15}, o.EI1 = o.EI2 = o.GJ = 0.1;
  s.add_chain(o);
  for (Segment& g : s.model.segments) g.linear_inertia = {1e-4, 1e-4, 2e-4};
  Dice dice(1);
  for (Vec3d& v : s.state.v) v = Vec3d{1, -2, 0.5} + 0.3 * dice.direction();
  s.model.gravity = {};
  s.fill_inputs();
  return s;
}

double impetus(const Scene& s) {
  double sum = 0;
  for (std::size_t i = 0; i < s.state.v.size(); ++i) sum += s.model.vertices[i].mass * norm(s.state.v[i]);
  return sum;
}

struct Way {
  int order;
  double rho;
};
class FreeFlight : public ::testing::TestWithParam<Way> {
 protected:
  std::unique_ptr<Solver> solver() const {
    return find_solver("block")->make({{"order", GetParam().order}, {"rho_infinity", GetParam().rho}});
  }
};

// Σ m v is the same after any number of steps, but for the rounding of velocities
TEST_P(FreeFlight, KeepsItsMomentum) {
  Scene s = flying_rod();
  const Vec3d start = linear_momentum(s.model, s.state);
  const auto block = solver();
  ThreadTeam team(1);
  block->reset(s.model, s.state, team);
  s.advance(*block, h, steps);
  EXPECT_LT(norm(linear_momentum(s.model, s.state) - start), 1e-14 * impetus(s));
}
INSTANTIATE_TEST_SUITE_P(Block, FreeFlight, ::testing::Values(Way{1, 1}, Way{2, 1}, Way{2, 0.8}, Way{2, 0}));

// M v gains M g t, with either order, while forces do not change
TEST(FreeMomentum, FollowsTheWeight) {
  for (int order : {1, 2}) {
    Scene s = flying_rod();
    s.model.gravity = {0.3, 0, -9.81};
    s.fill_inputs();
    const Vec3d start = linear_momentum(s.model, s.state);
    double mass = 0;
    for (const Vertex& v : s.model.vertices) mass += v.mass;
    const auto block = find_solver("block")->make({{"order", order}, {"rho_infinity", 1.0}});
    ThreadTeam team(1);
    block->reset(s.model, s.state, team);
    s.advance(*block, h, steps);
    const Vec3d expected = start + (mass * h * steps) * s.model.gravity;
    EXPECT_LT(norm(linear_momentum(s.model, s.state) - expected), 1e-14 * impetus(s)) << "order " << order;
  }
}

// what is held, damped, or dragged by a field has no such law
TEST(FreeMomentum, IsOnlyOfWhatIsLeftAlone) {
  const auto law_of = [](Scene& s) {
    Problem problem;
    problem.reset(s.model);
    Parts parts;
    parts.reset(problem);
    Accelerations none;
    none.forget(s.model);
    problem.begin_step(s.inputs, Scheme::implicit_euler(h), s.state, none);
    return free_momentum(parts[0], problem, s.inputs, s.state, none);
  };
  Scene free = flying_rod(), damped = flying_rod(), dragged = flying_rod(), held = flying_rod();
  damped.model.segments[3].damping = 1;
  dragged.inputs.end.drag.assign(dragged.state.x.size(), 0.1);
  held.clamp(0, 0, {});
  held.fill_inputs();
  EXPECT_NEAR(law_of(free).mass, 1, 1e-12);
  for (Scene* s : {&damped, &dragged, &held}) EXPECT_EQ(law_of(*s).mass, 0);
}

}  // namespace
}  // namespace tendril::solvers::newton
