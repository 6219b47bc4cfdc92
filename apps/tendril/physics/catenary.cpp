#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "physics/case.h"
#include "physics/rod_scene.h"

// 2.11: rods that only carry tension. A chain between two points, and a bar that hangs and stretches under its
// weight.

namespace tendril::app::physics {

namespace {

constexpr double g = 9.81;                                     // [m/s²]
constexpr double span = 1, length = 1.5, chain_density = 0.1;  // [m, m, kg/m]
constexpr double chain_weight = chain_density * g * length;    // [N]

struct ElasticCatenary {
  double EA = 0;   // [N]
  double H = 0;    // horizontal tension [N]
  double sag = 0;  // [m]
};

// the elastic catenary of length L and weight w per length before it stretches, V = w L/2 at each pin:
//   span = H L/EA + 2 H/w asinh(V/H),   sag = (sqrt(H² + V²) - H) / w + V² / (2 w EA)
ElasticCatenary elastic_catenary(double EA) {
  const double w = chain_density * g, V = w * length / 2;
  double low = 0, high = 10 * chain_weight;
  for (int k = 0; k < 60; ++k) {
    const double H = (low + high) / 2;
    (H * length / EA + 2 * H / w * std::asinh(V / H) < span ? low : high) = H;
  }
  return {EA, low, (std::hypot(low, V) - low) / w + V * V / (2 * w * EA)};
}

// half the angle of an arc whose polygon of N chords is as long as the chain:  span / length = sin φ / (N sin (φ/N))
double half_angle(int segments) {
  double low = 0.1, high = 3;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (std::sin(middle) / (segments * std::sin(middle / segments)) > span / length ? low : high) = middle;
  }
  return low;
}

RodScene chain(const ElasticCatenary& of, int segments) {
  const double phi = half_angle(segments), radius = span / (2 * std::sin(phi));
  RodScene scene;
  scene.gravity = {0, 0, -g};
  scene.EA = scene.GA = std::min(of.EA, 1e3 * chain_weight);
  scene.EI = scene.GJ = 1e-8;  // bends within 0.2 mm
  scene.linear_density = chain_density;
  scene.segments = segments;
  // from the left pin down and up to the right one
  scene.curve = fmt::format("{{ type = \"arc\", center = {}, from = [0, 0, 0], axis = [0, -1, 0], angle = {:.17g} }}",
                            toml(Vec3d{span / 2, 0, radius * std::cos(phi)}), 2 * phi);
  scene.support = "pin = [\"start\", \"end\"]\nrest = \"straight\"";
  return scene;
}

// of half a segment, between a pin and where the segment's force is [N]
double half_weight(int segments) { return chain_weight / (2 * segments); }

// 0.1 % with 100 segments; of second order
double tolerance(int segments) { return 1e-3 * std::pow(100.0 / segments, 2); }

void measure(const ElasticCatenary& of, const Subject& subject, Findings& findings) {
  const bool stretches = subject.solver.capabilities.extensible;
  const std::string what = stretches ? fmt::format("EA = {:g} N", of.EA) : "no stretch";
  std::vector<double> sag;
  for (int segments : {24, 48, 96}) {
    const Equilibrium rod = settled(chain(of, segments), subject.solver);
    const std::string rods = fmt::format("{}, N = {}", what, segments);
    sag.push_back(-rod.state.x[rod.model.rods[0].vertices[segments / 2]].z);
    findings.compare({rods + ": sag", "m", rod.cost()}, sag.back(), of.sag, tolerance(segments));
    findings.compare({rods + ": horizontal tension", "N", ""}, rod.force(0).x, of.H, tolerance(segments));
    const double at_pin = std::hypot(rod.force(0).x, rod.force(0).z - half_weight(segments));
    findings.compare({rods + ": largest tension", "N", ""}, at_pin, std::hypot(of.H, chain_weight / 2),
                     tolerance(segments));
  }
  findings.order(what + ": order of the sag in N", sag[0], sag[1], sag[2], 1.9);
}

}  // namespace

void catenary(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.extensible)
    return findings.part("no stretch", [&] { measure(elastic_catenary(forever), subject, findings); });
  const std::vector<double> stiffnesses = subject.quick() ? std::vector{50.0} : std::vector{1e3 * chain_weight, 50.0};
  for (double EA : stiffnesses)
    findings.part(fmt::format("EA = {:g} N", EA), [&] { measure(elastic_catenary(EA), subject, findings); });
}

// E = 1 MPa, ρ = 1000 kg/m³, section 1 cm², L = 1 m: the tip sinks by ρ g L²/2E. Half a segment's mass at each of its
// vertices makes every discretisation exact.
void hanging_bar(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.extensible)
    return findings.not_measured("N = 20: tip extension", "its rods do not stretch");
  RodScene scene;
  scene.gravity = {0, 0, -g};
  scene.EA = scene.GA = 100;
  scene.EI = scene.GJ = 1e-3;
  scene.linear_density = 0.1;
  scene.segments = 20;
  scene.curve = line({0, 0, 0}, {0, 0, -1});
  scene.support = "pin = [\"start\"]";
  const Equilibrium rod = settled(scene, subject.solver);
  findings.compare({"N = 20: tip extension", "m", rod.cost()}, -rod.tip().z - 1, 4.905e-3, 1e-6);
}

}  // namespace tendril::app::physics
