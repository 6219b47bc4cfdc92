#include "solvers/block/problem.h"

#include <cassert>

#include "rod/energy.h"

namespace tendril::block {
namespace {

// the turn of one step at constant angular momentum: exp(h w) J w = J w_old in the frame of the body [rad, world]
Vec3d free_turn(const Vec3d& J, const Quatd& q, const Vec3d& omega, double h) {
  if (omega == Vec3d{}) return {};
  const Vec3d start = rotate(conjugate(q), omega), momentum = scale(J, start);
  Vec3d w = start;
  for (int step = 0; step < 50; ++step) {
    const Vec3d turned = rotate(quaternion_exp(-h * w), momentum);
    Vec3d next = start;
    for (int k = 0; k < 3; ++k)
      if (J[k] > 0) next[k] = turned[k] / J[k];
    const double change = norm(next - w);
    w = next;
    if (change <= 1e-15 * norm(start)) return h * rotate(q, w);
  }
  return h * omega;  // it turns too far in one step for the iteration
}

}  // namespace

void Problem::reset(const Model& new_model) {
  model = &new_model;
  h = 0;
  const std::size_t vertices = model->vertices.size();
  role.assign(vertices, Role::free), free_axes.assign(vertices, {1, 1, 1}), tie.assign(vertices, -1);
  prescribed_x.assign(vertices, {}), prescribed_v.assign(vertices, {});
  weight.assign(vertices, 0), goal.assign(vertices, {});
  for (std::size_t t = 0; t < model->ties.size(); ++t) {
    const Tie& row = model->ties[t];
    if (model->bodies[row.body].kind == BodyKind::dynamic) {
      tie[row.vertex] = static_cast<int>(t), role[row.vertex] = Role::slaved;
      continue;
    }
    for (int k = 0; k < 3; ++k)
      if (row.held[k]) free_axes[row.vertex][k] = 0;
  }
  for (std::size_t i = 0; i < vertices; ++i) {
    if (role[i] == Role::slaved) continue;
    const double axes = free_axes[i].x + free_axes[i].y + free_axes[i].z;
    role[i] = axes == 3 ? Role::free : axes == 0 ? Role::held : Role::partly_held;
  }
  damped_mass_.assign(vertices, 0);
  for (const Segment& s : model->segments)
    for (int i : s.vertex) damped_mass_[i] += 0.5 * s.damping * s.linear_density * s.rest_length;
}

// what depends on the Model and h only
void Problem::set_stiffness() {
  stretch.resize(model->segments.size()), spin.resize(model->segments.size());
  for (std::size_t s = 0; s < stretch.size(); ++s) {
    const Segment& segment = model->segments[s];
    const double more = 1 + segment.internal_damping / h;
    stretch[s] = {segment.rest_length, segment.GA * more, segment.EA * more, {0, 0, 1}};
    spin[s].weight = (segment.rest_length * (1 + segment.damping * h) / (h * h)) * segment.linear_inertia;
  }
  bends.resize(model->bends.size());
  for (std::size_t b = 0; b < bends.size(); ++b) {
    const tendril::Bend& bend = model->bends[b];
    BendTerm& term = bends[b];
    term.bend.K = ((1 + bend.internal_damping / h) / bend.length) * Vec3d{bend.EI1, bend.EI2, bend.GJ};
    term.bend.side = bend.rest.w < 0 ? -bend.rest : bend.rest;
    term.turn = bend.turn, term.turns = !(bend.turn == Quatd{});
    term.swings = bend.GJ == 0;
    term.bend.rest = term.swings ? Vec3d{} : quaternion_log(term.bend.side);
  }
}

void Problem::begin_step(const Inputs& inputs, double step, const State& state) {
  assert(inputs.end.force.size() == model->vertices.size());
  if (h != step) h = step, set_stiffness();
  moment = inputs.end.moment;
  set_bodies(inputs, state);
}

void Problem::set_vertices(const Inputs& inputs, const State& state, Share vertices) {
  const Instant& end = inputs.end;
  for (int i = vertices.begin; i < vertices.end; ++i) {
    // (m + c m h + d h) v = (m + d h) v_old + h f
    const double drag = end.drag.empty() ? 0 : h * end.drag[i];
    const double mass = model->vertices[i].mass + drag, effective = mass + h * damped_mass_[i];
    weight[i] = effective / (h * h);
    goal[i] = state.x[i] + (effective > 0 ? (h / effective) * (mass * state.v[i] + h * end.force[i]) : Vec3d{});
  }
}

void Problem::set_segments(const State& state, Share segments) {
  for (int s = segments.begin; s < segments.end; ++s) {
    const Segment& segment = model->segments[s];
    const Vec3d turn = free_turn(segment.linear_inertia, state.q[s], state.omega[s], h) / (1 + segment.damping * h);
    spin[s].goal = turn == Vec3d{} ? state.q[s] : quaternion_exp(turn) * state.q[s];
    if (segment.internal_damping == 0) continue;
    const double ratio = segment.internal_damping / h, part = ratio / (1 + ratio);
    const Vec3d edge = (state.x[segment.vertex[1]] - state.x[segment.vertex[0]]) / segment.rest_length;
    const Vec3d gamma = rotate(conjugate(state.q[s]), edge) - Vec3d{0, 0, 1};
    stretch[s].p = Vec3d{0, 0, 1} + part * gamma;
  }
}

void Problem::set_bends(const State& state, Share shared) {
  for (int b = shared.begin; b < shared.end; ++b) {
    const tendril::Bend& bend = model->bends[b];
    if (bend.internal_damping == 0) continue;
    const double ratio = bend.internal_damping / h;
    const Vec3d angle = tendril::bend_strain(bend, state).angle;  // beyond rest
    const Vec3d rest = bends[b].swings ? Vec3d{} : quaternion_log(bends[b].bend.side);
    bends[b].bend.rest = rest + (ratio / (1 + ratio)) * angle;
  }
}

void Problem::set_bodies(const Inputs& inputs, const State& state) {
  const Instant& end = inputs.end;
  bodies.assign(model->bodies.size(), {}), twists.assign(model->bodies.size(), {});
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = model->bodies[b];
    BodyTerm& term = bodies[b];
    if (body.kind == BodyKind::kinematic) {
      term.goal = end.body_pose[b].x, term.spin.goal = end.body_pose[b].q;
      twists[b] = end.body_twist[b];
      continue;
    }
    const Vec3d force = end.body_force.empty() ? Vec3d{} : end.body_force[b];
    term.moment = end.body_moment.empty() ? Vec3d{} : end.body_moment[b];
    term.weight = body.mass / (h * h);
    term.goal = state.body_x[b] + h * state.body_v[b] + (body.mass > 0 ? h * h / body.mass : 0.0) * force;
    term.spin.weight = (1 / (h * h)) * body.inertia;
    term.spin.goal = quaternion_exp(free_turn(body.inertia, state.body_q[b], state.body_omega[b], h)) * state.body_q[b];
  }
  for (const Tie& row : model->ties) {
    if (role[row.vertex] == Role::slaved) continue;
    const Vec3d arm = rotate(bodies[row.body].spin.goal, row.offset);
    const Vec3d velocity = twists[row.body].v + cross(twists[row.body].omega, arm);
    for (int k = 0; k < 3; ++k)
      if (row.held[k]) {
        prescribed_x[row.vertex][k] = bodies[row.body].goal[k] + arm[k];
        prescribed_v[row.vertex][k] = velocity[k];
      }
  }
}

}  // namespace tendril::block
