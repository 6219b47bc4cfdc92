#include "solvers/newton/energy_guard.h"

#include "rod/energy.h"
#include "rod/momentum.h"

namespace tendril::newton {
namespace {

constexpr double allowed_growth = 1e-3;  // of the energy at work in a step, in all [-]

Vec3d turn_between(const Quatd& from, const Quatd& to) {
  const Quatd turn = to * conjugate(from);
  return quaternion_log(turn.w < 0 ? -turn : turn);
}

}  // namespace

bool EnergyGuard::grew(const Problem& p, const Inputs& inputs, const State& before, const Iterate& at_z,
                       const State& after) {
  const Model& model = *p.model;
  const double f = p.scheme.alpha_f;
  z_ = before;
  z_.x = at_z.x, z_.q = at_z.q, z_.body_x = at_z.body_x, z_.body_q = at_z.body_q;
  Forces inner = Forces::zero(model);
  add_elastic_forces(model, z_, inner);
  double work = 0, moved = 0;
  for (std::size_t i = 0; i < after.x.size(); ++i) {
    const Vec3d way = after.x[i] - before.x[i], outer = (1 - f) * inputs.end.force[i] + f * inputs.begin.force[i];
    Vec3d acting = outer;
    // what holds it provides all that its motion takes
    const Vec3d needed = (model.vertices[i].mass / p.scheme.h) * (after.v[i] - before.v[i]) - inner.force[i];
    for (int k = 0; k < 3; ++k)
      if (p.free_axes(i)[k] == 0) acting[k] = needed[k];
    work += dot(acting, way), moved += std::abs(dot(acting, way));
  }
  for (std::size_t s = 0; s < p.moment.size(); ++s) work += dot(p.moment[s], turn_between(before.q[s], after.q[s]));
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const bool held = model.bodies[b].kind == BodyKind::kinematic;
    const Vec3d moment = held ? -inner.body_moment[b] : p.bodies[b].moment;
    const double turning = dot(moment, turn_between(before.body_q[b], after.body_q[b]));
    work += turning, moved += std::abs(turning);
    if (held || inputs.end.body_force.empty()) continue;
    work +=
        dot((1 - f) * inputs.end.body_force[b] + f * inputs.begin.body_force[b], after.body_x[b] - before.body_x[b]);
  }
  const double old_energy = kinetic_energy(model, before) + elastic_energy(model, before);
  const double new_energy = kinetic_energy(model, after) + elastic_energy(model, after);
  surplus_ = std::max(0.0, surplus_ + new_energy - old_energy - work);
  return !(surplus_ <= allowed_growth * (old_energy + moved));
}

}  // namespace tendril::newton
