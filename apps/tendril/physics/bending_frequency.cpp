#include <fmt/format.h>

#include <limits>
#include <numbers>
#include <vector>

#include "physics/beam_mode.h"
#include "physics/vibration.h"

// 3.1: the bending modes of steel rods, clamped at one end or free. As Euler and Bernoulli have it, without shear and
// without inertia of the sections' turn, and as Timoshenko has it with both.

namespace tendril::app::physics {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double length = 1;  // [m]
constexpr int segments = 50;
constexpr double tolerance[] = {2e-3, 5e-3, 1e-2};  // of the first three modes

enum class Theory { euler_bernoulli, timoshenko };

struct SteelRod {
  double diameter;  // [m]
  BeamStart start;
  Theory theory;
};

// E = 200 GPa, ν = 0.3, 7850 kg/m³; Cowper's shear factor
Beam beam(const SteelRod& rod) {
  constexpr double E = 200e9, nu = 0.3, density = 7850, shear_factor = 6 * (1 + nu) / (7 + 6 * nu);
  const double area = std::numbers::pi / 4 * rod.diameter * rod.diameter, I = area * rod.diameter * rod.diameter / 16;
  const bool sheared = rod.theory == Theory::timoshenko;
  return {E * I, sheared ? shear_factor * E / (2 * (1 + nu)) * area : infinite, density * area,
          sheared ? density * I : 0, length};
}

// where the theory has no shear GA = EA is stiff: a solver by sweeps is given no more than the first mode needs
RodScene scene(const SteelRod& rod, const SolverInfo& solver) {
  const Beam ideal = beam(rod);
  RodScene scene;
  scene.GA = ideal.GA < infinite ? ideal.GA : (settles_at_once(solver) ? 1e7 : 2e4) * ideal.EI / (length * length);
  scene.EA = ideal.GA < infinite ? 16 * ideal.EI / (rod.diameter * rod.diameter) : scene.GA;
  scene.EI = scene.GJ = ideal.EI;
  scene.linear_density = ideal.linear_density;
  const double inertia =
      ideal.linear_inertia > 0 ? ideal.linear_inertia : 1e-9 * ideal.linear_density * length * length;
  scene.material = fmt::format("linear_inertia = [{0:.17g}, {0:.17g}, {1:.17g}]", inertia, 2 * inertia);
  scene.segments = segments;
  scene.curve = line({0, 0, 0}, {length, 0, 0});
  if (rod.start == BeamStart::clamped) scene.support = "clamp = [\"start\"]";
  return scene;
}

Vibration vibration(const SteelRod& rod, int number, const SolverInfo& solver) {
  const BeamMode mode = beam_mode(beam(rod), rod.start, number, segments);
  const double speed = 5e-4 * length * mode.omega;  // along z; a turn about -y lifts what is ahead
  const auto start = [=](const Model&, State& state) {
    for (int i = 0; i <= segments; ++i) state.v[i].z = speed * mode.deflection[i];
    for (int s = 0; s < segments; ++s) state.omega[s].y = -speed * mode.turn[s];
  };
  const auto deflection = [=](const Model& model, const State& state) {
    double sum = 0;
    for (int i = 0; i <= segments; ++i) sum += model.vertices[i].mass * mode.deflection[i] * state.x[i].z;
    return sum;
  };
  const std::string what =
      fmt::format("d = {:g} m, {}, {}: f{}", rod.diameter, rod.start == BeamStart::clamped ? "cantilever" : "free",
                  rod.theory == Theory::timoshenko ? "Timoshenko" : "Euler", number);
  return {what, mode.omega, tolerance[number - 1], scene(rod, solver), start, deflection};
}

}  // namespace

void bending_frequency(const Subject& subject, Findings& findings) {
  measure(vibration({0.01, BeamStart::clamped, Theory::euler_bernoulli}, 1, subject.solver), subject, findings);
}

void higher_frequencies(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver))
    return findings.not_measured("modes 1 to 3, free ends, shear", "sweeps solve the steps too slowly");
  const auto modes = [&](const SteelRod& rod, std::vector<int> numbers) {
    if (rod.theory == Theory::timoshenko && !subject.solver.capabilities.shearable)
      return findings.not_measured(fmt::format("d = {:g} m, Timoshenko", rod.diameter), "its rods do not shear");
    for (int number : numbers)
      findings.part("bending", [&] { measure(vibration(rod, number, subject.solver), subject, findings); });
  };
  if (subject.quick()) {
    const bool shears = subject.solver.capabilities.shearable;
    return modes({0.1, BeamStart::free, shears ? Theory::timoshenko : Theory::euler_bernoulli}, {3});
  }
  modes({0.01, BeamStart::clamped, Theory::euler_bernoulli}, {2, 3});
  modes({0.01, BeamStart::clamped, Theory::timoshenko}, {1, 2, 3});
  modes({0.1, BeamStart::clamped, Theory::timoshenko}, {1, 2, 3});
  modes({0.01, BeamStart::free, Theory::euler_bernoulli}, {1, 2, 3});
  modes({0.01, BeamStart::free, Theory::timoshenko}, {1, 2, 3});
  modes({0.1, BeamStart::free, Theory::timoshenko}, {1, 2, 3});
}

}  // namespace tendril::app::physics
