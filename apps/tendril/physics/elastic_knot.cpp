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

// A tension by the radius that the loop of an infinitely thin rod would have. The knot finds its size while it swings
// and its swinging is damped, in a time that grows with R²; long steps would leave it wherever a contact holds it.
struct Pull {
  double R = 0;  // [m]
  double tension() const { return B / (2 * R * R); }
  // the strands touch along a few √(r R)
  double segment_length() const { return 0.28 * std::sqrt(radius * R); }
  double slower() const { return R * R / (0.01 * 0.01); }  // than one of 10 mm
  double time_step() const { return 2e-4 * slower(); }     // [s]
  double damping() const { return 150 / slower(); }        // [1/s]
};
constexpr int steps = 300;     // in which e⁻⁴·⁵ of the swinging is left
constexpr int measured = 100;  // of them: strands that hit each other push now here, now there

// starts with a loop that is too small or too large, so that what holds it before it is at its place shows
enum class From { small_loop, large_loop };

RodScene scene(const Pull& pull, From from) {
  constexpr double length = 17, knot_over_size = 2.61;  // of the rod over R, of the knotted part over its size
  const double size = from == From::small_loop ? 3.6 : 5.2;
  RodScene scene;
  scene.time_step = pull.time_step();
  scene.EA = scene.GA = young * area;
  scene.EI = scene.GJ = B;
  scene.linear_density = 1e-3;
  scene.radius = radius;
  scene.contact = true;
  scene.segments = int(length * pull.R / pull.segment_length());
  scene.curve = fmt::format("{{ type = \"knot\", size = {:.17g}, tail = {:.17g} }}", size * pull.R,
                            (length - knot_over_size * size) / 2 * pull.R);
  scene.material = fmt::format("damping = {:.17g}", pull.damping());
  scene.support = "rest = \"straight\"\npin = [\"start\"]";
  scene.tables = "[[hold]]\nrod = \"rod\"\nat = \"end\"\nposition = \"yz\"\n" + tip_force({pull.tension(), 0, 0});
  return scene;
}

struct Knot {
  double R = 0;    // of the loop [m]
  double gap = 0;  // the smallest [m]
  double law(const Pull& pull) const { return pull.tension() * R * R / B; }
};

// The loop runs along the rod from the middle of where it touches itself to the middle of where it is touched, by the
// forces there over some time.
class LoopRadius {
 public:
  void see(const Simulation& rod) {
    for (const Pair& pair : rod.contact().pairs()) {
      const double push = -pair.barrier.at(pair.gap).slope, l = rod.model().segments[pair.a].rest_length;
      force_ += push;
      moment_ += push * l * std::abs(pair.a + pair.weight[1] - (pair.b - pair.weight[3]));
    }
  }
  double mean() const { return moment_ / force_ / (2 * std::numbers::pi); }  // [m]

 private:
  double force_ = 0, moment_ = 0;
};

Knot tied(const Pull& pull, From from, const Subject& subject) {
  RodScene damped = scene(pull, from);
  damped.tables += solved_to(subject.solver, 1e-5, 60);
  const LoadedScene loaded = load(damped, subject.solver);
  Simulation rod = simulation(loaded, loaded.baked.state);
  Knot knot{0, forever};
  LoopRadius loop;
  for (int n = 0; n < steps; ++n) {
    rod.step();
    knot.gap = std::min(knot.gap, rod.contact().smallest_gap());
    if (n >= steps - measured) loop.see(rod);
  }
  knot.R = loop.mean();
  return knot;
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
  if (!settles_at_once(subject.solver))
    return findings.not_measured(
        "", fmt::format("the solver \"{}\" does not solve these steps: about 1000 sweeps left a residual of 0.02",
                        subject.solver.name));
  const Stopwatch stopwatch;
  std::vector<double> thickness, law;  // √(r/R), T R²/B
  std::string found;
  double gap = forever;
  const std::vector<double> radii = subject.quick() ? std::vector{0.01} : std::vector{0.01, 0.016, 0.025, 0.04, 0.06};
  for (double R : radii) {
    const Pull pull{R};
    const Knot knot = tied(pull, From::large_loop, subject);
    thickness.push_back(std::sqrt(radius / knot.R));
    law.push_back(knot.law(pull));
    found += fmt::format("{:.3f} at R = {:.3g} mm, ", law.back(), 1e3 * knot.R);
    gap = std::min(gap, knot.gap);
  }
  const std::string cost = fmt::format("{}{:.2g} s", found, stopwatch.seconds());
  if (law.size() > 1) {
    findings.compare({"μ = 0: T R²/B for r/R → 0, linear in √(r/R)", "-", cost}, at_zero(thickness, law), 0.5, 0.06);
    const Pull pull{radii[0]};
    findings.compare({"μ = 0: T R²/B of a loop that grows less that of one that shrinks", "-", ""},
                     tied(pull, From::small_loop, subject).law(pull) - law[0], 0, 0.03);
  }
  findings.compare({"μ = 0: penetration / r", "-",
                    fmt::format("smallest gap {:.2g} r; {}", gap / radius, law.size() > 1 ? "" : cost)},
                   std::max(0.0, -gap) / radius, 0, 0.01);
  findings.not_measured("μ > 0: tightening and loosening",
                        "the steps of the segments' corners hold the loop by about as much as friction does");
}

}  // namespace tendril::physics
