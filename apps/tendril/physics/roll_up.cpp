#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/rod_scene.h"

// 2.3: a moment M at the tip of a clamped rod bends it into an arc of radius EI/M, at M = 2π EI/L into a circle.

namespace tendril::app::physics {

namespace {

using std::numbers::pi;

constexpr double EI = 0.0785398163397448, length = 1;  // [N m², m]: radius 10 mm, E = 10 MPa

// The angle of one bend under m = M l / EI, by the solver's own law of bending:
//   rotation vector, energy EI/2l θ²:      θ = m, every uniform discretisation is exact
//   |q̄q - q0|² ("stable"), 8 EI/l sin²(θ/4):   M = 2 EI/l sin(θ/2), θ = 2 asin(m/2)
double bend_angle(const SolverInfo& solver, double m) { return solver.name == "stable" ? 2 * std::asin(m / 2) : m; }

struct Arc {
  Vec3d tip;         // [m]
  double angle = 0;  // of the section at the tip [rad]
};

// the discrete rod: half a bend at the clamp, then segments and bends in turn; the section at the tip is half a bend
// further
Arc discrete_arc(const SolverInfo& solver, double moment, int segments) {
  const double m = moment * length / segments / EI, bend = bend_angle(solver, m);
  Arc arc;
  arc.angle = bend_angle(solver, m / 2);
  for (int s = 0; s < segments; ++s) {
    arc.tip += (length / segments) * Vec3d{std::cos(arc.angle), 0, std::sin(arc.angle)};
    arc.angle += s + 1 < segments ? bend : bend / 2;
  }
  return arc;
}

// A moment that keeps its direction in space is no gradient: it feeds a flutter out of the plane, which grows from the
// last digit. The closed form is of the plane.
constexpr const char* in_its_plane =
    "[[hold]]\nrod = \"rod\"\nat = { low = [1e-3, -1, -1], high = [2, 1, 1] }\nposition = \"y\"\n";

// no force stretches it, so EA is of no consequence; GJ = EI: the least stiffness is also the weight of the real part
// in |q̄q - q0|²
RodScene scene(double moment, int segments) {
  RodScene scene;
  scene.EA = scene.GA = 1e3 * EI;
  scene.EI = scene.GJ = EI;
  scene.segments = segments;
  scene.curve = line({0, 0, 0}, {length, 0, 0});
  scene.support = "clamp = [\"start\"]";
  scene.tables = tip_moment({0, -moment, 0}) + in_its_plane;
  return scene;
}

// the section's turn from the start, which is known but for whole turns
double tip_angle(const Equilibrium& rod, double about) {
  const Vec3d tangent = director3(rod.tip_frame());
  const double angle = std::atan2(tangent.z, tangent.x);
  return angle + 2 * pi * std::round((about - angle) / (2 * pi));
}

// Any discretisation obeys its law exactly, to 1e-9 but for the forces that are left: this part of the largest carried,
// M/l, at each of N vertices and with arms of L/2 on average change the moment by N²/2 of that part.
constexpr double at_rest = 1e-11;
double tolerance(int segments) { return std::max(1e-9, 0.5 * segments * segments * at_rest); }

void measure(const char* what, double moment, const Subject& subject, Findings& findings) {
  const double radius = EI / moment, turn = moment * length / EI;
  const Vec3d circle{radius * std::sin(turn), 0, radius * (1 - std::cos(turn))};
  std::vector<double> distance;
  for (int segments : {16, 32, 64}) {
    const Equilibrium rod = settled(scene(moment, segments), subject.solver, at_rest);
    const Arc arc = discrete_arc(subject.solver, moment, segments);
    const std::string rods = fmt::format("{}, N = {}", what, segments);
    distance.push_back(norm(rod.tip() - circle) / length);
    findings.compare({rods + ": |tip - own law's tip| / L", "-",
                      fmt::format("{}; |tip - circle's| / L = {:.2g}", rod.cost(), distance.back())},
                     norm(rod.tip() - arc.tip) / length, 0, tolerance(segments));
    findings.compare({rods + ": tip angle by the own law", "rad", ""}, tip_angle(rod, arc.angle), arc.angle,
                     tolerance(segments));
  }
  if (distance[2] > tolerance(64))
    findings.order(fmt::format("{}: order of the tip in N", what), distance[0], distance[1], distance[2]);
}

}  // namespace

void roll_up(const Subject& subject, Findings& findings) {
  findings.part("M = 2π EI/L", [&] { measure("M = 2π EI/L", 2 * pi * EI / length, subject, findings); });
  if (subject.quick()) return;
  findings.part("M = π EI/L", [&] { measure("M = π EI/L", pi * EI / length, subject, findings); });
}

}  // namespace tendril::app::physics
