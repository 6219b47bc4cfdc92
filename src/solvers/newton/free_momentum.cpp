#include "solvers/newton/free_momentum.h"

namespace tendril::solvers::newton {
namespace {

// Nothing but its own forces and those from outside move it. What follows a body has no accelerations of its own.
bool is_left_alone(const Part& part, const Problem& problem, const Inputs& inputs) {
  if (!part.is_free || !inputs.end.drag.empty()) return false;
  for (const Unknown& u : part.unknowns) {
    if (u.kind > Kind::segment && problem.scheme.remembers) return false;
    if (u.kind == Kind::segment && problem.model->segments[u.index].damping > 0) return false;
  }
  return true;
}

// visit(number, mass)
template <class Visit>
void for_vertices(const Part& part, const Problem& problem, Visit visit) {
  for (const Unknown& u : part.unknowns)
    if (u.kind == Kind::vertex) visit(u.index, problem.model->vertices[u.index].mass);
  for (int i : part.slaved_vertices) visit(i, problem.model->vertices[i].mass);
}
template <class Visit>
void for_bodies(const Part& part, const Problem& problem, Visit visit) {
  for (const Unknown& u : part.unknowns)
    if (u.kind == Kind::body_place) visit(u.index, problem.model->bodies[u.index].mass);
}

}  // namespace

FreeMomentum free_momentum(const Part& part, const Problem& problem, const Inputs& inputs, const State& state,
                           const Accelerations& old) {
  FreeMomentum law;
  if (!is_left_alone(part, problem, inputs)) return law;
  const Scheme& scheme = problem.scheme;
  Vec3d momentum, acceleration, force;
  for_vertices(part, problem, [&](int i, double mass) {
    law.mass += mass;
    momentum += mass * state.v[i];
    if (scheme.remembers) acceleration += mass * old.vertex[i];
    force += scheme.share() * inputs.end.force[i];
    if (scheme.alpha_f > 0) force += scheme.alpha_f * inputs.begin.force[i];
  });
  for_bodies(part, problem, [&](int b, double mass) {
    law.mass += mass, momentum += mass * state.body_v[b], force += inputs.end.body_force[b];
  });
  law.acceleration = (1 / (1 - scheme.alpha_m)) * (force - scheme.alpha_m * acceleration);
  law.momentum = momentum + scheme.h * ((1 - scheme.gamma) * acceleration + scheme.gamma * law.acceleration);
  return law;
}

FreeMomentum operator+(const FreeMomentum& a, const FreeMomentum& b) {
  return {a.mass + b.mass, a.momentum + b.momentum, a.acceleration + b.acceleration};
}

FreeMomentum momentum_now(const Part& part, const Problem& problem, const State& state, const Accelerations& now) {
  FreeMomentum out;
  for_vertices(part, problem, [&](int i, double mass) {
    out.mass += mass;
    out.momentum += mass * state.v[i];
    out.acceleration += mass * now.of_vertex(i);
  });
  for_bodies(part, problem, [&](int b, double mass) {
    out.mass += mass, out.momentum += mass * state.body_v[b], out.acceleration += mass * now.body[b];
  });
  return out;
}

void keep(const FreeMomentum& law, const FreeMomentum& now, const Part& part, const Problem& problem, State& state,
          Accelerations& accelerations) {
  const Vec3d dv = (law.momentum - now.momentum) / law.mass, da = (law.acceleration - now.acceleration) / law.mass;
  for_vertices(part, problem, [&](int i, double) {
    state.v[i] += dv;
    if (!accelerations.vertex.empty()) accelerations.vertex[i] += da;
  });
  for_bodies(part, problem, [&](int b, double) { state.body_v[b] += dv, accelerations.body[b] += da; });
}

}  // namespace tendril::solvers::newton
