#include "solvers/newton/angular_momentum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "solvers/random_rod.h"

namespace tendril::solvers::newton {
namespace {

using solvers::testing::Dice;
using solvers::testing::RodOptions;
using solvers::testing::Scene;

constexpr double h = 4e-3;

// one that nothing holds, far from the origin, and turns at omega about its centre
Scene spinning_rod(const Vec3d& omega, double stiffness = 1) {
  Scene s;
  RodOptions o;
  o.segments = 8, o.from = {3, -2, 1}, o.EA = o.GA = 1e4 * stiffness, o.EI1 = o.EI2 = o.GJ = stiffness;
  s.add_chain(o);
  for (Segment& g : s.model.segments) g.linear_inertia = {1e-4, 1e-4, 2e-4};
  const Vec3d centre = o.from + 0.5 * o.length * o.along;
  for (std::size_t i = 0; i < s.state.x.size(); ++i) s.state.v[i] = cross(omega, s.state.x[i] - centre);
  for (Vec3d& w : s.state.omega) w = omega;
  s.model.gravity = {};
  s.fill_inputs();
  return s;
}

void advance(Scene& s, int steps, const std::string& name = "block") {
  const auto solver = find_solver(name)->make({});
  ThreadTeam team(1);
  solver->reset(s.model, s.state, team);
  s.advance(*solver, h, steps);
}

double energy(const Scene& s) { return kinetic_energy(s.model, s.state) + elastic_energy(s.model, s.state); }

// 2 turns per second for a second: implicit Euler alone keeps 1/√(1 + 2 w² h t) = 66 %
TEST(AngularMomentum, OfARodThatSpinsIsKept) {
  for (const char* solver : {"block", "direct"}) {
    Scene s = spinning_rod({0, 0, 4 * M_PI});
    const Vec3d before = angular_momentum(s.model, s.state);
    advance(s, 250, solver);
    EXPECT_LT(norm(angular_momentum(s.model, s.state) - before), 0.02 * norm(before)) << solver;
  }
}

// a bob at one end, which weighs as much as the rod
TEST(AngularMomentum, OfARodWithABodyIsKept) {
  Scene s = spinning_rod({});
  Body bob;
  bob.kind = BodyKind::dynamic;
  bob.mass = 1, bob.inertia = {0.01, 0.02, 0.03};
  const int body = s.add_body(bob, {s.state.x[0] - Vec3d{0.1, 0, 0}, {1, 0, 0, 0}});
  s.model.ties.push_back({0, body, {0.1, 0, 0}});
  s.add_bend({body, true}, {0, false}, 0.06, {});
  Vec3d centre;
  double mass = bob.mass;
  for (std::size_t i = 0; i < s.state.x.size(); ++i)
    centre += s.model.vertices[i].mass * s.state.x[i], mass += s.model.vertices[i].mass;
  centre = (1 / mass) * (centre + bob.mass * s.state.body_x[body]);
  const Vec3d omega{0, 0, 4 * M_PI};
  for (std::size_t i = 0; i < s.state.x.size(); ++i) s.state.v[i] = cross(omega, s.state.x[i] - centre);
  for (Vec3d& w : s.state.omega) w = omega;
  s.state.body_v[body] = cross(omega, s.state.body_x[body] - centre), s.state.body_omega[body] = omega;
  s.fill_inputs();
  const Vec3d spin = angular_momentum(s.model, s.state), way = linear_momentum(s.model, s.state);
  advance(s, 250);
  EXPECT_LT(norm(angular_momentum(s.model, s.state) - spin), 0.02 * norm(spin));
  EXPECT_LT(norm(linear_momentum(s.model, s.state) - way), 1e-12);
}

// what is given back is no more than was taken: rods from stiff to limp that whirl and vibrate do not gain energy
TEST(AngularMomentum, CostsNoEnergy) {
  for (double stiffness : {1.0, 1e-2, 1e-4})
    for (unsigned seed = 1; seed <= 4; ++seed) {
      Scene s = spinning_rod({1, 2, 20}, stiffness);
      Dice dice(seed);
      for (Vec3d& v : s.state.v) v += 0.5 * dice.direction();
      double before = energy(s);
      const double start = before;
      const auto solver = find_solver("block")->make({});
      ThreadTeam team(1);
      solver->reset(s.model, s.state, team);
      for (int n = 0; n < 500; ++n) {
        s.advance(*solver, h, 1);
        EXPECT_LT(energy(s), before + 1e-3 * start) << "stiffness " << stiffness << ", seed " << seed << ", step " << n;
        before = std::max(energy(s), 0.0);
      }
      EXPECT_LT(before, start) << "stiffness " << stiffness << ", seed " << seed;
    }
}

// forces change it as their moments say: L' = Σ (x - c) x F
TEST(AngularMomentum, FollowsTheMomentsOfForces) {
  Scene s = spinning_rod({});
  s.inputs.begin.force.front() = s.inputs.end.force.front() = {0, 0, 1};
  s.inputs.begin.force.back() = s.inputs.end.force.back() = {0, 0, -1};
  advance(s, 25);
  const Vec3d L = angular_momentum(s.model, s.state);
  EXPECT_NEAR(L.y, 1 * 25 * h, 0.01 * 25 * h);  // arms of 0.5 m, two of them
}

}  // namespace
}  // namespace tendril::solvers::newton
