#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/heavy_cantilever.h"
#include "physics/rod_scene.h"

// 2.2: a clamped rod under a dead load at its tip, bent far (Bisshopp and Drucker 1945); a function of α = P L² / EI.

namespace tendril::app::physics {

namespace {

constexpr double EI = 4.908739e-3, length = 1;  // [N m², m]: radius 5 mm, E = 10 MPa

// sections that stretch and shear alike (GA = EA) leave the bending as it is and let the load pull the tip down by P L
// / EA, which is part of the reference: up to 1e-3 of δ
constexpr double EA = 1e4 * EI;  // [N]

// where the set-up stands and how it is turned
struct Placement {
  Vec3d origin;
  Quatd turn;
};

// along the placement's x, loaded along its -z
RodScene scene(double alpha, int segments, const Placement& at) {
  RodScene scene;
  scene.EA = scene.GA = EA;
  scene.EI = scene.GJ = EI;
  scene.segments = segments;
  scene.curve = line(at.origin, at.origin + rotate(at.turn, {length, 0, 0}));
  scene.support = fmt::format("clamp = [\"start\"]\nnormal = {}", toml(rotate(at.turn, {0, 1, 0})));
  scene.tables = tip_force(rotate(at.turn, {0, 0, -alpha * EI / (length * length)}));
  return scene;
}

// the angle of the tip's tangent below the horizontal [rad]
double tip_angle(const Equilibrium& rod) {
  const Vec3d tangent = director3(rod.tip_frame());
  return std::atan2(-tangent.z, tangent.x);
}

// 0.1 % with 64 segments, of second order: 1 % with 20
double tolerance(int segments) { return 1e-3 * std::pow(64.0 / segments, 2); }

void measure(double alpha, const Subject& subject, Findings& findings) {
  const CantileverShape exact = heavy_cantilever(0, alpha);
  const double stretch = share_of_stretch(subject.solver) * alpha * EI / EA;
  std::vector<double> drop;
  for (int segments : {16, 32, 64}) {
    const Equilibrium rod = settled(scene(alpha, segments, {}), subject.solver);
    const std::string rods = fmt::format("α = {:g}, N = {}", alpha, segments);
    drop.push_back(-rod.tip().z / length);
    findings.compare({rods + ": δ/L", "-", rod.cost()}, drop.back(), exact.drop + stretch, tolerance(segments));
    if (segments < 64) continue;
    findings.compare({rods + ": x/L", "-", ""}, rod.tip().x / length, exact.width, tolerance(segments));
    const double degree = std::numbers::pi / 180;
    findings.compare({rods + ": tip angle", "°", ""}, tip_angle(rod) / degree, exact.tip_angle / degree,
                     tolerance(segments));
  }
  findings.order(fmt::format("α = {:g}: order in N", alpha), drop[0], drop[1], drop[2], 1.9);
}

// so fine that rounding counts
void measure_fine(double alpha, const Subject& subject, Findings& findings) {
  constexpr int segments = 5000;
  const Equilibrium rod = settled(scene(alpha, segments, {}), subject.solver);
  findings.compare({fmt::format("α = {:g}, N = {}: δ/L", alpha, segments), "-", rod.cost()}, -rod.tip().z / length,
                   heavy_cantilever(0, alpha).drop + share_of_stretch(subject.solver) * alpha * EI / EA,
                   tolerance(segments));
}

}  // namespace

void elastica(const Subject& subject, Findings& findings) {
  std::vector<double> alphas{1, 3, 10};
  if (settles_at_once(subject.solver)) alphas = {0.1, 0.5, 1, 2, 3, 4, 5, 7, 10};
  if (subject.quick()) alphas = {2};
  for (double alpha : alphas) findings.part(fmt::format("α = {:g}", alpha), [&] { measure(alpha, subject, findings); });
  if (!subject.quick() && settles_at_once(subject.solver))
    findings.part("N = 5000", [&] { measure_fine(10, subject, findings); });

  // the same turned and moved arbitrarily
  findings.part("turned in space", [&] {
    const Placement upright, askew{{0.3, -0.7, 0.2}, quaternion_exp({0.7, -1.1, 2.3})};
    constexpr double alpha = 3;
    constexpr int segments = 16;
    const Equilibrium rod = settled(scene(alpha, segments, upright), subject.solver);
    const Equilibrium turned = settled(scene(alpha, segments, askew), subject.solver);
    const Vec3d expected = askew.origin + rotate(askew.turn, rod.tip());
    findings.compare({"turned in space: |tip - turned tip| / L", "-", turned.cost()},
                     norm(turned.tip() - expected) / length, 0, 1e-10);
  });
}

}  // namespace tendril::app::physics
