#include <fmt/format.h>

#include <cmath>

#include "physics/case.h"
#include "physics/rod_scene.h"

// 2.1: a thick cantilever under a small load at its tip bends and shears: δ = P L³/3EI + P L/GA, GA ≠ EA.

namespace tendril::physics {

namespace {

struct Beam {
  const char* what;
  double length;        // [m]
  double load;          // [N]
  double EA, GA, EI;    // [N, N, N m²]; GA with its shear factor
};

double deflection(const Beam& beam) {
  return beam.load * std::pow(beam.length, 3) / (3 * beam.EI) + beam.load * beam.length / beam.GA;
}

// E = 200 GPa, ν = 0.3, d = 200 mm, Cowper's factor 0.886364: shear is 2.2 % of bending
const Beam steel{"steel, d = 200 mm", 1, 1e5, 6.2831853e9, 2.1419950e9, 1.5707963e7};

// E = 1 MPa, G = 10 kPa, r = 0.25 m, L = 3 m, factor 27/28 (Gazzola 2018): shear is a third of it all
const Beam soft{"soft, r = 0.25 m", 3, 15, 1.9634954e5, 1.8933706e3, 3067.96158};

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

}  // namespace

void tip_load_with_shear(const Subject& subject, Findings& findings) {
  for (const Beam& beam : {steel, soft})
    findings.part(beam.what, [&] {
      std::vector<double> tip;
      for (int segments : {12, 24, 48}) {
        const Equilibrium rod = settled(scene(beam, segments), subject.solver);
        tip.push_back(-rod.tip().z);
        const double tolerance = 5e-3 * std::pow(50.0 / segments, 2);
        findings.compare({fmt::format("{}, N = {}: δ", beam.what, segments), "m", rod.cost()}, tip.back(), deflection(beam),
                         tolerance);
      }
      findings.order(fmt::format("{}: order in N", beam.what), tip[0], tip[1], tip[2]);
    });
}

}  // namespace tendril::physics
