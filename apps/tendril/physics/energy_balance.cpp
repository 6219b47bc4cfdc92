#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "math/quat.h"
#include "physics/case.h"
#include "physics/sliding_rod.h"
#include "rod/energy.h"
#include "rod/momentum.h"

// 4.5: what contact takes. Implicit Euler moves a step with the velocity that it ends with, under the forces that it
// ends with, so kinetic, elastic and gravity's energy fall by what contact takes and by a loss of its own:
//   -Δ(T + E + U) = W_friction + W_normal + ½ Σ m |Δv|² + ½ Σ Δω · I Δω + E_old - E_new - F_elastic · Δx
// the last three being what E has above its tangent. All of it is measured here, and must add up.
//
// Along a level floor friction is the only force, whether the rod slides or begins to roll: what T loses there besides
// the loss of the scheme is the friction work. Motion along the normal does not count.

namespace tendril::app::physics {

namespace {

// of motion along the floor and of the spin, for velocities or for their changes [J]
double level_kinetic(const Simulation& sim, State state) {
  for (Vec3d& v : state.v) v.z = 0;
  for (Vec3d& v : state.body_v) v = {};
  for (Vec3d& omega : state.body_omega) omega = {};
  return kinetic_energy(sim.model(), state, sim.segment_spin());
}

State change(const State& from, const State& to) {
  State out = to;
  for (std::size_t i = 0; i < to.v.size(); ++i) out.v[i] = to.v[i] - from.v[i];
  for (std::size_t s = 0; s < to.omega.size(); ++s) out.omega[s] = to.omega[s] - from.omega[s];
  return out;
}

struct Account {
  double lost = 0;    // of the kinetic energy, but for the loss of the scheme [J]
  double scheme = 0;  // loss of the scheme [J]
  double work = 0;    // of friction, as the simulation has it [J]
};

Account account(Simulation& sim, double seconds) {
  Account sum;
  const double start = level_kinetic(sim, sim.state()), work = sim.contact().friction_work();
  for (long n = std::lround(seconds / sim.time_step()); n > 0; --n) {
    sim.step();
    sum.scheme += level_kinetic(sim, change(sim.state_before(), sim.state()));
  }
  sum.lost = start - level_kinetic(sim, sim.state()) - sum.scheme;
  sum.work = sim.contact().friction_work() - work;
  return sum;
}

// what became of the sum of kinetic, elastic and gravitational energy [J]
struct Balance {
  double lost = 0;                  // by the energies
  double friction = 0, normal = 0;  // of it, to friction and to barriers, as the simulation has it
  double scheme = 0;                // of it, to implicit Euler
  double turnover = 0;              // sum of what each of these was in every step, without sign

