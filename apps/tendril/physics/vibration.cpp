#include "physics/vibration.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/oscillation.h"

namespace tendril::app::physics {

namespace {

constexpr double step = 0.022;  // ω h: implicit Euler lowers the frequency by (ω h)²/3

struct Seen {
  Oscillation oscillation;
  std::string cost;
};

Seen swung(const Vibration& vibration, int order, const Subject& subject) {
  RodScene scene = vibration.scene;
  scene.time_step = step / vibration.omega;
  scene.tables += solved_to(subject.solver, 1e-6, 10000, order);
  const LoadedScene loaded = load(scene, subject.solver);
  State start = loaded.baked.state;
  vibration.start(loaded.baked.model, start);

  const Stopwatch stopwatch;
  Simulation rod = simulation(loaded, start);
  std::vector<double> deflection;
  const double periods = subject.quick() ? 5.5 : 21.5;
  const auto steps = std::lround(periods * 2 * std::numbers::pi / step);
  for (long n = 0; n < steps; ++n) {
    deflection.push_back(vibration.deflection(rod.model(), rod.state()));
    rod.step();
  }
  return {oscillation(deflection, scene.time_step), fmt::format("{} steps, {:.2g} s", steps, stopwatch.seconds())};
}

}  // namespace

void measure(const Vibration& vibration, const Subject& subject, Findings& findings) {
  const double omega = vibration.omega, h = step / omega;
  for (int order : orders_in_time(subject.solver)) {
    const auto [seen, cost] = swung(vibration, order, subject);
    const std::string what = fmt::format("{}, N = {}", vibration.what, vibration.scene.segments);
    findings.compare({what, "Hz", fmt::format("h = {:.3g} s, order {}, {} periods; {}", h, order, seen.periods, cost)},
                     seen.omega / (2 * std::numbers::pi), omega / (2 * std::numbers::pi), vibration.tolerance);
    if (order == 1)
      findings.compare({what + ": decay", "1/s", "reference ω² h / 2"}, seen.decay, omega * omega * h / 2, 0.02);
    else
      findings.compare({what + ": amplitude lost in 20 periods", "-", ""},
                       1 - std::exp(-seen.decay * 40 * std::numbers::pi / omega), 0, 0.01);
  }
}

}  // namespace tendril::app::physics
