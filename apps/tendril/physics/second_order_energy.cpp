#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "physics/case.h"
#include "physics/real_rods.h"
#include "rod/energy.h"
#include "rod/momentum.h"

// 3.6: a twisted knot of a soft strip that falls and unwinds, by a scheme of second order: whatever it damps of the
// fastest vibrations, it must not add energy.

namespace tendril::app::physics {

namespace {

std::string scene(double rho_infinity, const SolverInfo& solver) {
  const std::string order = orders_in_time(solver).size() > 1 ? "order = 2\n" : "";
  return toml(World{0.63e-3}) + fmt::format(R"([material.strip]
young_modulus = 1.1e8
poisson_ratio = 0.5
density = 27000
section = {{ shape = "rectangle", width = 2.6e-3, height = 0.35e-3 }}
[[rod]]
name = "knot"
material = "strip"
segments = 40
curve = {{ type = "knot", kind = "overhand", size = 1.86, tail = 0.41, center = [7.7, 2.6, 2.6] }}
twist = 1.5
[solver.{}]
{}rho_infinity = {}
)",
                                            solver.name, order, rho_infinity);
}

void measure(double rho_infinity, const Subject& subject, Findings& findings) {
  const std::string what = fmt::format("falling knot, rho_infinity = {:g}", rho_infinity);
  findings.part(what, [&] {
    const LoadedScene loaded =
        load_scene_text(scene(rho_infinity, subject.solver), "validate", {}, subject.solver.name);
    Simulation sim = simulation(loaded, loaded.baked.state);
    const auto energy = [&] {
      return kinetic_energy(sim.model(), sim.state()) + elastic_energy(sim.model(), sim.state()) +
             gravity_energy(sim.model(), sim.state());
    };
    const double start = energy(), elastic = elastic_energy(sim.model(), sim.state());
    double gain = 0;
    StepTally tally;
    while (sim.time() < (subject.quick() ? 0.1 : 0.3)) {
      tally.take(sim.step());
      gain = std::max(gain, energy() - start);
    }
    findings.compare({what + ": energy gained / elastic energy at the start", "-",
                      fmt::format("{} of {} steps unsolved", tally.unsolved, tally.steps)},
                     gain / elastic, 0, 1e-3);
  });
}

}  // namespace

void second_order_energy(const Subject& subject, Findings& findings) {
  if (orders_in_time(subject.solver).back() < 2)
    return findings.not_measured("", fmt::format("the solver \"{}\" is of first order", subject.solver.name));
  for (double rho_infinity : {0.0, 0.5, 0.8, 1.0}) measure(rho_infinity, subject, findings);
}

}  // namespace tendril::app::physics
