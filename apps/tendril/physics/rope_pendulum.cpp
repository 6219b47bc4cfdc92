#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/oscillation.h"
#include "physics/rod_scene.h"

// 3.2: a rope that hangs from a pin swings in modes J0(j sqrt(1 - depth/L)) with ω = (j/2) sqrt(g/L), j a zero of J0.

namespace tendril::app::physics {

namespace {

constexpr double g = 9.81, length = 1, density = 0.1;  // [m/s², m, kg/m]
constexpr double weight = density * g * length;        // [N]
constexpr int segments = 100;

struct Mode {
  int number;
  double zero;       // j
  double time_step;  // [s]; implicit Euler lowers the frequency by (ω h)²/3
  double tolerance;
};
constexpr Mode first{1, 2.40482556, 4e-3, 3e-3}, second{2, 5.52007811, 2e-3, 3e-3}, third{3, 8.65372791, 1e-3, 1e-2};

// the rope in the mode's shape, 5e-3 L at the tip; the stretch by its weight, 5e-4, lowers the frequency by half of
// that at most
RodScene scene(const Mode& mode, const SolverInfo& solver) {
  RodScene scene;
  scene.time_step = mode.time_step;
  scene.gravity = {0, 0, -g};
  scene.EA = scene.GA = 1e3 * weight;
  scene.EI = scene.GJ = 1e-7 * weight * length * length;
  scene.linear_density = density;
  scene.segments = segments;
  std::string points;
  for (int i = 0; i <= segments; ++i) {
    const double depth = length * i / segments;
    const double swing = 5e-3 * length * std::cyl_bessel_j(0, mode.zero * std::sqrt(1 - depth / length));
    points += toml(Vec3d{i == 0 ? 0 : swing, 0, -depth}) + ", ";
  }
  scene.curve = fmt::format("{{ type = \"polyline\", points = [{}] }}", points);
  scene.support = "pin = [\"start\"]\nrest = \"straight\"";
  // its weight makes it bounce in length; implicit Euler damps that, what does not is given internal damping, which a
  // rope that only swings does not feel
  if (orders_in_time(solver).front() > 1) scene.material = "internal_damping = 0.01";
  // the forces that swing it are 1e-4 of its tension
  scene.tables = solved_to(solver, 1e-7, 10000);
  return scene;
}

void measure(const Mode& mode, const Subject& subject, Findings& findings) {
  const double omega = mode.zero / 2 * std::sqrt(g / length);
  const LoadedScene loaded = load(scene(mode, subject.solver), subject.solver);
  const Stopwatch stopwatch;
  Simulation rope = simulation(loaded, loaded.baked.state);
  std::vector<double> tip;
  const double periods = subject.quick() ? 2 : 4;
  const auto steps = std::lround(periods * 2 * std::numbers::pi / omega / mode.time_step);
  for (long n = 0; n < steps; ++n) {
    tip.push_back(rope.state().x[segments].x);
    rope.step();
  }
  const Oscillation seen = oscillation(tip, mode.time_step);
  findings.compare({fmt::format("mode {}, N = {}, h = {:g} s: ω", mode.number, segments, mode.time_step), "rad/s",
                    fmt::format("{} periods, {} steps, {:.2g} s", seen.periods, steps, stopwatch.seconds())},
                   seen.omega, omega, mode.tolerance);
}

}  // namespace

void rope_pendulum(const Subject& subject, Findings& findings) {
  findings.part("mode 1", [&] { measure(first, subject, findings); });
  if (subject.quick()) return;
  if (settles_at_once(subject.solver)) findings.part("mode 2", [&] { measure(second, subject, findings); });
  findings.part("mode 3", [&] { measure(third, subject, findings); });
}

}  // namespace tendril::app::physics
