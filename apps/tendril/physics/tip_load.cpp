#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/rod_scene.h"

// 2.1: a thick cantilever under a small load at its tip bends and shears: δ = P L³/3EI + P L/GA, GA ≠ EA.

namespace tendril::physics {

namespace {

constexpr double length = 1;  // [m]

// steel, E = 200 GPa, ν = 0.3, round
struct Beam {
  double EA, GA, EI;  // [N, N, N m²]
  double load;        // [N]
};

Beam steel(double diameter) {
  constexpr double E = 200e9, nu = 0.3;
  constexpr double shear_factor = 6 * (1 + nu) / (7 + 6 * nu);  // Cowper's
  const double area = std::numbers::pi / 4 * diameter * diameter, EI = E * area * diameter * diameter / 16;
  return {E * area, shear_factor * E / (2 * (1 + nu)) * area, EI, 6e-3 * EI / (length * length)};  // bends by 2e-3 L
}

double deflection(const Beam& beam) {
  return beam.load * std::pow(length, 3) / (3 * beam.EI) + beam.load * length / beam.GA;
}

RodScene scene(const Beam& beam, int segments) {
  RodScene scene;
  scene.EA = beam.EA, scene.GA = beam.GA;
  scene.EI = scene.GJ = beam.EI;
  scene.segments = segments;
  scene.curve = line({0, 0, 0}, {length, 0, 0});
  scene.support = "clamp = [\"start\"]";
  scene.tables = tip_force({0, 0, -beam.load});
  return scene;
}

// 0.5 % with 50 segments; of second order
double tolerance(int segments) { return 5e-3 * std::pow(50.0 / segments, 2); }

void measure(double diameter, const Subject& subject, Findings& findings) {
  const Beam beam = steel(diameter);
  const double shear = 3 * beam.EI / (beam.GA * length * length);
  std::vector<double> tip;
  for (int segments : {12, 24, 48}) {
    const Equilibrium rod = settled(scene(beam, segments), subject.solver);
    tip.push_back(-rod.tip().z);
    findings.compare({fmt::format("d = {:g} m, N = {}: δ", diameter, segments), "m",
                      fmt::format("{}; shear is {:.2g} % of bending", rod.cost(), 100 * shear)},
                     tip.back(), deflection(beam), tolerance(segments));
  }
  findings.order(fmt::format("d = {:g} m: order in N", diameter), tip[0], tip[1], tip[2]);
}

}  // namespace

void tip_load_with_shear(const Subject& subject, Findings& findings) {
  const std::vector<double> diameters = subject.quick() ? std::vector{0.5} : std::vector{0.2, 0.5};
  for (double diameter : diameters)
    findings.part(fmt::format("d = {:g} m", diameter), [&] { measure(diameter, subject, findings); });
}

}  // namespace tendril::physics
