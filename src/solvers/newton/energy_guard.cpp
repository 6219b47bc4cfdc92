#include "solvers/newton/energy_guard.h"

#include <algorithm>
#include <cmath>

#include "rod/energy.h"
#include "rod/momentum.h"

namespace tendril::solvers::newton {
namespace {

constexpr double allowed_growth = 1e-3;  // of Change::at_work, over all steps [-]
constexpr double comes_back = 1e-2;      // of the same: what vibrations of coarse steps make it come and go [-]
constexpr double round_off = 1e-12;      // of the whole energy, in one step [-]

// free parts as they are seen from their centre
void leave_out_flight(const Model& model, const Parts& parts, State& state) {
  for (const Part& part : parts.all()) {
    if (!part.is_free) continue;
    const auto for_masses = [&](auto visit) {
      for (const Unknown& u : part.unknowns) {
        const int i = u.index;
        if (u.kind == Kind::vertex) visit(model.vertices[i].mass, state.x[i], state.v[i]);
        if (u.kind == Kind::body_place) visit(model.bodies[i].mass, state.body_x[i], state.body_v[i]);
      }
      for (int i : part.slaved_vertices) visit(model.vertices[i].mass, state.x[i], state.v[i]);
    };
    double mass = 0;
    Vec3d moment, momentum;
    for_masses([&](double m, const Vec3d& x, const Vec3d& v) { mass += m, moment += m * x, momentum += m * v; });
    if (!(mass > 0)) continue;
    const Vec3d centre = moment / mass, velocity = momentum / mass;
    for_masses([&](double, Vec3d& x, Vec3d& v) { x -= centre, v -= velocity; });
  }
}

}  // namespace

bool EnergyGuard::allows(const State& before, const Iterate& at_z, const State& after) {
  const Change change = this->change(before, at_z, after);
  const double surplus = balance(change);
  if (!(surplus <= allowed_growth * change.at_work + round_off * change.whole)) return false;
  surplus_ = surplus;
  return true;
}

void EnergyGuard::book(const State& before, const Iterate& at_z, const State& after) {
  surplus_ = std::min(std::max(surplus_, 0.0), balance(change(before, at_z, after)));
}

double EnergyGuard::balance(const Change& change) const {
  return std::max(-comes_back * change.at_work, surplus_ + change.surplus);
}

auto EnergyGuard::change(const State& before, const Iterate& at_z, const State& after) -> Change {
  const Problem& p = problem_;
  const Model& model = *p.model;
  const Inputs& inputs = *p.inputs;
  const double f = p.scheme.alpha_f;
  z_.x = at_z.x, z_.q = at_z.q, z_.body_x = at_z.body_x, z_.body_q = at_z.body_q;
  Forces inner = Forces::zero(model);
  add_elastic_forces(model, z_, inner);
  old_ = before, new_ = after;
  leave_out_flight(model, parts_, old_), leave_out_flight(model, parts_, new_);
  double work = 0, moved = 0;
  for (std::size_t i = 0; i < after.x.size(); ++i) {
    Vec3d acting = (1 - f) * inputs.end.force[i] + f * inputs.begin.force[i];
    // what holds it provides all that its motion takes
    const Vec3d needed = (model.vertices[i].mass / p.scheme.h) * (new_.v[i] - old_.v[i]) - inner.force[i];
    for (int k = 0; k < 3; ++k)
      if (p.free_axes(i)[k] == 0) acting[k] = needed[k];
    const double done = dot(acting, new_.x[i] - old_.x[i]);
    work += done, moved += std::abs(done);
  }
  for (std::size_t s = 0; s < p.moment.size(); ++s) work += dot(p.moment[s], turn_between(before.q[s], after.q[s]));
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const bool held = model.bodies[b].kind == BodyKind::kinematic;
    const Vec3d moment = held ? -inner.body_moment[b] : p.bodies[b].moment;
    const double turning = dot(moment, turn_between(before.body_q[b], after.body_q[b]));
    work += turning, moved += std::abs(turning);
    if (held || inputs.end.body_force.empty()) continue;
    work += dot((1 - f) * inputs.end.body_force[b] + f * inputs.begin.body_force[b], new_.body_x[b] - old_.body_x[b]);
  }
  const double energy = elastic_energy(model, old_) + kinetic_energy(model, old_);
  const double end = elastic_energy(model, new_) + kinetic_energy(model, new_);
  return {end - energy - work, energy + moved, energy + moved + kinetic_energy(model, before)};
}

}  // namespace tendril::solvers::newton
