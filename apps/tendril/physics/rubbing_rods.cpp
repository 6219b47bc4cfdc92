#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "physics/case.h"
#include "physics/orbital_momentum.h"
#include "physics/real_rods.h"
#include "rod/momentum.h"

// 4.4: two free rods that meet and rub. Friction acts on both surfaces at the same point, with opposite forces: it
// exchanges momentum, and angular momentum by its arm about each centreline, and changes neither sum.

namespace tendril::app::physics {

namespace {

constexpr double length = 0.2, friction = 0.3;
constexpr int segments = 20;
constexpr double tight = 1e-14;  // tolerance of the solver at which the angular momentum is judged

struct Rubbing {
  RealMaterial material;
  double time_step = 0;  // [s]
  double speed = 0;      // at which they approach [m/s]

  // friction turns no segment by more than half a turn in a step, which is what frames can tell
  bool turns_are_resolved() const { return speed * time_step <= 5.001 * material.radius; }
};

// The lower rod lies along x, the upper one at 40° across it, off both middles. The upper one rubs along the lower one
// with a tangential velocity of 1.5 times the normal one. The total momentum is zero.
std::string scene(const Rubbing& rods) {
  const RealMaterial& material = rods.material;
  const double lift = 1.5 * material.radius;
  const Vec3d along{std::cos(0.7), std::sin(0.7), 0}, velocity = rods.speed * Vec3d{0.75, 0.2, -0.5};
  const Vec3d lower{-0.5 * length, 0, -lift}, upper = Vec3d{0.02, 0, lift} - 0.4 * length * along;
  return toml(World{rods.time_step, {}}) + toml(material, friction) +
         toml(RodText{"lower", material.name, segments, line(lower, lower + Vec3d{length, 0, 0}),
                      "velocity = " + toml(-velocity)}) +
         toml(RodText{"upper", material.name, segments, line(upper, upper + length * along),
                      "velocity = " + toml(velocity)});
}

struct Exchange {
  double momentum = 0;  // largest change of the sum over the largest change of one rod's [-]
  double angular = 0;   // largest sum of what contact changed over the start's [-]
  double slowed = 0;    // what the lower rod took along x over μ times what it took across [-]
  StepTally tally;
};

Exchange exchange(Simulation& sim, int steps, bool has_spin) {
  const Model& model = sim.model();
  const auto momentum_of_lower = [&] { return momentum_of(model, model.rods.front(), sim.state()); };
  const Vec3d start = linear_momentum(model, sim.state()), start_of_lower = momentum_of_lower();
  const Vec3d orbit = orbital_momentum(model, sim.state());
  Vec3d off_orbit;
  double off = 0, exchanged = 0;
  Exchange out;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = sim.step();
    out.tally.take(report);
    off = std::max(off, norm(linear_momentum(model, sim.state()) - start));
    exchanged = std::max(exchanged, norm(momentum_of_lower() - start_of_lower));
    if (!has_spin) continue;
    off_orbit += orbit_changed_by_contact(sim, report);
    out.angular = std::max(out.angular, norm(off_orbit) / norm(orbit));
  }
  const Vec3d taken = momentum_of_lower() - start_of_lower;
  out.momentum = off / exchanged;
  out.slowed = std::hypot(taken.x, taken.y) / (friction * std::abs(taken.z));
  return out;
}

std::string cost(const Exchange& e, const Stopwatch& stopwatch) {
  return fmt::format("{} of {} steps unsolved, {:.1f} iterations, {:.2g} s", e.tally.unsolved, e.tally.steps,
                     e.tally.mean_iterations(), stopwatch.seconds());
}

void measure(const Rubbing& rods, const Subject& subject, Findings& findings) {
  const bool has_spin = subject.solver.capabilities.rotational_inertia;
  const std::string what =
      fmt::format("{}, {:g} m/s, h = {:g} ms", rods.material.name, rods.speed, 1e3 * rods.time_step);
  const auto run = [&](const std::string& options) {
    const LoadedScene loaded = load_scene_text(scene(rods) + options, "validate", {}, subject.solver.name);
    Simulation sim = simulation(loaded, loaded.baked.state);
    return exchange(sim, subject.quick() ? 20 : 60, has_spin);
  };
  findings.part(what, [&] {
    const Stopwatch stopwatch;
    const Exchange e = run("");
    findings.compare({what + ": momentum off / momentum exchanged", "-",
                      fmt::format("J_t / μ J_n = {:.3g}, {}", e.slowed, cost(e, stopwatch))},
                     e.momentum, 0, 1e-8);
  });
  if (!rods.turns_are_resolved()) return;
  if (!has_spin)
    return findings.not_measured(what + ": angular momentum",
                                 fmt::format("the solver \"{}\" has no rotational inertia", subject.solver.name));
  findings.part(what, [&] {
    const Stopwatch stopwatch;
    const Exchange e = run(solved_to(subject.solver, tight, 1000));
    findings.compare(
        {fmt::format("{}: angular momentum off", what), "-",
         fmt::format("by contact, beyond implicit Euler's own law, solved to {:g}; {}", tight, cost(e, stopwatch))},
        e.angular, 0, 1e-10);
  });
}

}  // namespace

void rubbing_rods(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.friction)
    return findings.not_measured("", fmt::format("the solver \"{}\" has no friction", subject.solver.name));
  for (const RealMaterial& material : real_materials())
    for (double time_step : {5e-3, 1e-3})
      for (double speed : {1.0, 0.04}) {
        const bool is_thin = material.radius < 1e-4;
        if ((subject.quick() && time_step > 1e-3) || (speed < 1 && !is_thin)) continue;
        measure({material, time_step, speed}, subject, findings);
      }
}

}  // namespace tendril::app::physics
