#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/bifurcation.h"
#include "physics/case.h"
#include "physics/rod_scene.h"

// 2.8: a straight rod is bent into a ring, one end turned by Φ and glued to the other. It leaves its plane when
// Φ > 2π √3 EI/GJ (Michell 1890), whatever its radius.

namespace tendril::app::physics {

namespace {

using std::numbers::pi;

constexpr double radius = 0.1;                               // [m]
constexpr double EI = 1.570796e-3, linear_density = 3.6e-3;  // [N m², kg/m]

const double time_step = 0.1 * radius * radius * std::sqrt(linear_density / EI);  // [s]

struct Ring {
  double poisson_ratio;
  double twist;  // [rad]
  int segments = 100;

  double ratio() const { return 1 + poisson_ratio; }  // EI/GJ
  double critical() const { return 2 * pi * std::sqrt(3.0) * ratio(); }
};

RodScene scene(const Ring& ring, const SolverInfo& solver) {
  RodScene scene;
  scene.time_step = time_step;
  scene.EA = scene.GA = 1e5 * EI / (radius * radius);
  scene.EI = EI, scene.GJ = EI / ring.ratio();
  scene.linear_density = linear_density;
  scene.segments = ring.segments;
  scene.curve = fmt::format("{{ type = \"circle\", center = [0, 0, 0], axis = [0, 0, 1], radius = {} }}", radius);
  scene.support = fmt::format("rest = \"straight\"\ntwist = {:.17g}", ring.twist);
  scene.tables = solved_to(solver, 1e-9, 1000, 1);
  return scene;
}

// waves of 1e-4 of the radius out of the plane, two and three to the ring
bool is_unstable(const Ring& ring, const SolverInfo& solver) {
  const LoadedScene loaded = load(scene(ring, solver), solver);
  const auto out_of_plane = [](double fraction) {
    const double a = 2 * pi * fraction;
    return Vec3d{0, 0, 1e-4 * radius * (std::cos(2 * a + 0.7) + 0.3 * std::cos(3 * a + 2))};
  };
  Simulation rod = simulation(loaded, displaced(loaded.baked.model, loaded.baked.state, out_of_plane));
  return grows(rod, 1000, [](const State& state) {
    double largest = 0;
    for (const Vec3d& x : state.x) largest = std::max(largest, std::abs(x.z));
    return largest;
  });
}

double critical_twist(Ring ring, double precision, const Subject& subject, Findings& findings) {
  const Stopwatch stopwatch;
  const double reference = ring.critical();
  const double found = critical_value(
      {0.9 * reference, 1.15 * reference},
      [&](double twist) {
        ring.twist = twist;
        return is_unstable(ring, subject.solver);
      },
      precision);
  findings.compare({fmt::format("ν = {:g}, N = {}: critical twist", ring.poisson_ratio, ring.segments), "rad",
                    fmt::format("h = {:.3g} s; {:.2g} s", time_step, stopwatch.seconds())},
                   found, reference, 0.01 * std::max(1.0, std::pow(100.0 / ring.segments, 2)));
  return found;
}

}  // namespace

void michell_ring(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver))
    return findings.not_measured("critical twist", "sweeps solve the steps too slowly");
  for (double poisson_ratio : {0.0, 0.3, 0.5}) {
    if (subject.quick() && poisson_ratio != 0.3) continue;
    Ring ring{poisson_ratio, 0};
    for (double share : {0.98, 1.02}) {
      ring.twist = share * ring.critical();
      findings.compare(
          {fmt::format("ν = {:g}, N = {}: unstable at {} of the twist", poisson_ratio, ring.segments, share), "-", ""},
          is_unstable(ring, subject.solver), share > 1, 0);
    }
    if (!subject.quick()) critical_twist(ring, 1e-4, subject, findings);
  }
  if (subject.quick()) return;
  double found[3];
  for (int k = 0; k < 3; ++k) found[k] = critical_twist({0.3, 0, 20 << k}, 1e-5, subject, findings);
  findings.order("ν = 0.3: order in N", found[0], found[1], found[2], 1.9);
}

}  // namespace tendril::app::physics
