#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/orbital_momentum.h"
#include "physics/rod_scene.h"
#include "rod/energy.h"
#include "rod/momentum.h"

// 4.3: what contact must leave alone. Two free rods hit each other, and a stack of rods lies still.

namespace tendril::app::physics {

namespace {

constexpr double length = 0.2, radius = 2e-3;  // [m]
constexpr double reach = 0.1 * radius;         // of the barrier [m]
constexpr int segments = 20;

RodScene rods(const SolverInfo& solver, double unsolved) {
  RodScene scene;
  scene.time_step = 1e-3;
  scene.EA = scene.GA = 1e3;
  scene.EI = 1e-3, scene.GJ = 0.8e-3;
  scene.linear_density = 0.05;
  scene.radius = radius;
  scene.contact = true;
  scene.segments = segments;
  scene.tables = solved_to(solver, unsolved, 3000);
  return scene;
}

// a further rod
std::string rod(const std::string& name, const Vec3d& from, const Vec3d& to, const Vec3d& velocity) {
  return fmt::format("[[rod]]\nname = \"{}\"\nmaterial = \"elastic\"\nsegments = {}\ncurve = {}\nvelocity = {}\n", name,
                     segments, line(from, to), toml(velocity));
}

// barriers and weight included [J]
double energy(const Simulation& sim) {
  double sum = kinetic_energy(sim.model(), sim.state(), sim.segment_spin()) + elastic_energy(sim.model(), sim.state()) +
               gravity_energy(sim.model(), sim.state());
  for (const Pair& pair : sim.contact().pairs()) sum += pair.barrier.at(pair.gap).energy;
  return sum;
}

// whether the second rod is below the first one where they cross, seen from above
bool passed_through(const Simulation& sim) {
  const std::vector<Vec3d>& x = sim.state().x;
  const auto turn = [](const Vec3d& a, const Vec3d& b) { return a.x * b.y - a.y * b.x; };
  for (const Segment& a : sim.model().segments)
    for (const Segment& b : sim.model().segments) {
      if (a.rod != 0 || b.rod != 1) continue;
      const Vec3d from_b = x[b.vertex[0]] - x[a.vertex[0]];
      const Vec3d u = x[a.vertex[1]] - x[a.vertex[0]], v = x[b.vertex[1]] - x[b.vertex[0]];
      const double s = turn(from_b, v) / turn(u, v), t = turn(from_b, u) / turn(u, v);
      if (s >= 0 && s <= 1 && t >= 0 && t <= 1) return from_b.z + t * v.z < s * u.z;
    }
  return false;
}

struct Impact {
  double degrees = 0;  // between the rods
  double speed = 0;    // at which they approach [m/s]
  double friction = 0;
};

// one rod lies along x, the other one comes from above and hits it off both middles, both drift
RodScene scene(const Impact& impact, const SolverInfo& solver) {
  RodScene scene = rods(solver, settles_at_once(solver) ? 1e-14 : 1e-11);  // Newton finds the last digit, too
  scene.friction = impact.friction;
  const Vec3d along{std::cos(impact.degrees * std::numbers::pi / 180),
                    std::sin(impact.degrees * std::numbers::pi / 180), 0};
  const Vec3d start = Vec3d{0.03, 0, 2.6 * radius} - 0.4 * length * along, drift{0.1, 0.2, 0};
  scene.curve = line({-length / 2, 0, 0}, {length / 2, 0, 0});
  scene.support = fmt::format("velocity = {}", toml(drift + Vec3d{0, 0, impact.speed / 2}));
  scene.tables += rod("other", start, start + length * along, drift - Vec3d{0.05, 0, impact.speed / 2});
  return scene;
}

void measure(const Impact& impact, const Subject& subject, Findings& findings) {
  const LoadedScene loaded = load(scene(impact, subject.solver), subject.solver);
  const Stopwatch stopwatch;
  Simulation sim = simulation(loaded, loaded.baked.state);
  const Model& model = sim.model();
  const State start = sim.state();
  const Vec3d momentum = linear_momentum(model, start), orbit = orbital_momentum(model, start);
  const double energy_at_start = energy(sim), scale = impetus(model, start);
  Vec3d off_orbit;
  double drift = 0, gain = 0, own_error = 0, turned = 0, gap = forever;
  int touches = 0, unsolved = 0;
  const int steps = subject.quick() ? 40 : 150;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = sim.step();
    off_orbit += orbit_changed_by_contact(sim, report);
    const Vec3d now = orbital_momentum(model, sim.state());
    drift = std::max(drift, norm(linear_momentum(model, sim.state()) - momentum) / scale);
    own_error = std::max(own_error, norm(off_orbit) / (scale * length));
    turned = std::max(turned, norm(now - orbit) / (scale * length));
    gain = std::max(gain, energy(sim) / energy_at_start - 1);
    gap = std::min(gap, report.smallest_gap);
    touches += report.contacts > 0, unsolved += !report.converged;
  }
  const std::string what = fmt::format("{:g}°, {:g} m/s{}", impact.degrees, impact.speed,
                                       impact.friction > 0 ? fmt::format(", μ = {}", impact.friction) : "");
  findings.compare(
      {what + ": linear momentum off / Σ m |v|", "-",
       fmt::format("{} of {} steps touch, {} unsolved, {:.2g} s", touches, steps, unsolved, stopwatch.seconds())},
      drift, 0, 1e-10);
  findings.compare({what + ": penetration / r", "-", fmt::format("smallest gap {:.2g} r", gap / radius)},
                   std::max(0.0, -gap) / radius, 0, 0);
  if (impact.degrees > 0)  // those that lie side by side may roll around each other
    findings.compare({what + ": rods that passed through each other", "-", ""}, passed_through(sim), 0, 0);
  findings.compare({what + ": energy gained, relative", "-", ""}, gain, 0, 1e-6);
  if (impact.friction > 0) return;
  findings.compare(
      {what + ": angular momentum changed by contact / Σ m |v| L", "-",
       fmt::format("beyond implicit Euler's own h Σ m v_new × v_old and what spin loses; off its start by {:.2g}",
                   turned)},
      own_error, 0, 1e-10);
}

// three layers of two rods, each across the one below
RodScene stacked(const SolverInfo& solver) {
  RodScene scene = rods(solver, 1e-7);
  scene.time_step = 2e-3;
  scene.gravity = {0, 0, -9.81};
  scene.friction = 0.3;
  const double apart = 0.3 * length, half = length / 2, gap = 1.01 * reach;
  const auto height = [&](int layer) { return (2 * layer + 1) * radius + (layer + 1) * gap; };
  scene.curve = line({-half, -apart, height(0)}, {half, -apart, height(0)});
  scene.tables += "[[obstacle]]\nshape = \"plane\"\nfriction = 0.3\n";
  for (int k = 1; k < 6; ++k) {
    const int layer = k / 2;
    const double side = k % 2 ? apart : -apart, z = height(layer);
    const bool along_x = layer % 2 == 0;
    scene.tables += rod(fmt::format("rod {}", k), along_x ? Vec3d{-half, side, z} : Vec3d{side, -half, z},
                        along_x ? Vec3d{half, side, z} : Vec3d{side, half, z}, {});
  }
  return scene;
}

}  // namespace

