#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "physics/rod_scene.h"

// 2.1: a cantilever under a small load at its tip bends and shears: δ = P L³/3EI + P L/GA, GA ≠ EA.

namespace tendril::app::physics {

namespace {

struct Beam {
  std::string what;
  double length;      // [m]
  double EA, GA, EI;  // [N, N, N m²]
  double load;        // [N]

  double bending() const { return load * std::pow(length, 3) / (3 * EI); }
  double shearing() const { return load * length / GA; }
};

// E = 200 GPa, ν = 0.3, round, 1 m long; bends by 2e-3 of its length
Beam steel(double diameter) {
  constexpr double E = 200e9, nu = 0.3;
  constexpr double shear_factor = 6 * (1 + nu) / (7 + 6 * nu);  // Cowper's
  const double area = std::numbers::pi / 4 * diameter * diameter, EI = E * area * diameter * diameter / 16;
  const std::string what = fmt::format("d = {:g} m", diameter);
  return {what, 1, E * area, shear_factor * E / (2 * (1 + nu)) * area, EI, 6e-3 * EI};
}

// E = 1 MPa, G = 10 kPa, radius 0.25 m, 3 m long, 15 N (Gazzola et al. 2018): bends by 2 %, which shortens its lever by
// 2e-4
Beam soft_in_shear(double shear_factor) {
  constexpr double E = 1e6, G = 1e4, radius = 0.25, area = std::numbers::pi * radius * radius;
  const std::string what = fmt::format("E/G = 100, shear factor {:.4g}", shear_factor);
  return {what, 3, E * area, shear_factor * G * area, E * area * radius * radius / 4, 15};
}

RodScene scene(const Beam& beam, int segments) {
  RodScene scene;
  scene.EA = beam.EA, scene.GA = beam.GA;
  scene.EI = scene.GJ = beam.EI;
  scene.segments = segments;
  scene.curve = line({0, 0, 0}, {beam.length, 0, 0});
  scene.support = "clamp = [\"start\"]";
  scene.tables = tip_force({0, 0, -beam.load});
  return scene;
}

// 0.5 % with 50 segments, of second order; 0.15 % with 100
double tolerance(int segments) {
  const double by_order = 5e-3 * std::pow(50.0 / segments, 2);
  return segments < 100 ? by_order : std::min(by_order, 1.5e-3);
}

void measure(const Beam& beam, const Subject& subject, Findings& findings) {
  std::vector<int> counts{12, 24, 48};
  if (settles_at_once(subject.solver)) counts = {25, 50, 100};
  std::vector<double> tip;
  for (int segments : counts) {
    const Equilibrium rod = settled(scene(beam, segments), subject.solver);
    tip.push_back(-rod.tip().z);
    findings.compare(
        {fmt::format("{}, N = {}: δ", beam.what, segments), "m",
         fmt::format("{}; shear is {:.2g} % of bending", rod.cost(), 100 * beam.shearing() / beam.bending())},
        tip.back(), beam.bending() + beam.shearing(), tolerance(segments));
  }
  findings.order(beam.what + ": order in N", tip[0], tip[1], tip[2], 1.9);
}

}  // namespace

void tip_load_with_shear(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.shearable)
    return findings.not_measured("steel, 1 m", "its rods do not shear; without it this is 2.2 of a small load");
  std::vector<double> diameters{0.2, 0.5};
  if (settles_at_once(subject.solver)) diameters = {0.01, 0.1, 0.2, 0.5};
  if (subject.quick()) diameters = {0.5};
  for (double diameter : diameters) {
    const Beam beam = steel(diameter);
    findings.part(beam.what, [&] { measure(beam, subject, findings); });
  }
}

void tip_load_soft_in_shear(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.shearable)
    return findings.not_measured("E/G = 100 (Gazzola 2018)", "its rods do not shear");
  if (!settles_at_once(subject.solver))
    return findings.not_measured("E/G = 100 (Gazzola 2018)", "sweeps settle it too slowly");
  for (double shear_factor : {4.0 / 3, 27.0 / 32, 27.0 / 28}) {
    const Beam beam = soft_in_shear(shear_factor);
    findings.part(beam.what, [&] { measure(beam, subject, findings); });
  }
}

}  // namespace tendril::app::physics
