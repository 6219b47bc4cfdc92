#include "rod/momentum.h"

namespace tendril::rod {
namespace {

// R diag(inertia) Rᵀ omega
Vec3d spin_momentum(const Quatd& q, const Vec3d& inertia, const Vec3d& omega) {
  return rotate(q, scale(inertia, rotate(conjugate(q), omega)));
}

// calls visit(mass, x, v) for each point mass
template <class Visit>
void for_each_mass(const Model& model, const State& state, Visit visit) {
  for (std::size_t i = 0; i < model.vertices.size(); ++i) visit(model.vertices[i].mass, state.x[i], state.v[i]);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].kind == BodyKind::dynamic) visit(model.bodies[b].mass, state.body_x[b], state.body_v[b]);
}

// calls visit(spin momentum, omega) for each frame that turns freely
template <class Visit>
void for_each_spin(const Model& model, const State& state, SegmentSpin counted, Visit visit) {
  const std::size_t segments = counted == SegmentSpin::counted ? model.segments.size() : 0;
  for (std::size_t s = 0; s < segments; ++s) {
    const Vec3d inertia = model.segments[s].rest_length * model.segments[s].linear_inertia;
    visit(spin_momentum(state.q[s], inertia, state.omega[s]), state.omega[s]);
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].kind == BodyKind::dynamic)
      visit(spin_momentum(state.body_q[b], model.bodies[b].inertia, state.body_omega[b]), state.body_omega[b]);
}

}  // namespace

double kinetic_energy(const Model& model, const State& state, SegmentSpin counted) {
  double energy = 0;
  for_each_mass(model, state, [&](double mass, const Vec3d&, const Vec3d& v) { energy += 0.5 * mass * dot(v, v); });
  for_each_spin(model, state, counted,
                [&](const Vec3d& spin, const Vec3d& omega) { energy += 0.5 * dot(spin, omega); });
  return energy;
}

double gravity_energy(const Model& model, const State& state) {
  double energy = 0;
  for_each_mass(model, state,
                [&](double mass, const Vec3d& x, const Vec3d&) { energy -= mass * dot(model.gravity, x); });
  return energy;
}

Vec3d linear_momentum(const Model& model, const State& state) {
  Vec3d momentum;
  for_each_mass(model, state, [&](double mass, const Vec3d&, const Vec3d& v) { momentum += mass * v; });
  return momentum;
}

Vec3d angular_momentum(const Model& model, const State& state, SegmentSpin counted) {
  Vec3d momentum;
  for_each_mass(model, state, [&](double mass, const Vec3d& x, const Vec3d& v) { momentum += mass * cross(x, v); });
  for_each_spin(model, state, counted, [&](const Vec3d& spin, const Vec3d&) { momentum += spin; });
  return momentum;
}

}  // namespace tendril::rod
