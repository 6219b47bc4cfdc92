#include "physics/helical_spring.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "physics/case.h"
#include "rod/frame.h"

// 2.10: how a helical spring gives way to a force along its axis.

namespace tendril::app::physics {

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

namespace {

constexpr double force = 1e-3;  // [N]

double way_of_bob(const Spring& spring, const SolverInfo& solver, std::string& cost) {
  RodScene scene = spring.scene(0.01, 0);
  scene.tables += fmt::format("[[load]]\nbody = \"bob\"\nforce = [0, 0, {}]\n", force);
  const LoadedScene rest = load(scene, solver);
  const Equilibrium still = settled(scene, solver);
  cost = still.cost();
  const int bob = Spring::bob(still.model);
  return still.state.body_x[bob].z - rest.baked.state.body_x[bob].z;
}

// for solvers without bodies: the force at the end of an arm from the tip to the axis, which has no mass
double way_on_axis(const Spring& spring, const SolverInfo& solver, std::string& cost) {
  const Vec3d arm{-spring.radius, 0, 0}, pull{0, 0, force};
  RodScene scene = spring.scene(0.01, 0);
  scene.tables = tip_force(pull) + tip_moment(cross(arm, pull));
  const LoadedScene rest = load(scene, solver);
  const Equilibrium still = settled(scene, solver);
  cost = still.cost();
  const Probe& tip = still.model.probes.front();
  const Quatd turn = still.tip_frame() * conjugate(section_frame(rest.baked.state, tip));
  return still.tip().z - rest.baked.state.x[tip.vertex].z + (rotate(turn, arm) - arm).z;
}

}  // namespace

// 1 % with thirty segments to the turn
void spring_stiffness(const Subject& subject, Findings& findings) {
  if (!settles_at_once(subject.solver)) return findings.not_measured("stiffness", "sweeps settle it too slowly");
  for (double degrees : {5.0, 10.0, 20.0}) {
    const Spring spring{degrees * pi / 180};
    findings.part(fmt::format("α = {}°", degrees), [&] {
      std::string cost;
      const bool has_bob = subject.solver.capabilities.bodies;
      const double way = has_bob ? way_of_bob(spring, subject.solver, cost) : way_on_axis(spring, subject.solver, cost);
      findings.compare(
          {fmt::format("α = {}°, N = {}: stiffness, free to turn", degrees, Spring::segments), "N/m", cost},
          force / way, spring.free_stiffness(), 0.01);
    });
  }
}

}  // namespace tendril::app::physics
