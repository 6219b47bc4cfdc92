#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/helical_spring.h"
#include "physics/oscillation.h"

// 2.10: Wilberforce's pendulum. A bob on a helical spring that moves up and down begins to turn to and fro, because the
// spring turns as it stretches; when both motions have one frequency ω0 = √(k_zz/m) all energy goes over and comes
// back. √m z ± √I φ swing with ω0 √(1 ± k_zφ/√(k_zz k_φφ)).

namespace tendril::app::physics {

namespace {

using std::numbers::pi;

struct Swing {
  std::vector<double> sum, difference;  // √m z ± √I φ
  double in_rotation = 0;               // share of the energy, half a beat after the start
};

Swing swing(const Spring& spring, const LoadedScene& loaded, double half_beat, double seconds) {
  Simulation rod = simulation(loaded, loaded.baked.state);
  const int bob = Spring::bob(rod.model());
  const double start = rod.state().body_x[bob].z, m = Spring::mass, I = spring.tuned_inertia();
  Swing seen;
  for (double h = rod.time_step(); rod.time() < seconds; rod.step()) {
    const State& now = rod.state();
    const double z = now.body_x[bob].z - start, phi = quaternion_log(now.body_q[bob]).z;
    seen.sum.push_back(std::sqrt(m) * z + std::sqrt(I) * phi);
    seen.difference.push_back(std::sqrt(m) * z - std::sqrt(I) * phi);
    if (std::abs(rod.time() - half_beat) > h / 2) continue;
    const double rise = m * std::pow(now.body_v[bob].z, 2) + spring.k_zz() * z * z;
    const double turn = I * std::pow(now.body_omega[bob].z, 2) + spring.k_phi() * phi * phi;
    seen.in_rotation = turn / (rise + turn);
  }
  return seen;
}

void measure(double degrees, const Subject& subject, Findings& findings) {
  const Spring spring{degrees * pi / 180};
  const int order = orders_in_time(subject.solver).back();
  const double h = order == 1 ? 5e-4 : 1e-3, omega = std::sqrt(spring.k_zz() / Spring::mass);
  const double f1 = omega / (2 * pi) * std::sqrt(1 - std::abs(spring.coupling()));
  const double f2 = omega / (2 * pi) * std::sqrt(1 + std::abs(spring.coupling()));
  const double beat = 1 / (f2 - f1);

  RodScene scene = spring.scene(h, 4e-4 * omega);
  scene.tables += solved_to(subject.solver, 1e-6, 1000, order);
  const Stopwatch stopwatch;
  const LoadedScene loaded = load(scene, subject.solver);
  const double periods = subject.quick() ? 5 : 20.5;
  const Swing seen = swing(spring, loaded, beat / 2, std::max(periods / f1, 0.51 * beat));
  double f[] = {oscillation(seen.sum, h).omega / (2 * pi), oscillation(seen.difference, h).omega / (2 * pi)};
  if (f[0] > f[1]) std::swap(f[0], f[1]);
  const std::string what = fmt::format("α = {}°, N = {}, h = {:g} s", degrees, Spring::segments, h);
  findings.compare({what + ": f1", "Hz", fmt::format("order {}, {:.2g} s", order, stopwatch.seconds())}, f[0], f1,
                   5e-3);
  findings.compare({what + ": f2", "Hz", ""}, f[1], f2, 5e-3);
  findings.compare({what + ": beat", "s", ""}, 1 / (f[1] - f[0]), beat, 0.02);
  findings.compare({what + ": energy in rotation after half a beat", "-", ""}, seen.in_rotation, 1, 0.01);
}

}  // namespace

void wilberforce(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver))
    return findings.not_measured("frequencies and beat", "sweeps solve the steps too slowly");
  for (double degrees : {20.0, 10.0, 5.0}) {
    if (subject.quick() && degrees < 20) continue;
    findings.part(fmt::format("α = {}°", degrees), [&] { measure(degrees, subject, findings); });
  }
}

}  // namespace tendril::app::physics
