#include "physics/helical_spring.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/case.h"

// 2.10: how a helical spring gives way to a force along its axis.

namespace tendril::physics {

using std::numbers::pi;

Spring::Compliance Spring::compliance() const {
  const double c = std::cos(pitch_angle), s = std::sin(pitch_angle), wire = 2 * pi * radius * turns / c;
  return {wire * radius * radius * (c * c / GJ + s * s / EI), wire * radius * s * c * (1 / GJ - 1 / EI),
          wire * (s * s / GJ + c * c / EI)};
}

double Spring::free_stiffness() const { return 1 / compliance().zz; }
double Spring::k_zz() const { return compliance().phi / compliance().determinant(); }
double Spring::k_phi() const { return compliance().zz / compliance().determinant(); }
double Spring::coupling() const { return compliance().z_phi / std::sqrt(compliance().zz * compliance().phi); }
double Spring::tuned_inertia() const { return mass * k_phi() / k_zz(); }

RodScene Spring::scene(double time_step, double velocity) const {
  RodScene scene;
  scene.time_step = time_step;
  scene.EA = scene.GA = 1e6 * EI / (radius * radius);
  scene.EI = EI, scene.GJ = GJ;
  scene.linear_density = 78.5 * pi * 0.25e-6;
  scene.radius = 0.5e-3;
  scene.segments = segments;
  scene.curve = fmt::format(
      "{{ type = \"helix\", center = [0, 0, 0], axis = [0, 0, 1], radius = {}, pitch = {:.17g}, turns = {} }}", radius,
      2 * pi * radius * std::tan(pitch_angle), turns);
  scene.support = "clamp = [\"start\"]\nnormal = [1, 0, 0]";
  scene.tables = fmt::format(R"([[body]]
name = "bob"
rod = "rod"
at = "end"
mass = {}
inertia = [{:.17g}, {:.17g}, {:.17g}]
offset = [{}, 0, 0]
velocity = [0, 0, {:.17g}]
angular_velocity = [0, 0, 0]
)",
                             mass, tuned_inertia(), tuned_inertia(), tuned_inertia(), -radius, velocity);
  return scene;
}

int Spring::bob(const Model& model) {
  int b = 0;
  while (model.bodies[b].kind != BodyKind::dynamic) ++b;
  return b;
}

// 1 % with thirty segments to the turn
void spring_stiffness(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver)) return findings.not_measured("stiffness", "sweeps settle it too slowly");
  for (double degrees : {5.0, 10.0, 20.0}) {
    const Spring spring{degrees * pi / 180};
    RodScene scene = spring.scene(0.01, 0);
    constexpr double force = 1e-3;  // [N]
    scene.tables += fmt::format("[[load]]\nbody = \"bob\"\nforce = [0, 0, {}]\n", force);
    findings.part(fmt::format("α = {}°", degrees), [&] {
      const LoadedScene rest = load(scene, subject.solver);
      const Equilibrium still = settled(scene, subject.solver);
      const int bob = Spring::bob(still.model);
      const double way = still.state.body_x[bob].z - rest.baked.state.body_x[bob].z;
      findings.compare(
          {fmt::format("α = {}°, N = {}: stiffness, free to turn", degrees, Spring::segments), "N/m", still.cost()},
          force / way, spring.free_stiffness(), 0.01);
    });
  }
}

}  // namespace tendril::physics
