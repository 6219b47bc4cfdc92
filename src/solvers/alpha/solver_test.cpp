#include "solvers/alpha/solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "solvers/chain.h"

namespace tendril::solvers::alpha {
namespace {

using testing::RodOptions;
using testing::Scene;

RodOptions wire() {
  RodOptions o;
  o.segments = 8, o.EA = 1e3, o.GA = 5e2, o.EI1 = o.EI2 = 0.5, o.GJ = 0.4, o.linear_density = 0.2;
  return o;
}

void give_inertia(Scene& scene, double radius) {
  for (Segment& s : scene.model.segments)
    s.linear_inertia = s.linear_density * radius * radius * Vec3d{0.25, 0.25, 0.5};
}

// so many steps; every one is solved
void advance(Scene& scene, Solver& solver, double h, int steps) {
  ThreadTeam team(1);
  solver.reset(scene.model, scene.state, team);
  Contact contact;
  for (int n = 0; n < steps; ++n) {
    scene.inputs.begin.time = n * h, scene.inputs.end.time = (n + 1) * h;
    const StepReport report = solver.step(scene.inputs, contact, h, scene.state);
    ASSERT_TRUE(report.converged) << "step " << n << ", residual " << report.residual;
    scene.state.time += h;
  }
}

Scene swinging() {
  Scene scene = testing::cantilever(wire());
  scene.model.gravity = {0, 0.5, -9.81};
  give_inertia(scene, 0.02);
  scene.fill_inputs();
  return scene;
}

Vec3d tip_after(const Options& options, int steps) {
  Scene scene = swinging();
  AlphaSolver solver(options);
  advance(scene, solver, 0.12 / steps, steps);
  return scene.state.x.back();
}

// errors fall by 2^p with half the step
double order(const Options& options) {
  const Vec3d coarse = tip_after(options, 384), middle = tip_after(options, 768), fine = tip_after(options, 1536);
  return std::log2(norm(coarse - middle) / norm(middle - fine));
}

TEST(AlphaSolver, IsOfSecondOrderInTimeWithAnyRho) {
  for (double rho : {0.0, 0.5, 0.9}) {
    Options o;
    o.rho_infinity = rho, o.tolerance = 1e-11;
    EXPECT_NEAR(order(o), 2, 0.15) << rho;
  }
}

TEST(AlphaSolver, TheTalksWeightsAreOfFirstOrder) {
  for (const Coefficients c : {Coefficients::talk_single, Coefficients::talk_all}) {
    Options o;
    o.coefficients = c, o.tolerance = 1e-11;
    EXPECT_NEAR(order(o), 1, 0.15);
  }
  Options talk, euler;
  talk.coefficients = Coefficients::talk_all, euler.coefficients = Coefficients::euler;
  talk.tolerance = euler.tolerance = 1e-12;
  EXPECT_LT(norm(tip_after(talk, 24) - tip_after(euler, 24)), 1e-9);
}

// a hair, clamped at one end and let go: keratin, 15 cm long and 74 um thick
Scene hair() {
  const double r = 3.7e-5, area = std::numbers::pi * r * r, E = 3.5e9;
  RodOptions o;
  o.segments = 32, o.length = 0.15;
  o.EA = E * area, o.GA = 0.36 * o.EA, o.EI1 = o.EI2 = 0.25 * E * area * r * r, o.GJ = 0.72 * o.EI1;
  o.linear_density = 1300 * area;
  Scene scene = testing::cantilever(o);
  scene.model.gravity = {0, 0, -9.81};
  give_inertia(scene, r);
  scene.fill_inputs();
  return scene;
}

double energy(const Scene& s) {
  return kinetic_energy(s.model, s.state) + elastic_energy(s.model, s.state) + gravity_energy(s.model, s.state);
}

// It whips: its end turns by more than a radian per step. Where positions follow from velocities by the same rho as
// velocities from forces, it gains 1e11 times the energy it had.
TEST(AlphaSolver, AHairGainsNoEnergyInLongSteps) {
  for (const double h : {1e-3, 5e-3, 10e-3, 20e-3, 1.0 / 30, 40e-3}) {
    Scene s = hair();
    AlphaSolver solver({});
    ThreadTeam team(1);
    solver.reset(s.model, s.state, team);
    Contact contact;
    const double at_start = energy(s), weight = 9.81 * s.model.segments[0].linear_density * 0.15 * 0.15;
    for (double t = 0; t < 2; t += h) {
      s.inputs.begin.time = t, s.inputs.end.time = t + h;
      ASSERT_TRUE(solver.step(s.inputs, contact, h, s.state).converged);
      ASSERT_LT(energy(s), at_start + 1e-5 * weight) << h << " s, at " << t << " s";
      ASSERT_LT(largest_stretch(s.model, s.state), 2e-5);
    }
  }
}

// Without damping it keeps kinetic, elastic and gravity's energy and both momenta to round-off, however long its steps:
// strains, turns and moments of a step work as much as energies change.
TEST(AlphaSolver, UndampedItKeepsItsEnergyInStepsOfAnyLength) {
  Options undamped;
  undamped.rho_infinity = undamped.rho_positions = 1;
  for (const double h : {1e-3, 5e-3, 20e-3}) {
    for (const bool is_held : {true, false}) {
      Scene scene = is_held ? swinging() : Scene();
      if (!is_held) scene.add_chain(wire()), give_inertia(scene, 0.02), scene.model.gravity = {};
      for (std::size_t b = 0; b < scene.model.bends.size(); ++b)
        scene.model.bends[b].EI2 = 1.5, scene.model.bends[b].GJ = 0.1;
      if (!is_held)
        for (std::size_t i = 0; i < scene.state.v.size(); ++i)
          scene.state.v[i] = Vec3d{std::sin(1.0 * i), std::cos(2.0 * i), std::sin(3.0 * i)};
      scene.fill_inputs();
      AlphaSolver solver(undamped);
      const double before = energy(scene), moving = kinetic_energy(scene.model, scene.state);
      const Vec3d momentum = angular_momentum(scene.model, scene.state);
      double most = moving;
      ThreadTeam team(1);
      solver.reset(scene.model, scene.state, team);
      Contact contact;
      for (int n = 0; n < 100; ++n) {
        scene.inputs.begin.time = scene.state.time, scene.inputs.end.time = scene.state.time += h;
        ASSERT_TRUE(solver.step(scene.inputs, contact, h, scene.state).converged) << h;
        most = std::max(most, kinetic_energy(scene.model, scene.state));
        EXPECT_NEAR(energy(scene), before, 1e-11 * most) << h << " s, step " << n;
      }
      EXPECT_GT(elastic_energy(scene.model, scene.state), 1e-3 * most) << "it bends";
      if (!is_held) {
        EXPECT_LT(norm(angular_momentum(scene.model, scene.state) - momentum), 1e-12 * norm(momentum));
      }
    }
  }
}

// x = x_0 + v_0 t + a t²/2 from the first step on, whatever the weights
TEST(AlphaSolver, ConstantAccelerationIsExact) {
  for (const double rho : {0.0, 0.5, 0.9}) {
    Scene scene;
    scene.add_chain(wire());
    give_inertia(scene, 0.02);
    scene.model.gravity = {1, 2, -9.81};
    for (Vec3d& v : scene.state.v) v = {0.5, 0, 1};
    scene.fill_inputs();
    const State start = scene.state;
    Options options;
    options.rho_infinity = rho;
    AlphaSolver solver(options);
    const double h = 0.01, t = 40 * h;
    advance(scene, solver, h, 40);
    for (std::size_t i = 0; i < start.x.size(); ++i) {
      const Vec3d expected = start.x[i] + t * start.v[i] + (0.5 * t * t) * scene.model.gravity;
      EXPECT_LT(norm(scene.state.x[i] - expected), 1e-12) << rho;
    }
  }
}

// a load that jumps changes the momentum by its impulse, also with a method that remembers accelerations
TEST(AlphaSolver, ALoadThatEndsLeavesItsImpulse) {
  Scene scene;
  scene.add_chain(wire());
  give_inertia(scene, 0.02);
  scene.model.gravity = {};
  scene.fill_inputs();
  AlphaSolver solver({});
  ThreadTeam team(1);
  solver.reset(scene.model, scene.state, team);
  Contact contact;
  const double h = 0.01;
  const auto go = [&](const Vec3d& force, int steps) {
    scene.inputs.begin.force.back() = scene.inputs.end.force.back() = force;
    for (int n = 0; n < steps; ++n) {
      scene.inputs.begin.time = scene.state.time, scene.inputs.end.time = scene.state.time += h;
      solver.step(scene.inputs, contact, h, scene.state);
    }
  };
  go({0, 0, 3}, 10), go({}, 15), go({0, -2, 0}, 5), go({}, 1);
  const Vec3d expected = (10 * h) * Vec3d{0, 0, 3} + (5 * h) * Vec3d{0, -2, 0};
  EXPECT_LT(norm(linear_momentum(scene.model, scene.state) - expected), 1e-12);
}

// a step of half a minute from rest ends in the balance of rod/energy.h
TEST(AlphaSolver, ALongStepFindsTheEquilibrium) {
  Scene scene = testing::cantilever(wire());
  scene.model.gravity = {0, 0, -1};
  scene.fill_inputs();
  AlphaSolver solver({});
  ThreadTeam team(1);
  solver.reset(scene.model, scene.state, team);
  Contact contact;
  for (int n = 0; n < 3; ++n) {  // begin and end are the same moment
    EXPECT_TRUE(solver.step(scene.inputs, contact, 30, scene.state).converged);
    for (auto* rates : {&scene.state.v, &scene.state.omega}) rates->assign(rates->size(), {});
  }
  Forces forces = Forces::zero(scene.model);
  add_elastic_forces(scene.model, scene.state, forces);
  for (std::size_t i = 1; i < forces.force.size(); ++i)
    EXPECT_LT(norm(forces.force[i] + scene.inputs.end.force[i]), 1e-8);
  for (const Vec3d& moment : forces.moment) EXPECT_LT(norm(moment), 1e-8);
  EXPECT_LT(scene.state.x.back().z, -0.03);
}

// a beam of length 1 along x with EI = 0.5, clamped at its start, or pinned there
Scene beam(bool is_clamped) {
  RodOptions o = wire();
  o.segments = 40, o.EA = o.GA = 1e6, o.normal = {0, 1, 0};
  Scene scene;
  scene.model.gravity = {};
  scene.add_chain(o);
  if (is_clamped) scene.clamp(0, 0, o);
  return scene;
}

void hold(Scene& scene, int vertex, bool x, bool y, bool z) {
  Tie tie;
  tie.vertex = vertex, tie.body = scene.add_body({}, {scene.state.x[vertex], {}});
  tie.held[0] = x, tie.held[1] = y, tie.held[2] = z;
  scene.model.ties.push_back(tie);
}

// how far a vertex gives way at rest under a small force along z, over P L³/EI
double sag(Scene& scene, int loaded, int seen) {
  constexpr double P = 1e-3;
  scene.fill_inputs();
  scene.inputs.end.force[loaded].z = -P;
  AlphaSolver solver({});
  ThreadTeam team(1);
  solver.reset(scene.model, scene.state, team);
  Contact contact;
  for (int n = 0; n < 3; ++n) {
    EXPECT_TRUE(solver.step(scene.inputs, contact, 1e4, scene.state).converged);
    for (auto* rates : {&scene.state.v, &scene.state.omega}) rates->assign(rates->size(), {});
  }
  return -scene.state.x[seen].z * 0.5 / P;
}

// ends of every kind, against the theory of beams, which spans of 20 segments miss by about 1/20²
TEST(AlphaSolver, EndsThatHoldSomeAxesOnly) {
  constexpr double tolerance = 4e-3;
  Scene guided = beam(true);  // its end may shift but not turn
  RodOptions o = wire();
  guided.add_bend({39, false}, {guided.add_body({}, {guided.state.x[40], guided.state.q[39]}), true}, 0.5 / 40, o);
  EXPECT_NEAR(sag(guided, 40, 40), 1.0 / 12, tolerance / 12);
  Scene roller = beam(true);  // free along the rod and across it, but not along z
  hold(roller, 40, false, false, true);
  EXPECT_NEAR(sag(roller, 20, 20), 7.0 / 768, tolerance * 7 / 768);
  Scene slider = beam(false);  // pinned, and free to slide along the rod
  hold(slider, 0, true, true, true), hold(slider, 40, false, true, true);
  slider.add_bend({0, false}, {slider.add_body({}, {slider.state.x[0], slider.state.q[0]}), true}, 1e3, o);
  EXPECT_NEAR(sag(slider, 20, 20), 1.0 / 48, tolerance / 48);
  Scene inner = beam(true);  // a second support in the middle, which carries the load of the end
  hold(inner, 20, false, false, true);
  EXPECT_NEAR(sag(inner, 40, 40), 0.125 / 3 + 0.5 * 0.5 * 0.5 * 0.5 / 2, tolerance * 0.07);
  EXPECT_EQ(inner.state.x[20].z, 0);
}

}  // namespace
}  // namespace tendril::solvers::alpha
