#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/case.h"
#include "physics/free_rod.h"
#include "physics/orbital_momentum.h"
#include "rod/energy.h"
#include "rod/momentum.h"

// 3.4: what a free rod that is thrown about keeps.

namespace tendril::app::physics {

namespace {

double energy(const Model& model, const State& state) {
  return kinetic_energy(model, state) + elastic_energy(model, state);
}

// how far a motion leaves what it should keep, at most
struct Drift {
  double momentum = 0;  // over Σ m |v|
  double angular = 0;   // with the spin, relative
  double gain = 0;      // of energy, relative
  double energy = 0;    // either way, relative
};

Drift drift(Simulation& rod, int steps) {
  const Model& model = rod.model();
  const State start = rod.state();
  const Vec3d momentum = linear_momentum(model, start), angular = angular_momentum(model, start);
  Drift most;
  for (int n = 0; n < steps; ++n) {
    rod.step();
    const State& now = rod.state();
    const double gain = energy(model, now) / energy(model, start) - 1;
    most.momentum = std::max(most.momentum, norm(linear_momentum(model, now) - momentum) / impetus(model, start));
    most.angular = std::max(most.angular, norm(angular_momentum(model, now) - angular) / norm(angular));
    most.gain = std::max(most.gain, gain);
    most.energy = std::max(most.energy, std::abs(gain));
  }
  return most;
}

// without rotational inertia, a step of implicit Euler changes Σ m x × v by a law of its own
void own_law(const Subject& subject, Findings& findings) {
  constexpr double h = 2e-3;
  RodScene exact = free_rod(h);
  exact.tables = solved_to(subject.solver, 1e-9, 10000);
  const LoadedScene loaded = load(exact, subject.solver);
  const State start = thrown(loaded.baked);
  const Vec3d orbit = orbital_momentum(loaded.baked.model, start);
  Vec3d own_orbit = orbit;
  double turned = 0, own_error = 0;
  Simulation rod = simulation(loaded, start);
  const int steps = subject.quick() ? 100 : 1000;
  for (int n = 0; n < steps; ++n) {
    rod.step();
    own_orbit += implicit_euler_gain(rod.model(), rod.state_before(), rod.state(), h);
    const Vec3d now = orbital_momentum(rod.model(), rod.state());
    turned = std::max(turned, norm(now - orbit) / norm(orbit));
    own_error = std::max(own_error, norm(now - own_orbit) / norm(orbit));
  }
  findings.compare({fmt::format("{} steps: angular momentum off implicit Euler's own law", steps), "-",
                    fmt::format("L gains h Σ m v_new × v_old in a step; off its start by {:.2g}", turned)},
                   own_error, 0, 1e-8);
}

constexpr double wave_time = 0.01;  // [s]

Drift drift_in_waves(double h, int order, const Subject& subject) {
  RodScene scene = straight_free_rod(h);
  scene.tables = solved_to(subject.solver, 1e-9, 1000, order) + undamped(subject.solver, order);
  const LoadedScene loaded = load(scene, subject.solver);
  Simulation rod = simulation(loaded, thrown_in_waves(loaded.baked, subject.solver.capabilities.extensible));
  return drift(rod, int(std::lround(wave_time / h)));
}

// Schemes of second order keep both momenta, and their error of the energy falls with h² or is round-off; implicit
// Euler loses what it must, but for the angular momentum where a solver gives it back
void in_waves(int order, const Subject& subject, Findings& findings) {
  const double h = order == 1 ? 2e-6 : 2e-5;
  const Drift whole = drift_in_waves(h, order, subject), half = drift_in_waves(h / 2, order, subject);
  const std::string what = fmt::format("order {}, waves, {} s", order, wave_time);
  const std::string steps = fmt::format("h = {:g} and {:g} s", h, h / 2);
  const bool keeps_angular = order == 2 || whole.angular < 1e-8;
  if (keeps_angular)
    findings.compare({what + ": angular momentum off, relative", "-", fmt::format("h = {:g} s", h)}, whole.angular, 0,
                     1e-8);
  if (order == 1) {
    if (!keeps_angular)
      findings.compare({what + ": order in h of the angular momentum lost", "-",
                        fmt::format("{}: off by {:.2g} and {:.2g}", steps, whole.angular, half.angular)},
                       std::log2(whole.angular / half.angular), 1, 0.1);
    findings.compare({what + ": order in h of the energy lost", "-",
                      fmt::format("{}: off by {:.2g} and {:.2g}", steps, whole.energy, half.energy)},
                     std::log2(whole.energy / half.energy), 1, 0.1);
    return;
  }
  const double rounding = wave_time / h * std::numeric_limits<double>::epsilon();  // a last digit in every step
  if (whole.energy < rounding)
    return findings.compare({what + ": energy off, relative, is round-off", "-", steps}, whole.energy, 0, rounding);
  findings.compare({what + ": order in h of the energy's error", "-",
                    fmt::format("{}: off by {:.2g} and {:.2g}", steps, whole.energy, half.energy)},
                   std::log2(whole.energy / half.energy), 2, 0.1);
}

}  // namespace

void conservation(const Subject& subject, Findings& findings) {
  for (int order : orders_in_time(subject.solver)) {
    RodScene exact = free_rod(2e-3);
    exact.tables = solved_to(subject.solver, 1e-9, 10000, order) + undamped(subject.solver, order);
    const LoadedScene loaded = load(exact, subject.solver);
    Simulation rod = simulation(loaded, thrown(loaded.baked));
    const int steps = subject.quick() ? 100 : 1000;
    const Drift most = drift(rod, steps);
    const std::string what = fmt::format("order {}, {} steps", order, steps);
    findings.compare({what + ": linear momentum off / Σ m |v|", "-", ""}, most.momentum, 0, 1e-12);
    if (order == 1) findings.compare({what + ": energy gained, relative", "-", ""}, most.gain, 0, 1e-6);
    if (subject.solver.capabilities.rotational_inertia)
      in_waves(order, subject, findings);
    else
      own_law(subject, findings);
  }
}

}  // namespace tendril::app::physics
