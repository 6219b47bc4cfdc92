#include <fmt/format.h>

#include <cmath>

#include "physics/case.h"
#include "physics/sliding_rod.h"

// 4.4: the law of Coulomb in impulses. While a rod slides over a level floor
//   J_t = μ J_n,   J_n = Δp_z + m g t,   J_t = -Δp_x
// over any interval, impacts included, for every material.

namespace tendril::app::physics {

namespace {

constexpr double seconds = 0.15;  // from 2 to 1.4 m/s

struct Impulses {
  double normal = 0, tangential = 0;  // [N s]
  double stopped = forever;           // when it stopped to slide [s]
  StepTally tally;
};

Impulses impulses_of(const SlidingRod& rod, const SolverInfo& solver) {
  const auto sim = thrown(rod, solver);
  const Rod& slider = sim->model().rods.front();
  const double mass = mass_of(sim->model(), slider), weight = mass * standard_gravity;
  Impulses sum;
  Vec3d momentum = momentum_of(sim->model(), slider, sim->state());
  for (long n = std::lround(seconds / rod.time_step); n > 0 && sum.stopped == forever; --n) {
    sum.tally.take(sim->step());
    const Vec3d now = momentum_of(sim->model(), slider, sim->state()), change = now - momentum;
    sum.normal += change.z + weight * rod.time_step;
    sum.tangential -= change.x;
    momentum = now;
    if (now.x < 0.05 * rod.speed * mass) sum.stopped = sim->time();
  }
  return sum;
}

void ratio(const SlidingRod& rod, const Subject& subject, Findings& findings) {
  findings.part(describe(rod), [&] {
    const Stopwatch stopwatch;
    const Impulses sum = impulses_of(rod, subject.solver);
    const std::string stop = sum.stopped < forever ? fmt::format("stops at {:g} s, ", sum.stopped) : "";
    findings.compare({describe(rod) + ": J_t / J_n", "-",
                      fmt::format("{}smallest gap {:.2g} r, {} of {} steps unsolved, {:.1f} iterations, {:.2g} s", stop,
                                  sum.tally.smallest_gap / rod.material.radius, sum.tally.unsolved, sum.tally.steps,
                                  sum.tally.mean_iterations(), stopwatch.seconds())},
                     sum.tangential / sum.normal, rod.friction, 0.01);
  });
}

}  // namespace

void landing_friction(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.friction)
    return findings.not_measured("", fmt::format("the solver \"{}\" has no friction", subject.solver.name));
  for (Floor floor : {Floor::plane, Floor::box, Floor::body, Floor::rails, Floor::jointed_rails})
    for (const RealMaterial& material : real_materials())
      for (double time_step : {5e-3, 1e-3})
        for (double fall : {2e-3, 0.0}) {
          const bool is_quick = (floor == Floor::plane || floor == Floor::jointed_rails) && time_step == 5e-3;
          if (subject.quick() && !is_quick) continue;
          ratio({material, floor, time_step, fall}, subject, findings);
        }
}

}  // namespace tendril::app::physics