void collision(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.contact)
    return findings.not_measured("", fmt::format("the solver \"{}\" has no contact", subject.solver.name));
  std::vector<Impact> impacts{{90, 1}};
  if (!subject.quick()) impacts = {{90, 1}, {90, 10}, {30, 1}, {5, 2}, {0, 1}, {30, 2, 0.4}};
  for (const Impact& impact : impacts)
    findings.part(fmt::format("{:g}°, {:g} m/s", impact.degrees, impact.speed),
                  [&] { measure(impact, subject, findings); });
}

void stack(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.contact)
    return findings.not_measured("", fmt::format("the solver \"{}\" has no contact", subject.solver.name));
  const LoadedScene loaded = load(stacked(subject.solver), subject.solver);
  const Stopwatch stopwatch;
  Simulation sim = simulation(loaded, loaded.baked.state);
  const double seconds = subject.quick() ? 0.2 : 3, start = energy(sim);
  double most = start, gap = forever, weight = 0;
  for (const Vertex& vertex : sim.model().vertices) weight += 9.81 * vertex.mass;
  int unsolved = 0;
  for (int n = int(std::lround(seconds / sim.time_step())); n > 0; --n) {
    const StepReport report = sim.step();
    most = std::max(most, energy(sim)), gap = std::min(gap, report.smallest_gap), unsolved += !report.converged;
  }
  double largest = 0;  // of those that carry
  for (const Pair& pair : sim.contact().pairs())
    if (pair.gap < pair.barrier.reach) largest = std::max(largest, pair.gap);
  findings.compare(
      {"stack: penetration / r", "-",
       fmt::format("smallest gap {:.2g} r, {:.2g} s, {} steps unsolved", gap / radius, stopwatch.seconds(), unsolved)},
      std::max(0.0, -gap) / radius, 0, 0.01);
  findings.compare({"stack: largest gap that carries / reach of the barrier", "-", ""}, largest / reach, 0, 1);
  findings.compare({fmt::format("stack: energy gained in {:g} s / weight · r", seconds), "-", ""},
                   (most - start) / (weight * radius), 0, 1e-6);
  if (subject.quick()) return;  // it still trembles
  findings.compare({fmt::format("stack: kinetic energy after {:g} s / weight · r", seconds), "-", ""},
                   kinetic_energy(sim.model(), sim.state(), sim.segment_spin()) / (weight * radius), 0, 1e-6);
}

}  // namespace tendril::app::physics
