#include "solvers/alpha/equations.h"

#include "solvers/inertia.h"

namespace tendril::solvers::alpha {
namespace {

// diag(c) m
Mat3d scale_rows(const Vec3d& c, const Mat3d& m) { return {scale(c, m.c0), scale(c, m.c1), scale(c, m.c2)}; }

Mat3d inverse(const Mat3d& m) {
  const Vec3d r0 = cross(m.c1, m.c2), r1 = cross(m.c2, m.c0), r2 = cross(m.c0, m.c1);
  return (1 / dot(m.c0, r0)) * transpose(Mat3d{r0, r1, r2});
}

Vec3d load_on(const std::vector<Vec3d>& moment, int s) { return moment.empty() ? Vec3d{} : moment[s]; }

}  // namespace

void Equations::reset(const Model& model) {
  model_ = &model;
  supports_ = supports_of(model);
  chains_ = chains_of(model);
  damped_mass_ = damped_mass(model);
  rest_angle_.clear();
  for (const Bend& bend : model.bends) rest_angle_.push_back(shortest_angle(bend.rest));
  vertex_terms_.assign(model.vertices.size(), {});
  segment_terms_.assign(model.segments.size(), {});
  angle_old_.assign(model.bends.size(), {});
  schemes_.assign(chains_.size(), {});
  held_x_.assign(model.vertices.size(), {}), held_v_.assign(model.vertices.size(), {});
}

void Equations::begin_step(const Inputs& inputs, const State& start, const Memory& memory) {
  inputs_ = &inputs, start_ = &start, memory_ = &memory;
  for_held_axes(*model_, supports_.role, inputs.end,
                [&](int i, int k, double x, double v) { held_x_[i][k] = x, held_v_[i][k] = v; });
}

void Equations::prepare(const Chain& chain, const Scheme& scheme) {
  schemes_[chain.number] = scheme;
  for (int i : chain.vertices) prepare_vertex(i, scheme);
  for (int s : chain.segments) prepare_segment(s, scheme);
  prepare_bends(chain);
}

// what multiplies the displacement d, and all else that acts
void Equations::prepare_vertex(int i, const Scheme& scheme) {
  const double m = model_->vertices[i].mass, now = scheme.now(), before = scheme.before();
  const Vec3d u_old = start_->v[i];
  VertexTerms& t = vertex_terms_[i];
  t.damping = damped_mass_[i], t.drag = inputs_->end.drag.empty() ? 0 : inputs_->end.drag[i];
  t.stiffness = (m * scheme.by_velocity() + now * (t.damping + t.drag)) * scheme.by_way();
  const Vec3d u_rest = scheme.velocity_rest(u_old, memory_->way_per_time[i]);
  t.load = now * inputs_->end.force[i] + before * inputs_->begin.force[i];
  t.load -= m * (scheme.by_velocity() * u_rest + scheme.acceleration_rest(u_old, memory_->acceleration[i]));
  t.load -= t.damping * (now * u_rest + before * u_old) + (t.drag * now) * (u_rest - u_old);
}

void Equations::prepare_segment(int s, const Scheme& scheme) {
  const Segment& segment = model_->segments[s];
  const double now = scheme.now(), before = scheme.before();
  const Quatd& q = start_->q[s];
  SegmentTerms& t = segment_terms_[s];
  t.inertia = segment.rest_length * segment.linear_inertia;
  t.omega_old = rotate(conjugate(q), start_->omega[s]);
  t.omega_rest = scheme.velocity_rest(t.omega_old, memory_->turn_per_time[s]);
  t.spin_old = rotate(q, scale(t.inertia, t.omega_old));
  t.load = now * load_on(inputs_->end.moment, s) + before * load_on(inputs_->begin.moment, s);
  t.load -= scheme.acceleration_rest(t.spin_old, memory_->moment[s]) + (segment.damping * before) * t.spin_old;
  t.edge_old = start_->x[segment.vertex[1]] - start_->x[segment.vertex[0]];
  t.compliance = compliance_of(segment);
  t.strain_rate = segment.internal_damping / scheme.h, t.strain_share = now;
  const Vec3d strain_old = rotate(conjugate(q), t.edge_old / segment.rest_length) - Vec3d{0, 0, 1};
  t.strain_rest = (before - t.strain_rate) * strain_old;
}

// what bends need of the start of the step
void Equations::prepare_bends(const Chain& chain) {
  const Scheme& scheme = schemes_[chain.number];
  for (const ChainBend& place : chain.bends) {
    const Bend& bend = model_->bends[place.bend];
    if (scheme.before() == 0 && bend.internal_damping == 0) continue;
    angle_old_[place.bend] = angle_beyond_rest(bend, rest_angle_[place.bend], frame_old(bend.a), frame_old(bend.b));
  }
}

BendMoment Equations::moment_of(int b, const Scheme& scheme, const Trial& at) const {
  const Bend& bend = model_->bends[b];
  return bend_moment(bend, rest_angle_[b], {frame(bend.a, at), frame(bend.b, at) * bend.turn}, frames_old(bend),
                     {scheme.now(), scheme.before(), bend.internal_damping / scheme.h, angle_old_[b]});
}

void Equations::guess(const Chain& chain, Guess how, Trial& at) const {
  const Scheme& scheme = schemes_[chain.number];
  const double ahead = how == Guess::moving ? scheme.h : 0;
  for (int i : chain.vertices) {
    at.way[i] = ahead * start_->v[i];
    for (int k = 0; k < 3 && how == Guess::moving; ++k)
      if (supports_.free_axes[i][k] == 0) at.way[i][k] = held_x_[i][k] - start_->x[i][k];
    at.x[i] = start_->x[i] + at.way[i];
  }
  for (int s : chain.segments) {
    at.turn[s] = ahead * segment_terms_[s].omega_old;
    at.q[s] = start_->q[s] * quaternion_of_gibbs(at.turn[s]);
    at.force[s] = memory_->force[s];
  }
}

double Equations::rest_length(const Chain& chain, int node) const {
  const int segments = chain.segment_count();
  return segments == 0 ? 1 : model_->segments[chain.segments[std::min(node, segments - 1)]].rest_length;
}

Vec3d Equations::omega_at(int s, const Scheme& scheme, const Trial& at) const {
  return scheme.by_way() * at.turn[s] + segment_terms_[s].omega_rest;
}

void Equations::rows(const Chain& chain, int node, const Trial& at, NodeRows& out) const {
  out = {};
  add_vertex_rows(chain, node, at, out);
  if (node == chain.segment_count()) {  // the last vertex has no segment behind it
    out.own[NodeRows::segment][1] = out.own[NodeRows::strain][2] = Mat3d::identity();
    return;
  }
  add_segment_rows(chain, node, at, out);
  add_strain_rows(chain, node, at, out);
  add_bend_rows(chain, node, at, out);
}

// stiffness (x - x_old) - load - Σ ±N
void Equations::add_vertex_rows(const Chain& chain, int node, const Trial& at, NodeRows& out) const {
  const int i = chain.vertices[node];
  const VertexTerms& t = vertex_terms_[i];
  const Vec3d& free = supports_.free_axes[i];
  Vec3d left = t.load - t.stiffness * at.way[i];
  if (node > 0) {
    const int s = chain.segments[node - 1];
    left += pull(s, i) * at.force[s];
    out.vertex_by_last_N = Mat3d::diagonal((-pull(s, i)) * free);
  }
  if (node < chain.segment_count()) {
    const int s = chain.segments[node];
    left += pull(s, i) * at.force[s];
    out.own[NodeRows::vertex][2] = Mat3d::diagonal((-pull(s, i)) * free);
  }
  Vec3d own;
  for (int k = 0; k < 3; ++k) {
    own[k] = free[k] != 0 ? t.stiffness : 1;
    if (free[k] == 0) left[k] = held_x_[i][k] - start_->x[i][k] - at.way[i][k];
  }
  out.own[NodeRows::vertex][0] = Mat3d::diagonal(own);
  out.left[NodeRows::vertex] = left;
}

// r H + c (now H + before H_old) - load - (now edge + before edge_old) x N, without bends
void Equations::add_segment_rows(const Chain& chain, int node, const Trial& at, NodeRows& out) const {
  const Scheme& scheme = schemes_[chain.number];
  const int s = chain.segments[node];
  const Segment& segment = model_->segments[s];
  const SegmentTerms& t = segment_terms_[s];
  const Mat3d R = rotation_matrix(at.q[s]), R_old = rotation_matrix(start_->q[s]);
  const Vec3d edge = at.x[segment.vertex[1]] - at.x[segment.vertex[0]], N = at.force[s];
  const Vec3d mean_edge = scheme.now() * edge + scheme.before() * t.edge_old;
  const Vec3d H = R * scale(t.inertia, omega_at(s, scheme, at));
  const double weight = scheme.by_velocity() + segment.damping * scheme.now();
  const Mat3d H_by_turn =
      (-1.0) * skew(H) + scheme.by_way() * (R * scale_rows(t.inertia, gibbs_jacobian(at.turn[s]) * transpose(R_old)));
  const Mat3d by_edge = scheme.now() * skew(N);  // of the end that the segment is behind: see `sign`
  const double sign = segment.vertex[0] == chain.vertices[node] ? 1 : -1;
  out.own[NodeRows::segment][0] = (-sign) * by_edge;
  out.next[NodeRows::segment][0] = sign * by_edge;
  out.own[NodeRows::segment][1] = weight * H_by_turn;
  out.own[NodeRows::segment][2] = (-1.0) * skew(mean_edge);
  out.left[NodeRows::segment] = t.load - weight * H + cross(mean_edge, N);
}

// (share + rate) gamma + strain_rest - (now R + before R_old)⁻¹ N / K
void Equations::add_strain_rows(const Chain& chain, int node, const Trial& at, NodeRows& out) const {
  const Scheme& scheme = schemes_[chain.number];
  const int s = chain.segments[node];
  const Segment& segment = model_->segments[s];
  const SegmentTerms& t = segment_terms_[s];
  const double l = segment.rest_length, weight = t.strain_share + t.strain_rate;
  const Mat3d R = rotation_matrix(at.q[s]), R_old = rotation_matrix(start_->q[s]), Rt = transpose(R);
  const Vec3d edge = (1 / l) * (at.x[segment.vertex[1]] - at.x[segment.vertex[0]]), N = at.force[s];
  const Mat3d to_frame = inverse(scheme.now() * R + scheme.before() * R_old);
  const Vec3d force = to_frame * N;  // in the segment's frame, K times the strain
  const Vec3d has = t.compliance.has_strain, C = t.compliance.compliance;
  const double sign = segment.vertex[0] == chain.vertices[node] ? 1 : -1;
  const Mat3d by_edge = (weight * sign / l) * scale_rows(has, Rt);
  out.own[NodeRows::strain][0] = (-1.0) * by_edge;
  out.next[NodeRows::strain][0] = by_edge;
  out.own[NodeRows::strain][1] =
      weight * scale_rows(has, Rt * skew(edge)) + (-scheme.now()) * scale_rows(C, to_frame * skew(R * force));
  out.own[NodeRows::strain][2] = (-1.0) * scale_rows(C, to_frame);
  const Vec3d strain = Rt * edge - Vec3d{0, 0, 1};
  out.left[NodeRows::strain] = scale(C, force) - scale(has, weight * strain + t.strain_rest);
}

// minus the moments of those that join this segment to the ones beside it and to bodies
void Equations::add_bend_rows(const Chain& chain, int node, const Trial& at, NodeRows& out) const {
  const Scheme& scheme = schemes_[chain.number];
  const int segments = chain.segment_count();
  const auto add = [&](const ChainBend& place) {
    const BendMoment m = moment_of(place.bend, scheme, at);
    const bool is_b = place.b == node;
    const double sign = is_b ? 1 : -1;  // of the moment on this segment
    out.left[NodeRows::segment] += sign * m.moment;
    out.own[NodeRows::segment][1] += (-sign) * (is_b ? m.by_turn_b : m.by_turn_a);
    const int other = is_b ? place.a : place.b;
    const Mat3d by_other = (-sign) * (is_b ? m.by_turn_a : m.by_turn_b);
    if (other == node + 1) out.next[NodeRows::segment][1] += by_other;
    if (other >= 0 && other == node - 1) out.segment_by_last_w += by_other;
  };
  for (int k = chain.first_bend[node]; k < chain.first_bend[node + 1]; ++k) add(chain.bends[k]);
  if (node + 1 == segments) return;
  for (int k = chain.first_bend[node + 1]; k < chain.first_bend[node + 2]; ++k)
    if (chain.bends[k].a == node || chain.bends[k].b == node) add(chain.bends[k]);
}

// m ((1 - alpha) a_new + alpha a_old), by the forces: those of segments add up to nothing to the last digit
Vec3d Equations::vertex_force(int i, const Scheme& scheme, const Trial& at) const {
  const VertexTerms& t = vertex_terms_[i];
  const Vec3d u_old = start_->v[i];
  const Vec3d u = scheme.by_way() * at.way[i] + scheme.velocity_rest(u_old, memory_->way_per_time[i]);
  const Vec3d outer = scheme.now() * inputs_->end.force[i] + scheme.before() * inputs_->begin.force[i];
  return outer - t.damping * (scheme.now() * u + scheme.before() * u_old) - (t.drag * scheme.now()) * (u - u_old);
}

void Equations::finish(const Chain& chain, const Trial& at, State& end, Memory& next) const {
  const Scheme& scheme = schemes_[chain.number];
  for (int n = 0; n < static_cast<int>(chain.vertices.size()); ++n) {
    const int i = chain.vertices[n];
    Vec3d force = vertex_force(i, scheme, at);
    if (n > 0) force += pull(chain.segments[n - 1], i) * at.force[chain.segments[n - 1]];
    if (n < chain.segment_count()) force += pull(chain.segments[n], i) * at.force[chain.segments[n]];
    const double mass = model_->vertices[i].mass;
    const Vec3d u_old = start_->v[i], a_old = memory_->acceleration[i], w_old = memory_->way_per_time[i];
    const Vec3d d = at.way[i];
    Vec3d a = scheme.acceleration_of_mean(mass > 0 ? force / mass : Vec3d{}, a_old);
    Vec3d u = scheme.velocity_of_acceleration(u_old, a_old, a);
    end.x[i] = at.x[i];
    for (int k = 0; k < 3; ++k)
      if (supports_.free_axes[i][k] == 0) {
        u[k] = held_v_[i][k], end.x[i][k] = held_x_[i][k];
        a[k] = scheme.derivative(u - u_old, a_old)[k];
      }
    end.v[i] = u;
    next.acceleration[i] = a, next.way_per_time[i] = scheme.way_per_time(d, w_old, u, a);
  }
  for (int s : chain.segments) {
    const SegmentTerms& t = segment_terms_[s];
    const Vec3d omega = omega_at(s, scheme, at), spin = rotate(at.q[s], scale(t.inertia, omega));
    const Vec3d moment_old = memory_->moment[s], turn_old = memory_->turn_per_time[s];
    end.q[s] = at.q[s], end.omega[s] = rotate(at.q[s], omega);
    next.moment[s] = scheme.derivative(spin - t.spin_old, moment_old);
    next.turn_per_time[s] = scheme.way_per_time(at.turn[s], turn_old, omega, (1 / scheme.h) * (omega - t.omega_old));
    next.force[s] = at.force[s];
  }
}

}  // namespace tendril::solvers::alpha