  double rest() const { return lost - friction - normal - scheme; }
};

double energy(const Simulation& sim) {
  const Model& model = sim.model();
  return kinetic_energy(model, sim.state(), sim.segment_spin()) + elastic_energy(model, sim.state()) +
         gravity_energy(model, sim.state());
}

// loss of the scheme in the last step
double scheme_loss(const Simulation& sim) {
  const State &from = sim.state_before(), &to = sim.state();
  const Model& model = sim.model();
  State changes = change(from, to);
  for (Vec3d& v : changes.body_v) v = {};
  for (Vec3d& omega : changes.body_omega) omega = {};
  Forces forces = Forces::zero(model);
  add_elastic_forces(model, to, forces);
  double work = 0;
  for (std::size_t i = 0; i < to.x.size(); ++i) work += dot(forces.force[i], to.x[i] - from.x[i]);
  for (std::size_t s = 0; s < to.q.size(); ++s) work += dot(forces.moment[s], turn_between(from.q[s], to.q[s]));
  return kinetic_energy(model, changes, sim.segment_spin()) + elastic_energy(model, from) - elastic_energy(model, to) -
         work;
}

Balance balance(Simulation& sim, double seconds) {
  Balance sum;
  for (long n = std::lround(seconds / sim.time_step()); n > 0; --n) {
    const double before = energy(sim), friction = sim.contact().friction_work(), normal = sim.contact().contact_loss();
    sim.step();
    const Balance step{before - energy(sim), sim.contact().friction_work() - friction,
                       sim.contact().contact_loss() - normal, scheme_loss(sim)};
    sum.lost += step.lost, sum.friction += step.friction, sum.normal += step.normal, sum.scheme += step.scheme;
    sum.turnover += std::abs(step.friction) + std::abs(step.normal) + std::abs(step.scheme);
  }
  return sum;
}

void whole(const SlidingRod& rod, const Subject& subject, Findings& findings) {
  findings.part(describe(rod), [&] {
    const auto sim = thrown(rod, subject.solver);
    const Balance sum = balance(*sim, 0.15);
    findings.compare({describe(rod) + ": energy unaccounted for / energy turned over", "-",
                      fmt::format("lost {:.3g} J: {:.2g} to friction, {:.2g} to barriers, {:.2g} to implicit Euler",
                                  sum.lost, sum.friction, sum.normal, sum.scheme)},
                     sum.rest() / sum.turnover, 0, 1e-3);
  });
}

void sliding(const SlidingRod& rod, const Subject& subject, Findings& findings) {
  findings.part(describe(rod), [&] {
    const auto sim = thrown(rod, subject.solver);
    const Account sum = account(*sim, 0.15);
    findings.compare({describe(rod) + ": friction work / kinetic energy lost", "-",
                      fmt::format("lost {:.3g} J, besides {:.2g} J by implicit Euler", sum.lost, sum.scheme)},
                     sum.work / sum.lost, 1, 0.01);
  });
}

// A cylinder thrown across its axis without spin rolls in the end with 2/3 of its speed: friction took a third of its
// kinetic energy, m v0² / 6.
void bowled(double time_step, const Subject& subject, Findings& findings) {
  const RealMaterial log{"log", 1e8, 0.3, 700, 0.02};
  const std::string what = fmt::format("log bowled at 1 m/s, h = {:g} ms", 1e3 * time_step);
  findings.part(what, [&] {
    const LoadedScene loaded = load_scene_text(
        toml(World{time_step}) + toml(log, 0.3) +
            toml(RodText{"rod", log.name, 4, line({0, 0, 1.05 * log.radius}, {0, 0.2, 1.05 * log.radius})}) +
            "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nfriction = 0.3\n",
        "validate", {}, subject.solver.name);
    Simulation still = simulation(loaded, loaded.baked.state);
    while (still.time() < 0.3) still.step();
    State start = still.state();
    for (Vec3d& v : start.v) v = {1, 0, 0};
    for (Vec3d& omega : start.omega) omega = {};
    Simulation sim = simulation(loaded, std::move(start));
    const double mass = mass_of(sim.model(), sim.model().rods.front());
    const Account sum = account(sim, 0.2);
    findings.compare({what + ": friction work / kinetic energy lost", "-", ""}, sum.work / sum.lost, 1, 0.01);
    findings.compare({what + ": energy lost, with the scheme's / (m v0² / 6)", "-",
                      fmt::format("implicit Euler's share {:.2g}", sum.scheme / (sum.lost + sum.scheme))},
                     (sum.lost + sum.scheme) / (mass / 6), 1, 0.01);
  });
}

}  // namespace

void energy_balance(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.friction)
    return findings.not_measured("", fmt::format("the solver \"{}\" has no friction", subject.solver.name));
  for (const RealMaterial& material : real_materials())
    for (double time_step : {5e-3, 1e-3})
      for (double fall : {2e-3, 0.0}) {
        if (subject.quick() && time_step < 5e-3) continue;
        sliding({material, Floor::plane, time_step, fall}, subject, findings);
        whole({material, Floor::plane, time_step, fall}, subject, findings);
        whole({material, Floor::jointed_rails, time_step, fall}, subject, findings);
      }
  if (!subject.solver.capabilities.rotational_inertia)
    return findings.not_measured("bowled log",
                                 fmt::format("the solver \"{}\" has no rotational inertia", subject.solver.name));
  for (double time_step : {5e-3, 1e-3}) bowled(time_step, subject, findings);
}

}  // namespace tendril::app::physics
