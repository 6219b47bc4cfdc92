#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/oscillation.h"
#include "physics/rod_scene.h"

// 3.1: the first bending mode of a cantilever, ω = (βL)² sqrt(EI / ρA) / L², and how its amplitude falls: not at all in
// nature, as e^(-ω² h t / 2) in a solver of first order (implicit Euler), by less than 1 % in 20 periods in one of
// second order.

namespace tendril::physics {

namespace {

constexpr double beta = 1.87510407;                     // βL
constexpr double EI = 98.174770, density = 0.61653755;  // [N m², kg/m]: steel, d = 10 mm
constexpr double length = 1;                            // [m]
constexpr double time_step = 5e-4;                      // [s]
constexpr int segments = 50;

// the mode's deflection at a fraction of the length, 1 at the tip
double mode_shape(double fraction) {
  const double sigma = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta));
  const double a = beta * fraction;
  return 0.5 * (std::cosh(a) - std::cos(a) - sigma * (std::sinh(a) - std::sin(a)));
}

// shear lowers the frequency by about 2 EI / GA L² of it
RodScene scene(const SolverInfo& solver) {
  RodScene scene;
  scene.time_step = time_step;
  scene.EA = scene.GA = 2e4 * EI;
  scene.EI = scene.GJ = EI;
  scene.linear_density = density;
  scene.segments = segments;
  scene.curve = line({0, 0, 0}, {length, 0, 0});
  scene.support = "clamp = [\"start\"]";
  scene.tables = solved_to(solver, 1e-6, 10000);
  return scene;
}

}  // namespace

void bending_frequency(const Subject& subject, Findings& findings) {
  const double omega = beta * beta * std::sqrt(EI / density) / (length * length);
  const LoadedScene loaded = load(scene(subject.solver), subject.solver);
  State start = loaded.baked.state;
  for (int i = 0; i <= segments; ++i) start.v[i].z = 5e-4 * length * omega * mode_shape(double(i) / segments);

  const Stopwatch stopwatch;
  Simulation rod = simulation(loaded, start);
  std::vector<double> tip;
  const double periods = subject.quick() ? 5.5 : 21.5;
  const auto steps = std::lround(periods * 2 * std::numbers::pi / omega / time_step);
  for (long n = 0; n < steps; ++n) {
    tip.push_back(rod.state().x[segments].z);
    rod.step();
  }

  const Oscillation seen = oscillation(tip, time_step);
  const std::string what = fmt::format("N = {}, h = {:g} s, {} periods", segments, time_step, seen.periods);
  findings.compare({what + ": f1", "Hz", fmt::format("{} steps, {:.2g} s", steps, stopwatch.seconds())},
                   seen.omega / (2 * std::numbers::pi), omega / (2 * std::numbers::pi), 2e-3);
  if (subject.solver.capabilities.order_in_time == 1)
    findings.compare({what + ": decay", "1/s", "reference ω² h / 2"}, seen.decay, omega * omega * time_step / 2, 0.02);
  else
    findings.compare({what + ": amplitude lost in 20 periods", "-", ""},
                     1 - std::exp(-seen.decay * 40 * std::numbers::pi / omega), 0, 0.01);
}

}  // namespace tendril::physics
