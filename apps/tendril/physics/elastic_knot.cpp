#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/rod_scene.h"

// 2.12: an overhand knot in a thin rod, pulled at both ends without friction. A loop of radius R has the energy πB/R
// and shortens the rod by 2πR, so it balances the tension T = B/2R² in the limit of a rod much thinner than its loop:
//   T R²/B = 1/2 + O(√(r/R))

namespace tendril::physics {

namespace {

constexpr double radius = 0.5e-3, young = 1e9;               // [m, Pa]
constexpr double area = std::numbers::pi * radius * radius;  // [m²]
constexpr double B = young * area * radius * radius / 4;     // [N m²]

// a tension by the radius that the loop of an infinitely thin rod would have
struct Pull {
  double R = 0;  // [m]
  double tension() const { return B / (2 * R * R); }
  // the strands touch along a few √(r R)
  double segment_length() const { return 0.28 * std::sqrt(radius * R); }
};

// Starts with a loop that is too small or too large. The corners of the segments catch on each other and hold the loop
// somewhat before it is where the smooth rod would have it, from either side.
enum class From { small_loop, large_loop };

RodScene scene(const Pull& pull, From from) {
  constexpr double length = 17, knot_over_size = 2.61;  // of the rod over R, of the knotted part over its size
  const double size = from == From::small_loop ? 3.6 : 5.2;
  RodScene scene;
  scene.time_step = 1e-3;
  scene.EA = scene.GA = young * area;
  scene.EI = scene.GJ = B;
  scene.linear_density = 1e-3;
  scene.radius = radius;
  scene.contact = true;
  scene.segments = int(length * pull.R / pull.segment_length());
  scene.curve = fmt::format("{{ type = \"knot\", size = {:.17g}, tail = {:.17g} }}", size * pull.R,
                            (length - knot_over_size * size) / 2 * pull.R);
  scene.support = "rest = \"straight\"\npin = [\"start\"]";
  scene.tables = "[[hold]]\nrod = \"rod\"\nat = \"end\"\nposition = \"yz\"\n" + tip_force({pull.tension(), 0, 0});
  return scene;
}

struct Knot {
  double R = 0;    // of the loop [m]
  double gap = 0;  // the smallest [m]
  double law(const Pull& pull) const { return pull.tension() * R * R / B; }
};

// the loop runs along the rod from the middle of where it touches itself to the middle of where it is touched
double loop_radius(const Simulation& rod) {
  double force = 0, moment = 0;
  for (const Pair& pair : rod.contact().pairs()) {
    const double push = -pair.barrier.at(pair.gap).slope, l = rod.model().segments[pair.a].rest_length;
    force += push;
    moment += push * l * std::abs(pair.a + pair.weight[1] - (pair.b - pair.weight[3]));
  }
  return moment / force / (2 * std::numbers::pi);
}

Knot tied(const Pull& pull, From from, const Subject& subject) {
  const double tolerance = subject.quick() ? 1e-3 : 1e-4;
  RodScene exact = scene(pull, from);
  exact.tables += solved_to(subject.solver, 0.05 * tolerance, 1000);
  const LoadedScene loaded = load(exact, subject.solver);
  Simulation rod = simulation(loaded, loaded.baked.state);
  const SettleReport report = rod.settle({.tolerance = tolerance});
  if (!report.settled)
    throw SimulationFailed(fmt::format("the knot does not come to rest: {} ({} steps)", report.message, report.steps));
  return {loop_radius(rod), rod.contact().smallest_gap()};
}

// where the straight line that fits best meets x = 0
double at_zero(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = double(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) sx += x[k], sy += y[k], sxx += x[k] * x[k], sxy += x[k] * y[k];
  return (sy * sxx - sx * sxy) / (n * sxx - sx * sx);
}

}  // namespace

void elastic_knot(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.contact)
    return findings.not_measured("", fmt::format("the solver \"{}\" has no contact", subject.solver.name));
  const Stopwatch stopwatch;
  std::vector<double> thickness, law;  // √(r/R), T R²/B
  std::string found;
  double gap = forever;
  for (double R : subject.quick() ? std::vector{0.01} : std::vector{0.01, 0.016, 0.025}) {
    const Pull pull{R};
    const Knot tight = tied(pull, From::small_loop, subject), loose = tied(pull, From::large_loop, subject);
    thickness.push_back(std::sqrt(radius / ((tight.R + loose.R) / 2)));
    law.push_back((tight.law(pull) + loose.law(pull)) / 2);
    found += fmt::format("{:.3f} ± {:.3f} at R = {:.3g} mm, ", law.back(), (loose.law(pull) - tight.law(pull)) / 2,
                         500 * (tight.R + loose.R));
    gap = std::min({gap, tight.gap, loose.gap});
  }
  const std::string cost = fmt::format("{}{:.2g} s", found, stopwatch.seconds());
  // the corners of segments pin the loop: from below and from above it comes to rest by more than 0.03 apart, so that
  // the mean of both is no measurement to that precision
  if (law.size() > 1)
    findings.not_measured("μ = 0: T R²/B for r/R → 0, linear in √(r/R)",
                          fmt::format("corners pin the loop by more than the 0.03 allowed; reference 0.5, means give "
                                      "{:.3f}: {}",
                                      at_zero(thickness, law), cost));
  findings.compare({"μ = 0: penetration / r", "-",
                    fmt::format("smallest gap {:.2g} r; {}", gap / radius, law.size() > 1 ? "" : cost)},
                   std::max(0.0, -gap) / radius, 0, 0.01);
  findings.not_measured("μ > 0: tightening and loosening",
                        "the corners of segments hold the loop as much as friction does");
}

}  // namespace tendril::physics
