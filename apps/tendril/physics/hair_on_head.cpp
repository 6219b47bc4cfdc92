#include "physics/hair_on_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/real_rods.h"
#include "rod/energy.h"
#include "rod/momentum.h"

// 4.6: hair that stands out from a head, falls onto it and onto other hair, with friction.

namespace tendril::app::physics {

namespace {

constexpr double patience = 120;  // computing time on one core after which the run is stopped [s]

// directions spread evenly over the upper half of a sphere: equal steps in height, golden angles around it
Vec3d direction(int k, int count) {
  const double z = 1 - (k + 0.5) / count, angle = k * std::numbers::pi * (3 - std::sqrt(5.0));
  return {std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z};
}

// with what friction took: it may only fall [J]
double energy(const Simulation& sim) {
  return kinetic_energy(sim.model(), sim.state(), sim.segment_spin()) + elastic_energy(sim.model(), sim.state()) +
         gravity_energy(sim.model(), sim.state()) + sim.contact().friction_work();
}

struct Fall {
  double reached = 0;        // simulated [s]
  double rise = 0;           // largest of the energy in a step, over weight times length [-]
  std::string failure = {};  // why it ended early
  int touching = 0;          // steps with contact
  StepTally tally;
};

Fall fall(Simulation& sim, double seconds) {
  double weight = 0;
  for (const Vertex& vertex : sim.model().vertices) weight += standard_gravity * vertex.mass;
  Fall out;
  const Stopwatch stopwatch;
  double before = energy(sim);
  try {
    for (long n = std::lround(seconds / sim.time_step()); n > 0 && stopwatch.seconds() < patience; --n) {
      const StepReport report = sim.step();
      out.tally.take(report);
      out.touching += report.contacts > 0;
      const double now = energy(sim);
      out.rise = std::max(out.rise, (now - before) / (weight * HairOnHead::length));
      before = now;
    }
  } catch (const SimulationFailed& failed) {
    out.failure = failed.what();
  }
  out.reached = sim.time();
  return out;
}

void measure(int hairs, double time_step, const Subject& subject, Findings& findings) {
  const std::string what = fmt::format("{} hairs, h = {:g} ms", hairs, 1e3 * time_step);
  findings.part(what, [&] {
    const LoadedScene loaded = load_scene_text(toml(HairOnHead{hairs, time_step}), "validate", {}, subject.solver.name);
    Simulation sim = simulation(loaded, loaded.baked.state);
    constexpr double seconds = 0.4;  // it touches from 0.28 s on
    const Stopwatch stopwatch;
    const Fall f = fall(sim, seconds);
    findings.compare(
        {fmt::format("{}: simulated within {:g} s of one core", what, patience), "s",
         fmt::format("{:.2g} s; {:.1f} iterations, at most {}{}{}", stopwatch.seconds(), f.tally.mean_iterations(),
                     f.tally.most_iterations, f.failure.empty() ? "" : "; ", f.failure)},
        f.reached, seconds, 1e-6);
    findings.compare({what + ": unsolved steps", "-", fmt::format("of {}", f.tally.steps)}, f.tally.unsolved, 0, 0);
    findings.compare({what + ": it touches", "-", fmt::format("in {} of {} steps", f.touching, f.tally.steps)},
                     f.touching > 0, 1, 0);
    findings.compare({what + ": smallest gap is positive", "-",
                      fmt::format("smallest gap {:.2g} r", f.tally.smallest_gap / hair().radius)},
                     f.tally.smallest_gap > 0, 1, 0);
    findings.compare({what + ": rise of the energy in a step / weight · length", "-", "friction work included"}, f.rise,
                     0, 1e-3);
  });
}

}  // namespace

std::string toml(const HairOnHead& scene) {
  const std::string turns =
      scene.turn_rate == 0 ? "" : fmt::format("rotate = {{ axis = [0, 0, 1], rate = {:.17g} }}\n", scene.turn_rate);
  std::string text = toml(World{scene.time_step}) + toml(hair(), scene.friction) +
                     fmt::format("[[obstacle]]\nname = \"head\"\nshape = \"sphere\"\nradius = {}\n", HairOnHead::head);
  if (!turns.empty()) text += "[[drive]]\nobstacle = \"head\"\n" + turns;
  for (int k = 0; k < scene.hairs; ++k) {
    const std::string name = fmt::format("hair {}", k);
    const Vec3d root = HairOnHead::root * direction(k, scene.hairs);
    const Vec3d tip = (1 + HairOnHead::length / HairOnHead::root) * root;
    text += toml(RodText{name, hair().name, HairOnHead::segments, line(root, tip), "clamp = \"start\""});
    if (!turns.empty())
      text += fmt::format("[[drive]]\nrod = \"{}\"\nat = \"start\"\nabout = [0, 0, 0]\n{}", name, turns);
  }
  return text;
}

void hair_on_head(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.friction)
    return findings.not_measured("", fmt::format("the solver \"{}\" has no friction", subject.solver.name));
  // 49 or 50 of 50 steps of 8 ms, before anything touches
  if (!settles_at_once(subject.solver) || takes_a_number_of_iterations(subject.solver))
    return findings.not_measured("",
                                 fmt::format("\"{}\" leaves free hair unsolved in such steps", subject.solver.name));
  if (subject.quick()) return measure(20, 8e-3, subject, findings);
  for (int hairs : {20, 60})
    for (double time_step : {8e-3, 4e-3}) measure(hairs, time_step, subject, findings);
}

}  // namespace tendril::app::physics
