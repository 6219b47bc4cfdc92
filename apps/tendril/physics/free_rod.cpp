#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/random.h"
#include "physics/case.h"
#include "physics/orbital_momentum.h"
#include "physics/rod_scene.h"
#include "rod/energy.h"
#include "rod/momentum.h"

// 3.4: a free rod, bent at the start and thrown about: what is the same seen from elsewhere, and what is conserved.

namespace tendril::physics {

namespace {

constexpr double length = 1;  // [m]
constexpr int segments = 30;

constexpr double time_step = 2e-3;  // [s]

RodScene scene() {
  RodScene scene;
  scene.time_step = time_step;
  scene.EA = scene.GA = 1e3;
  scene.EI = 1e-2, scene.GJ = 0.7e-2;
  scene.linear_density = 0.05;
  scene.segments = segments;
  scene.curve = "{ type = \"arc\", center = [0, 0, 0], from = [0.5, 0, 0], axis = [0, 0, 1], angle = 2 }";
  scene.support = "rest = \"straight\"\ntwist = 1\nvelocity = [0.3, -0.2, 0.5]\nangular_velocity = [1, 2, 0.5]";
  return scene;
}

// the scene's velocities and random ones upon them
State thrown(const BakedScene& baked) {
  State state = baked.state;
  Random random(1);
  for (Vec3d& v : state.v) v += 0.3 * Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  return state;
}

// everything moved as one: turned, then shifted
State moved_rigidly(State state, const Quatd& turn, const Vec3d& shift) {
  for (Vec3d& x : state.x) x = rotate(turn, x) + shift;
  for (Quatd& q : state.q) q = turn * q;
  for (auto* rates : {&state.v, &state.omega})
    for (Vec3d& rate : *rates) rate = rotate(turn, rate);
  return state;
}

double largest_distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
  return largest;
}

}  // namespace

void rigid_motions(const Subject& subject, Findings& findings) {
  const LoadedScene loaded = load(scene(), subject.solver);
  const Quatd turn = quaternion_exp({0.4, -1.7, 0.9});
  const Vec3d shift{0.7, -0.4, 1.1};
  const State start = thrown(loaded.baked);
  Simulation here = simulation(loaded, start), there = simulation(loaded, moved_rigidly(start, turn, shift));
  const int steps = subject.quick() ? 20 : 200;
  for (int n = 0; n < steps; ++n) here.step(), there.step();
  const State expected = moved_rigidly(here.state(), turn, shift);
  findings.compare({fmt::format("turned and shifted start, {} steps: largest distance / L", steps), "-", ""},
                   largest_distance(there.state().x, expected.x) / length, 0, 1e-9);
}

void conservation(const Subject& subject, Findings& findings) {
  RodScene exact = scene();
  exact.tables = solved_to(subject.solver, 1e-9, 10000);
  const LoadedScene loaded = load(exact, subject.solver);
  const State start = thrown(loaded.baked);
  const Model& model = loaded.baked.model;
  const auto energy = [&](const State& state) { return kinetic_energy(model, state) + elastic_energy(model, state); };
  const Vec3d momentum = linear_momentum(model, start), orbit = orbital_momentum(model, start);
  Vec3d own_orbit = orbit;
  double drift = 0, gain = 0, turned = 0, own_error = 0;
  Simulation rod = simulation(loaded, start);
  const int steps = subject.quick() ? 100 : 1000;
  for (int n = 0; n < steps; ++n) {
    rod.step();
    const State& now = rod.state();
    own_orbit += implicit_euler_gain(model, rod.state_before(), now, time_step);
    drift = std::max(drift, norm(linear_momentum(model, now) - momentum) / impetus(model, start));
    turned = std::max(turned, norm(orbital_momentum(model, now) - orbit) / norm(orbit));
    own_error = std::max(own_error, norm(orbital_momentum(model, now) - own_orbit) / norm(orbit));
    gain = std::max(gain, energy(now) / energy(start) - 1);
  }
  const std::string what = fmt::format("{} steps", steps);
  findings.compare({what + ": linear momentum off / Σ m |v|", "-", ""}, drift, 0, 1e-12);
  findings.compare({what + ": energy gained, relative", "-", ""}, gain, 0, 1e-6);
  if (subject.solver.capabilities.order_in_time == 1 && !subject.solver.capabilities.rotational_inertia)
    findings.compare({what + ": angular momentum off implicit Euler's own law", "-",
                      fmt::format("L gains h Σ m v_new × v_old in a step; off its start by {:.2g}", turned)},
                     own_error, 0, 1e-8);
  else
    findings.not_measured("angular momentum", "the suite knows no law of it for this scheme yet");
}

}  // namespace tendril::physics
