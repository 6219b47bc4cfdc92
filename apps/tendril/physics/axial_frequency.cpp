#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/vibration.h"

// 3.1: a steel rod that is clamped at one end and swings along its axis or about it, in the modes sin((n - ½) π x/L)
//   ω = (n - ½) π/L √(E/ρ),   ω = (n - ½) π/L √(G/ρ)

namespace tendril::app::physics {

namespace {

using std::numbers::pi;

constexpr double E = 200e9, G = E / 2.6, density = 7850, length = 1, diameter = 0.01;  // [Pa, Pa, kg/m³, m, m]
constexpr double area = pi / 4 * diameter * diameter, I = area * diameter * diameter / 16;
constexpr int segments = 50;
constexpr double tolerance[] = {2e-3, 5e-3, 1e-2};  // of the first three modes

RodScene scene() {
  RodScene scene;
  scene.EA = E * area, scene.GA = G * area;
  scene.EI = E * I, scene.GJ = G * 2 * I;
  scene.linear_density = density * area;
  scene.material = fmt::format("linear_inertia = [{0:.17g}, {0:.17g}, {1:.17g}]", density * I, density * 2 * I);
  scene.segments = segments;
  scene.curve = line({0, 0, 0}, {length, 0, 0});
  scene.support = "clamp = [\"start\"]";
  return scene;
}

double wave_number(int mode) { return (mode - 0.5) * pi / length; }

// at a place in units of a segment
double shape(int mode, double place) { return std::sin(wave_number(mode) * place * length / segments); }

Vibration axial(int mode) {
  const double omega = wave_number(mode) * std::sqrt(E / density), speed = 1e-5 * length * omega;
  const auto start = [=](const Model&, State& state) {
    for (int i = 0; i <= segments; ++i) state.v[i].x = speed * shape(mode, i);
  };
  const auto deflection = [=](const Model& model, const State& state) {
    double sum = 0;
    for (int i = 0; i <= segments; ++i)
      sum += model.vertices[i].mass * shape(mode, i) * (state.x[i].x - length * i / segments);
    return sum;
  };
  return {fmt::format("axial: f{}", mode), omega, tolerance[mode - 1], scene(), start, deflection};
}

Vibration torsional(int mode) {
  const double omega = wave_number(mode) * std::sqrt(G / density), speed = 0.01 * omega;
  const auto start = [=](const Model&, State& state) {
    for (int s = 0; s < segments; ++s) state.omega[s].x = speed * shape(mode, s + 0.5);
  };
  const auto turn = [=](const Model&, const State& state) {
    double sum = 0;
    for (int s = 0; s < segments; ++s) {
      const Vec3d across = director1(state.q[s]);
      sum += shape(mode, s + 0.5) * std::atan2(across.z, across.y);
    }
    return sum;
  };
  Vibration rod{fmt::format("torsional: f{}", mode), omega, tolerance[mode - 1], scene(), start, turn};
  rod.scene.support += "\nnormal = [0, 1, 0]";
  return rod;
}

}  // namespace

void axial_frequency(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.extensible) return findings.not_measured("modes 1 to 3", "its rods do not stretch");
  if (!settles_at_once(subject.solver))
    return findings.not_measured("modes 1 to 3", "sweeps solve the steps too slowly");
  for (int mode : {1, 2, 3})
    if (!subject.quick() || mode == 1) findings.part("axial", [&] { measure(axial(mode), subject, findings); });
}

void torsional_frequency(const Subject& subject, Findings& findings) {
  if (!subject.solver.capabilities.rotational_inertia)
    return findings.not_measured("modes 1 to 3",
                                 fmt::format("the solver \"{}\" has no rotational inertia", subject.solver.name));
  for (int mode : {1, 2, 3})
    if (!subject.quick() || mode == 1) findings.part("torsional", [&] { measure(torsional(mode), subject, findings); });
}

}  // namespace tendril::app::physics
