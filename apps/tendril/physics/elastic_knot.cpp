#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/rod_scene.h"
#include "rod/energy.h"

// 2.12: an overhand knot in a thin rod, pulled at both ends without friction. A loop of radius R has the energy πB/R
// and shortens the rod by 2πR, so it balances the tension T = B/2R² in the limit of a rod much thinner than its loop:
//   T R²/B = 1/2 + O(√(r/R))
// The ends are drawn apart from one place to another and T = dE/dD, from the energies at rest. Where the strands cross,
// the corners of one catch at those of the other: a loop under a given tension stays where a corner holds it, and the
// tension of a given loop swings about its mean. Between two loops several segments apart the corners do not count.

namespace tendril::app::physics {

namespace {

constexpr double radius = 0.5e-3, young = 1e9;               // [m, Pa]
constexpr double area = std::numbers::pi * radius * radius;  // [m²]
constexpr double B = young * area * radius * radius / 4;     // [N m²]

// Two loops, the second an eighth shorter, by the size between theirs. What swings is damped in a time that grows with
// R².
struct Pull {
  double R = 0;  // of the first loop, about [m]
  static Pull around(double R) { return {1.08 * R}; }
  // the strands touch along a few √(r R)
  double segment_length() const { return 0.28 * std::sqrt(radius * R); }
  double length() const { return 17 * R; }                           // of the rod
  double way() const { return 0.12 * 2 * std::numbers::pi * R; }     // of the end, from the first to the second
  double time_step() const { return 2e-4 * R * R / (0.01 * 0.01); }  // [s]
  double damping() const { return 300e-4 / R / R; }                  // [1/s]
};
// in steps
constexpr int drawn_apart = 100, left_alone = 200, measured = 50;

RodScene scene(const Pull& pull) {
  constexpr double knot_over_size = 2.61;  // of the knotted part
  const double size = 5.2 * pull.R, tail = (pull.length() - knot_over_size * size) / 2;
  const double first = (knot_over_size - 1) * size - 2 * std::numbers::pi * pull.R, h = pull.time_step();
  RodScene scene;
  scene.time_step = h;
  scene.EA = scene.GA = young * area;
  scene.EI = scene.GJ = B;
  scene.linear_density = 1e-3;
  scene.radius = radius;
  scene.contact = true;
  scene.segments = int(pull.length() / pull.segment_length());
  scene.curve = fmt::format("{{ type = \"knot\", size = {:.17g}, tail = {:.17g} }}", size, tail);
  scene.material = fmt::format("damping = {:.17g}", pull.damping());
  scene.support = "rest = \"straight\"\npin = [\"start\", \"end\"]";
  scene.tables = fmt::format(
      "[[drive]]\nrod = \"rod\"\nat = \"end\"\n"
      "translate = {{ keys = [[0, 0, 0, 0], [{0:.17g}, {1:.17g}, 0, 0], [{2:.17g}, {1:.17g}, 0, 0], "
      "[{3:.17g}, {4:.17g}, 0, 0]] }}\n",
      drawn_apart * h, first, (drawn_apart + left_alone) * h, (2 * drawn_apart + left_alone) * h, first + pull.way());
  return scene;
}

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

double barrier_energy(const Simulation& rod) {
  double sum = 0;
  for (const Pair& pair : rod.contact().pairs()) sum += pair.barrier.at(pair.gap).energy;
  return sum;
}

// at rest: means over some steps
struct Rest {
  double R = 0;       // of the loop [m]
  double energy = 0;  // [J]
};

struct Knot {
  Rest first, second;
  double gap = forever;  // the smallest on the way [m]
  // B (1/2R₂ - 1/2R₁) / (R₁ - R₂) = B / 2 R₁ R₂ with the energy of circles
  double R() const { return std::sqrt(first.R * second.R); }
  double law(const Pull& pull) const { return (second.energy - first.energy) / pull.way() * R() * R() / B; }
};

Knot tied(const Pull& pull, const Subject& subject) {
  RodScene damped = scene(pull);
  damped.tables += solved_to(subject.solver, 1e-5, 60);
  const LoadedScene loaded = load(damped, subject.solver);
  Simulation rod = simulation(loaded, loaded.baked.state);
  Knot knot;
  for (Rest* rest : {&knot.first, &knot.second}) {
    LoopRadius loop;
    for (int n = 0; n < drawn_apart + left_alone; ++n) {
      rod.step();
      knot.gap = std::min(knot.gap, rod.contact().smallest_gap());
      if (n < drawn_apart + left_alone - measured) continue;
      loop.see(rod);
      rest->energy += (elastic_energy(rod.model(), rod.state()) + barrier_energy(rod)) / measured;
    }
    rest->R = loop.mean();
  }
  return knot;
}

// where the polynomial that fits best meets x = 0
double at_zero(const std::vector<double>& x, const std::vector<double>& y, int degree) {
  Eigen::MatrixXd powers(x.size(), degree + 1);
  for (std::size_t k = 0; k < x.size(); ++k)
    for (int n = 0; n <= degree; ++n) powers(k, n) = std::pow(x[k], n);
  return powers.colPivHouseholderQr().solve(Eigen::Map<const Eigen::VectorXd>(y.data(), y.size()))[0];
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
    const Pull pull = Pull::around(R);
    const Knot knot = tied(pull, subject);
    thickness.push_back(std::sqrt(radius / knot.R()));
    law.push_back(knot.law(pull));
    found += fmt::format("{:.3f} at R = {:.3g} mm, ", law.back(), 1e3 * knot.R());
    gap = std::min(gap, knot.gap);
  }
  const bool extrapolates = law.size() > 2;
  // the law is curved over these radii: loops of 94, 151 and 236 mm have 0.541, 0.531, 0.524
  if (extrapolates) found += fmt::format("by a parabola {:.3f}, ", at_zero(thickness, law, 2));
  const std::string cost = fmt::format("{}{:.2g} s", found, stopwatch.seconds());
  if (extrapolates)
    findings.compare({"μ = 0: T R²/B for r/R → 0, by a line in √(r/R)", "-", cost}, at_zero(thickness, law, 1), 0.5,
                     0.06);
  findings.compare(
      {"μ = 0: penetration / r", "-", fmt::format("smallest gap {:.2g} r; {}", gap / radius, extrapolates ? "" : cost)},
      std::max(0.0, -gap) / radius, 0, 0.01);
  findings.not_measured("μ > 0: tightening and loosening",
                        "the steps of the segments' corners hold the loop by about as much as friction does");
}

}  // namespace tendril::app::physics
