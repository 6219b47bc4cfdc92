#include "solvers/stable/problem.h"

#include <algorithm>
#include <cassert>

#include "solvers/inertia.h"

namespace tendril::solvers::stable {

Quatd relative_turn(const BendTerm& term, const Quatd& q_a, const Quatd& q_b) {
  return conjugate(q_a * term.left) * (q_b * conjugate(term.right));
}

BendTerm reversed(const BendTerm& term) {
  BendTerm back = term;
  back.left = conjugate(term.right), back.right = conjugate(term.left), back.target = conjugate(term.target);
  return back;
}

namespace {

Quatd half_turn(const Quatd& turn) {
  const Quatd q = shorter_turn(turn);
  return normalized(Quatd{1 + q.w, q.x, q.y, q.z});
}

// without twisting stiffness the spin about the body's axis must cost nothing, so the bend is seen from the body
void share_rest(const Bend& bend, BendTerm& term) {
  const Quatd half = half_turn(bend.rest);
  term.left = term.right = half;
  if (bend.holds_an_axis() && bend.a.is_body) term.left = Quatd{}, term.right = bend.rest;
  if (bend.holds_an_axis() && !bend.a.is_body) term.left = bend.rest, term.right = Quatd{};
  term.right = term.right * conjugate(bend.turn);
}

}  // namespace

void StepProblem::reset(const Model& new_model) {
  model = &new_model;
  h = 0;
  Supports supports = supports_of(*model);
  role = std::move(supports.role), free_axes = std::move(supports.free_axes);
  damped_mass_ = damped_mass(*model);
}

void StepProblem::set_stiffness() {
  damped_bends_.clear();
  stretch.assign(model->segments.size(), {});
  for (std::size_t s = 0; s < stretch.size(); ++s) {
    const Segment& segment = model->segments[s];
    const double ratio = segment.internal_damping / h;
    stretch[s] = {segment.rest_length, segment.GA * (1 + ratio), segment.EA * (1 + ratio), ratio / (1 + ratio)};
  }
  bends.assign(model->bends.size(), {});
  for (std::size_t b = 0; b < bends.size(); ++b) {
    const Bend& bend = model->bends[b];
    BendTerm& term = bends[b];
    share_rest(bend, term);
    term.ratio = bend.internal_damping / h;
    const double scale = 4 * (1 + term.ratio) / bend.length;
    const double least = std::min({bend.EI1, bend.EI2, bend.GJ});
    term.k[0] = scale * least, term.k[1] = scale * bend.EI1, term.k[2] = scale * bend.EI2, term.k[3] = scale * bend.GJ;
    if (term.ratio > 0) damped_bends_.push_back(static_cast<int>(b));
  }
}

void StepProblem::set_sizes() {
  std::vector<double> EA(model->vertices.size()), EA_per_length(EA.size()), torque(stretch.size());
  for (std::size_t s = 0; s < stretch.size(); ++s) {
    const double stiffness = std::max(stretch[s].EA, stretch[s].GA);
    for (int i : model->segments[s].vertex) EA[i] += stiffness, EA_per_length[i] += stiffness / stretch[s].length;
    torque[s] += 2 * stiffness * stretch[s].length;
  }
  for (std::size_t b = 0; b < bends.size(); ++b)
    for (const FrameId& frame : {model->bends[b].a, model->bends[b].b})
      if (!frame.is_body) torque[frame.index] += std::max({bends[b].k[1], bends[b].k[2], bends[b].k[3]});
  double body_stiffness = 0, body_torque = 0;
  for (const Body& body : model->bodies) {
    if (body.kind == BodyKind::kinematic) continue;
    body_stiffness = std::max(body_stiffness, body.mass / (h * h));
    for (int k = 0; k < 3; ++k) body_torque = std::max(body_torque, 4 * body.inertia[k] / (h * h));
  }
  const auto largest = [](const std::vector<double>& v) {
    return v.empty() ? 0.0 : *std::max_element(v.begin(), v.end());
  };
  sizes = {
      largest(EA), std::max(largest(EA_per_length), body_stiffness), std::max(largest(torque), body_torque), 0, 0, 0};
}

void StepProblem::begin_step(const Inputs& inputs, double step, const State& state) {
  begin = state;
  begin_step(inputs, step);
  Extremes extremes;
  set_goals(inputs, {0, static_cast<int>(model->vertices.size())}, extremes);
  set_edges({0, static_cast<int>(model->segments.size())});
  set_damping({0, static_cast<int>(damped_bends_.size())});
  take(extremes);
}

void StepProblem::begin_step(const Inputs& inputs, double step) {
  assert(inputs.end.force.size() == model->vertices.size() && begin.x.size() == model->vertices.size());
  if (h != step) {
    h = step;
    set_stiffness();
    set_sizes();
  }
  weight.resize(model->vertices.size()), goal.resize(model->vertices.size()), edge.resize(model->segments.size());
  force_ = &inputs.end.force;
  sizes.position = sizes.inertia = sizes.extent = 0;
  largest_force = largest_moment = 0;
  moment = inputs.end.moment;
  for (const Vec3d& m : moment) largest_moment = std::max(largest_moment, norm(m));
  if (largest_moment == 0) moment.clear();
  set_bodies(inputs);
}

void StepProblem::set_goals(const Inputs& inputs, Share vertices, Extremes& extremes) {
  const Instant& end = inputs.end;
  Extremes e = extremes;
  for (int i = vertices.begin; i < vertices.end; ++i) {
    // (m + c m h + d h) v = (m + d h) v_old + h f
    const double drag = end.drag.empty() ? 0 : h * end.drag[i];
    const double mass = model->vertices[i].mass + drag, effective = mass + h * damped_mass_[i];
    weight[i] = effective / (h * h);
    goal[i] = effective > 0 ? (h / effective) * (mass * begin.v[i] + h * end.force[i]) : Vec3d{};
    const Vec3d &x = begin.x[i], &y = goal[i];
    e.force_squared = std::max(e.force_squared, norm_squared(end.force[i]));
    e.inertia = std::max(e.inertia, weight[i] * (std::abs(y.x) + std::abs(y.y) + std::abs(y.z)));
    e.position = std::max(e.position, std::abs(x.x) + std::abs(x.y) + std::abs(x.z));
    e.low = {std::min(e.low.x, x.x), std::min(e.low.y, x.y), std::min(e.low.z, x.z)};
    e.high = {std::max(e.high.x, x.x), std::max(e.high.y, x.y), std::max(e.high.z, x.z)};
  }
  extremes = e;
}

void StepProblem::set_edges(Share segments) {
  for (int s = segments.begin; s < segments.end; ++s) {
    edge[s] = begin.x[model->segments[s].vertex[1]] - begin.x[model->segments[s].vertex[0]];
    StretchTerm& term = stretch[s];
    if (term.beta == 0) continue;
    const Vec3d gamma = rotate(conjugate(begin.q[s]), edge[s] / term.length) - Vec3d{0, 0, 1};
    term.p = Vec3d{0, 0, 1} + term.beta * gamma;
  }
}

void StepProblem::take(const Extremes& e) {
  sizes.position = std::max(sizes.position, e.position);
  sizes.inertia = std::max(sizes.inertia, e.inertia);
  sizes.extent = model->vertices.empty() ? 0 : norm(e.high - e.low);
  largest_force = std::max(largest_force, std::sqrt(e.force_squared));
}

void StepProblem::set_bodies(const Inputs& inputs) {
  const Instant& end = inputs.end;
  bodies.assign(model->bodies.size(), {}), twists.assign(model->bodies.size(), {});
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = model->bodies[b];
    BodyTerm& term = bodies[b];
    if (body.kind == BodyKind::kinematic) {
      term.goal = end.body_pose[b].x, term.turn_goal = end.body_pose[b].q;
      twists[b] = end.body_twist[b];
      continue;
    }
    const Vec3d force = end.body_force.empty() ? Vec3d{} : end.body_force[b];
    term.moment = end.body_moment.empty() ? Vec3d{} : end.body_moment[b];
    term.weight = body.mass / (h * h);
    term.spin_weight = (4 / (h * h)) * body.inertia;
    term.goal = begin.body_x[b] + h * begin.body_v[b] + (body.mass > 0 ? h * h / body.mass : 0.0) * force;
    const Quatd& q = begin.body_q[b];
    term.turn_goal = q * quaternion_exp(h * free_spin(body.inertia, rotate(conjugate(q), begin.body_omega[b]), h));
    const Vec3d& x = begin.body_x[b];
    sizes.position = std::max(sizes.position, std::abs(x.x) + std::abs(x.y) + std::abs(x.z));
    largest_force = std::max(largest_force, norm(force));
    largest_moment = std::max(largest_moment, norm(term.moment));
  }
  if (model->ties.empty()) return;
  prescribed_x.resize(model->vertices.size()), prescribed_v.resize(model->vertices.size());
  for_held_axes(*model, role, end,
                [&](int i, int k, double x, double v) { prescribed_x[i][k] = x, prescribed_v[i][k] = v; });
}

void StepProblem::set_damping(Share damped) {
  for (int d = damped.begin; d < damped.end; ++d) {
    const int b = damped_bends_[d];
    BendTerm& term = bends[b];
    const Quatd rho = relative_turn(term, frame_of(begin, model->bends[b].a), frame_of(begin, model->bends[b].b));
    term.target = (1 / (1 + term.ratio)) * (Quatd{} + term.ratio * shorter_turn(rho));  // phi
  }
}

Vec3d StepProblem::acceleration(int vertex) const {
  const double mass = model->vertices[vertex].mass;
  return mass > 0 ? (*force_)[vertex] / mass : Vec3d{};
}

}  // namespace tendril::solvers::stable
