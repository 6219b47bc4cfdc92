#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/rod_scene.h"
#include "rod/energy.h"

// 2.7: beyond Greenhill's moment a long rod does not wind into a helix but throws one loop, whose tangent leaves the
// axis by θ (Coyne 1990). With m = M/√(BT) and lengths in units of √(B/T)
//   cos θ = 1 - 2 (1 - m²/4) sech²(s √(1 - m²/4)),   ψ' = m / (1 + cos θ),   cos θ_max = m²/2 - 1
// where ψ turns about the axis. The ends are held: under a dead load the rod would straighten or run away. In a long
// rod they hold M as well, and are nearer by 4 √(1 - m²/4) √(B/T) = 4 (B/M) m √(1 - m²/4), which is largest at m = √2:
// loops of more than 90° are not stable.

namespace tendril::app::physics {

namespace {

constexpr double C = 1 / 1.3;  // GJ; B = T = 1
constexpr double length = 60;
constexpr int segments = 600;

// the loop for m in the middle of the rod, as points
std::string loop(double m) {
  constexpr int parts = 20;  // of a segment
  constexpr double ds = length / segments / parts;
  const double room = 1 - m * m / 4;
  std::string points;
  Vec3d x;
  double psi = 0;
  for (int k = 0; k <= segments * parts; ++k) {
    if (k % parts == 0) points += toml(x) + ", ";
    const double s = (k + 0.5) * ds - length / 2;
    const double cosine = 1 - 2 * room / std::pow(std::cosh(s * std::sqrt(room)), 2),
                 sine = std::sqrt(1 - cosine * cosine);
    const double turn = ds * m / (1 + cosine);
    x += ds * Vec3d{sine * std::cos(psi + turn / 2), sine * std::sin(psi + turn / 2), cosine};
    psi += turn;
  }
  return fmt::format("{{ type = \"polyline\", points = [{}] }}", points);
}

// twisted for m, and bent a little less than is right for it
RodScene scene(double m) {
  RodScene scene;
  scene.EA = scene.GA = 1e4;
  scene.EI = 1, scene.GJ = C;
  scene.segments = segments;
  scene.curve = loop(1.01 * m);
  scene.support = fmt::format("clamp = [\"start\", \"end\"]\nrest = \"straight\"\ntwist = {:.17g}", m * length / C);
  return scene;
}

void measure(double wanted, const Subject& subject, Findings& findings) {
  const Equilibrium rod = settled(scene(wanted), subject.solver);
  const Bend& bend = rod.model.bends[1];  // near the start, where the axis is the rod's
  const double moment = C * bend_strain(bend, rod.state).angle.z / bend.length, tension = rod.force(0).z;
  const double m = moment / std::sqrt(tension);
  double steepest = 1;  // cos θ
  for (const Quatd& q : rod.state.q) steepest = std::min(steepest, director3(q).z);
  constexpr double degree = std::numbers::pi / 180;
  findings.compare({fmt::format("one loop, M/√(BT) = {:.4f}, N = {}: largest angle", m, segments), "°",
                    fmt::format("T = {:.4f}; {}", tension, rod.cost())},
                   std::acos(steepest) / degree, std::acos(m * m / 2 - 1) / degree, 0.03);
}

}  // namespace

void localised_buckling(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver)) return findings.not_measured("one loop", "sweeps settle it too slowly");
  std::vector<double> moments{1.95, 1.9, 1.8, 1.5};
  if (subject.quick()) moments = {1.8};
  for (double m : moments) findings.part(fmt::format("M/√(BT) = {:g}", m), [&] { measure(m, subject, findings); });
  findings.not_measured("M/√(BT) = 1, 120°", "no stable equilibrium beyond 90°, M/√(BT) = √2, with the ends held");
}

}  // namespace tendril::app::physics
