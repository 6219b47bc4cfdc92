#include "solvers/newton/problem.h"

#include <algorithm>
#include <cassert>
#include <numbers>

#include "rod/energy.h"
#include "solvers/inertia.h"

namespace tendril::solvers::newton {

Quatd part_of_turn(const Quatd& from, const Quatd& to, double share) {
  if (share == 1) return to;
  return quaternion_exp(share * turn_between(from, to)) * from;
}

void Problem::reset(const Model& new_model) {
  model = &new_model;
  scheme = {};
  const std::size_t vertices = model->vertices.size();
  Supports supports = supports_of(*model);
  role = std::move(supports.role), tie = std::move(supports.tie);
  held_axes.assign(vertices, 0);
  for (std::size_t i = 0; i < vertices; ++i)
    for (int k = 0; k < 3; ++k)  // a slaved one is moved by its body's unknowns
      if (role[i] != Role::slaved && supports.free_axes[i][k] == 0) held_axes[i] |= static_cast<char>(1 << k);
  weight.assign(vertices, 0), goal.assign(vertices, {});
  damped_mass_ = solvers::damped_mass(*model);
  rest_moves_ =
      std::any_of(model->segments.begin(), model->segments.end(),
                  [](const Segment& s) { return s.internal_damping > 0; }) ||
      std::any_of(model->bends.begin(), model->bends.end(), [](const rod::Bend& b) { return b.internal_damping > 0; });
  frame_goal.resize(model->segments.size()), bends.resize(model->bends.size());
  for (std::size_t b = 0; b < bends.size(); ++b) {
    const rod::Bend& bend = model->bends[b];
    bends[b] = {!(bend.rest == Quatd{} || -bend.rest == Quatd{}), !(bend.turn == Quatd{}),
                bend.holds_an_axis() || has_quaternion_strain};
  }
  stretch_rest.assign(rest_moves_ ? model->segments.size() : 0, {0, 0, 1});
  bend_rest.resize(rest_moves_ ? bends.size() : 0);
  for (std::size_t b = 0; b < bend_rest.size(); ++b) bend_rest[b] = rest_of(static_cast<int>(b));
  bends_leap = false;
  for (std::size_t b = 0; b < bends.size(); ++b)  // a whole turn may be cheaper than none, see make_bend
    bends_leap |= bends[b].bent && !bends[b].scalar && bend(static_cast<int>(b)).ridge > 0.5 * std::numbers::pi;
}

void Accelerations::forget(const Model& model, int order) {
  vertex.assign(order == 2 ? model.vertices.size() : 0, {});
  segment.assign(order == 2 ? model.segments.size() : 0, {});
  body.assign(model.bodies.size(), {}), body_turn.assign(model.bodies.size(), {});
  known = false;
}

void Problem::begin_step(const Inputs& inputs, const Scheme& new_scheme, const State& state, const Accelerations& old) {
  assert(inputs.end.force.size() == model->vertices.size());
  const bool changed = !(scheme == new_scheme);
  scheme = new_scheme, this->inputs = &inputs;
  stiffening_ = 1 / (scheme.share() * scheme.h), spin_weight_ = scheme.weight(), spin_damping_ = scheme.q();
  if (changed || rest_moves_) ++version;
  const bool has_drag = !inputs.end.drag.empty();
  if (changed || has_drag || has_drag_) ++weight_version;
  has_drag_ = has_drag;
  moment = inputs.end.moment;
  if (scheme.alpha_f > 0 && !inputs.begin.moment.empty())
    for (std::size_t s = 0; s < moment.size(); ++s)
      moment[s] = scheme.share() * moment[s] + scheme.alpha_f * inputs.begin.moment[s];
  set_bodies(inputs, state, old);
}

void Problem::set_vertices(const Inputs& inputs, const State& state, const Accelerations& old, Share vertices) {
  const Instant &begin = inputs.begin, &end = inputs.end;
  // of a velocity or an acceleration of 1
  const Vec3d one{1, 0, 0}, none{};
  const double pull_by_v = scheme.pull(one, none).x, pull_by_a = scheme.pull(none, one).x;
  const double v0_by_v = scheme.v0(one, none).x, v0_by_a = scheme.v0(none, one).x;
  const double weight_per_mass = scheme.weight(), q = scheme.q(), share = scheme.share(), before = scheme.alpha_f;
  for (int i = vertices.begin; i < vertices.end; ++i) {
    const Vec3d &v = state.v[i], a = old.of_vertex(i);
    const double mass = model->vertices[i].mass, drag = this->drag(i), damping = damped_mass_[i] + drag;
    Vec3d force = end.force[i];
    if (before > 0) force = share * force + before * begin.force[i];
    force += (mass * pull_by_v + drag - damping * v0_by_v) * v + (mass * pull_by_a - damping * v0_by_a) * a;
    const double stiffness = mass * weight_per_mass + damping * q;
    weight[i] = stiffness, goal[i] = state.x[i] + (stiffness > 0 ? 1 / stiffness : 0.0) * force;
  }
}

// the turn from the start of the step to z, without moments [rad, in the frame of what turns]; J [kg m²], `rate` of its
// angular momentum [N m, world]
Vec3d Problem::free_turn_to_z(const Vec3d& J, double damping, const Quatd& q, const Vec3d& omega,
                              const Vec3d& rate) const {
  if (!scheme.remembers)
    return (scheme.h / (1 + damping * scheme.h)) * free_spin(J, rotate(conjugate(q), omega), scheme.h);
  // Euler's equations: J a = moment - w x J w
  const auto acceleration = [&](const Vec3d& moment, const Vec3d& w) {
    const Vec3d left = moment - cross(w, scale(J, w));
    return Vec3d{J.x > 0 ? left.x / J.x : 0, J.y > 0 ? left.y / J.y : 0, J.z > 0 ? left.z / J.z : 0};
  };
  const Vec3d spin = rotate(conjugate(q), omega), a = acceleration(rotate(conjugate(q), rate), spin);
  const Vec3d free = acceleration({}, spin + (scheme.share() * scheme.h) * a);
  const Vec3d turning = scheme.pull(spin, a) - damping * scheme.v0(spin, a) + free;
  return turning / (scheme.weight() + damping * scheme.q());
}

void Problem::set_segments(const State& state, const Accelerations& old, Share packs) {
  const int count = static_cast<int>(frame_goal.size());
  const Share segments{std::min(count, packs.begin * WideLanes::lanes), std::min(count, packs.end * WideLanes::lanes)};
  if (scheme.remembers)
    for (int s = segments.begin; s < segments.end; ++s) set_goal(state, old, s);
  else
    for (int pack = packs.begin; pack < packs.end; ++pack) set_goals_in_lanes(state, pack);
  if (rest_moves_) set_moving_rests(state, segments);
}

void Problem::set_goal(const State& state, const Accelerations& old, int s) {
  frame_goal[s] = state.q[s] * quaternion_exp(free_turn_to_z(spin_inertia(s), model->segments[s].damping, state.q[s],
                                                             state.omega[s], old.of_segment(s)));
}

// with internal damping: towards the strain at the start of the step
void Problem::set_moving_rests(const State& state, Share segments) {
  for (int s = segments.begin; s < segments.end; ++s) {
    const Segment& segment = model->segments[s];
    if (segment.internal_damping == 0) continue;
    const double ratio = segment.internal_damping / (scheme.share() * scheme.h), part = ratio / (1 + ratio);
    const Vec3d edge = (state.x[segment.vertex[1]] - state.x[segment.vertex[0]]) / segment.rest_length;
    const Vec3d gamma = rotate(conjugate(state.q[s]), edge) - Vec3d{0, 0, 1};
    stretch_rest[s] = Vec3d{0, 0, 1} + part * gamma;
  }
}

void Problem::set_bends(const State& state, Share shared) {
  if (!rest_moves_) return;
  for (int b = shared.begin; b < shared.end; ++b) {
    const rod::Bend& bend = model->bends[b];
    if (bend.internal_damping == 0) continue;
    const double ratio = bend.internal_damping / (scheme.share() * scheme.h);
    const Vec3d angle = bends[b].scalar ? scalar_strain(b, frame(state, bend.a), frame(state, bend.b) * bend.turn).angle
                                        : rod::bend_strain(bend, state).angle;  // beyond rest
    bend_rest[b] = rest_of(b) + (ratio / (1 + ratio)) * angle;
  }
}

void Problem::set_bodies(const Inputs& inputs, const State& state, const Accelerations& old) {
  const Instant &begin = inputs.begin, &end = inputs.end;
  const double f = scheme.alpha_f;
  const auto between = [&](const std::vector<Vec3d>& before, const std::vector<Vec3d>& after, std::size_t b) {
    if (after.empty()) return Vec3d{};
    return f > 0 && !before.empty() ? (1 - f) * after[b] + f * before[b] : after[b];
  };
  bodies.assign(model->bodies.size(), {}), twists.assign(model->bodies.size(), {});
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = model->bodies[b];
    BodyTerm& term = bodies[b];
    if (body.kind == BodyKind::kinematic) {
      term.goal = (1 - f) * end.body_pose[b].x + f * state.body_x[b];
      term.spin.goal = part_of_turn(state.body_q[b], end.body_pose[b].q, 1 - f);
      twists[b] = end.body_twist[b];
      continue;
    }
    term.moment = between(begin.body_moment, end.body_moment, b);
    term.weight = body.mass * scheme.weight();
    term.spin.weight = scheme.weight() * body.inertia;
    const Vec3d force =
        between(begin.body_force, end.body_force, b) + body.mass * scheme.pull(state.body_v[b], old.body[b]);
    term.goal = state.body_x[b] + (term.weight > 0 ? (1 / term.weight) * force : Vec3d{});
    term.spin.goal = state.body_q[b] * quaternion_exp(free_turn_to_z(body.inertia, 0, state.body_q[b],
                                                                     state.body_omega[b], old.body_turn[b]));
  }
  set_held(inputs, state);
}

// where held vertices are at the end of the step, and at z
void Problem::set_held(const Inputs& inputs, const State& state) {
  held.clear(), first_held.assign(model->vertices.size(), -1);
  for_held_axes(*model, role, inputs.end, [&](int i, int k, double x, double v) {
    if (first_held[i] < 0) first_held[i] = static_cast<int>(held.size());
    held.push_back({i, k, scheme.share() * x + scheme.alpha_f * state.x[i][k], x, v});
  });
}

}  // namespace tendril::solvers::newton
