#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "solvers/chain.h"

namespace tendril::solvers {
namespace {

using testing::RodOptions;
using testing::Scene;

// a hair, clamped at one end and let go: keratin, 15 cm long and 74 um thick
Scene hair() {
  const double r = 3.7e-5, area = std::numbers::pi * r * r, E = 3.5e9;
  RodOptions o;
  o.segments = 32, o.length = 0.15;
  o.EA = E * area, o.GA = 0.36 * o.EA, o.EI1 = o.EI2 = 0.25 * E * area * r * r, o.GJ = 0.72 * o.EI1;
  o.linear_density = 1300 * area;
  Scene s;
  s.model.gravity = {0, 0, -9.81};
  s.add_chain(o);
  s.clamp(0, 0, o);
  for (Segment& g : s.model.segments) g.linear_inertia = o.linear_density * r * r * Vec3d{0.25, 0.25, 0.5};
  s.fill_inputs();
  return s;
}

double energy(const Scene& s) {
  return kinetic_energy(s.model, s.state) + elastic_energy(s.model, s.state) + gravity_energy(s.model, s.state);
}

double most_stretched(const Scene& s) {
  double most = 0;
  for (const Segment& g : s.model.segments)
    most = std::max(most, std::abs(norm(s.state.x[g.vertex[1]] - s.state.x[g.vertex[0]]) / g.rest_length - 1));
  return most;
}

// Forces at the end of a step hold a stiff rod at its length there, however far its segments turn on the way. Its
// weight stretches it by 5e-7, its swing by some times as much.
TEST(SecondOrder, AHairKeepsItsLengthAndGainsNoEnergyInLongSteps) {
  for (double h : {5e-3, 10e-3, 20e-3, 40e-3}) {
    Scene s = hair();
    const auto block = find_solver("block")->make({{"order", 2}});
    ThreadTeam team(1);
    block->reset(s.model, s.state, team);
    Contact contact;
    const double at_start = energy(s), weight = 9.81 * s.model.segments[0].linear_density * 0.15 * 0.15;
    for (double t = 0; t < 2; t += h) {
      block->step(s.inputs, contact, h, s.state);
      EXPECT_LT(most_stretched(s), 5e-5) << h << " s, at " << t << " s";
      EXPECT_LT(energy(s), at_start + 1e-3 * weight) << h << " s, at " << t << " s";
    }
  }
}

// What stops a rod between two steps begins another motion: the accelerations of the last one are not its own.
TEST(SecondOrder, AStoppedRodGoesOnAsOneThatWasAtRest) {
  Scene s = hair();
  const auto block = find_solver("block")->make({{"order", 2}, {"tolerance", 1e-10}});
  ThreadTeam team(1);
  block->reset(s.model, s.state, team);
  Contact contact;
  for (int n = 0; n < 30; ++n) block->step(s.inputs, contact, 2e-3, s.state);
  for (auto* rates : {&s.state.v, &s.state.omega}) rates->assign(rates->size(), {});
  Scene fresh = s;
  const auto other = find_solver("block")->make({{"order", 2}, {"tolerance", 1e-10}});
  other->reset(fresh.model, fresh.state, team);
  block->step(s.inputs, contact, 2e-3, s.state), other->step(fresh.inputs, contact, 2e-3, fresh.state);
  for (std::size_t i = 0; i < s.state.x.size(); ++i) EXPECT_LT(norm(s.state.x[i] - fresh.state.x[i]), 1e-9) << i;
}

}  // namespace
}  // namespace tendril::solvers
