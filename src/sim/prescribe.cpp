#include "sim/prescribe.h"

#include <algorithm>
#include <span>

namespace tendril::sim {
namespace {

// the section's frame at a vertex: half-way between the segments that meet there
Quatd mean_frame(const State& state, std::span<const int> segments) {
  if (segments.empty()) return {};
  Quatd sum{0, 0, 0, 0};
  for (int s : segments) sum += dot(state.q[s], state.q[segments[0]]) < 0 ? -state.q[s] : state.q[s];
  return normalized(sum);
}

// a moment is shared by the segments that meet at the vertex
void add_vertex_load(const Load& load, double factor, const State& frames, const Neighbours& neighbours, Instant& out) {
  if (!load.in_material_frame && load.moment == Vec3d{}) {
    for (int i : load.indices) out.force[i] += factor * load.force;
    return;
  }
  for (int i : load.indices) {
    const auto segments = neighbours.of(i);
    const Quatd frame = load.in_material_frame ? mean_frame(frames, segments) : Quatd{};
    out.force[i] += factor * rotate(frame, load.force);
    for (int s : segments) out.moment[s] += (factor / double(segments.size())) * rotate(frame, load.moment);
  }
}

void add_line_load(const Load& load, double factor, const Model& model, const State& frames, Instant& out) {
  for (int s : load.indices) {
    const Segment& segment = model.segments[s];
    const Vec3d per_length = load.in_material_frame ? rotate(frames.q[s], load.force) : load.force;
    for (int i : segment.vertex) out.force[i] += (0.5 * factor * segment.rest_length) * per_length;
  }
}

void add_body_load(const Load& load, double factor, const State& frames, Instant& out) {
  for (int b : load.indices) {
    const Quatd frame = load.in_material_frame ? frames.body_q[b] : Quatd{};
    out.body_force[b] += factor * rotate(frame, load.force);
    out.body_moment[b] += factor * rotate(frame, load.moment);
  }
}

void add_loads(const Model& model, const State& frames, const Neighbours& neighbours, StepBorder border, Instant& out) {
  out.moment.assign(model.loads.empty() ? 0 : model.segments.size(), {});
  for (const Load& load : model.loads) {
    const double factor = load_factor(load, border);
    if (factor == 0) continue;
    switch (load.target) {
      case LoadTarget::vertex:
        add_vertex_load(load, factor, frames, neighbours, out);
        break;
      case LoadTarget::segment_line:
        add_line_load(load, factor, model, frames, out);
        break;
      case LoadTarget::body:
        add_body_load(load, factor, frames, out);
        break;
    }
  }
}

// at the time of `out`
void place_body(const Model& model, const State& now, const std::vector<Pose>& held_start, int b, Instant& out) {
  if (model.bodies[b].kind == BodyKind::dynamic) {
    out.body_pose[b] = {now.body_x[b], now.body_q[b]};
    out.body_twist[b] = {now.body_v[b], now.body_omega[b]};
  } else {
    const Moving held = moving(model.bodies[b].motions, held_start[b], out.time);
    out.body_pose[b] = held.pose, out.body_twist[b] = held.twist;
  }
}

}  // namespace

double load_factor(const Load& load, StepBorder border) {
  const bool begun = border.step_ends ? later(border.time, load.from) : !later(load.from, border.time);
  const bool ended = border.step_ends ? later(border.time, load.until) : !later(load.until, border.time);
  if (!begun || ended) return 0;
  const double ramp = load.ramp > 0 ? std::clamp((border.time - load.from) / load.ramp, 0.0, 1.0) : 1;
  return load.factor_keys.empty() ? ramp : ramp * interpolate(load.factor_keys, border.time).x;
}

Prescription::Prescription(const Model& model, std::uint64_t seed)
    : model_(model), neighbours_(model), fields_(model, neighbours_, seed) {}

Instant Prescription::at(StepBorder border, const State& now, const std::vector<Pose>& held_start) const {
  Instant out;
  const Share all{0, int(model_.vertices.size())};
  prepare(out);
  add_weight(all, out);
  out.time = border.time;
  for (int b = 0; b < int(model_.bodies.size()); ++b) place_body(model_, now, held_start, b, out);
  add_body_weights_and_loads(border, now, out);
  fields_.add(all, now, 0, border.time, out);
  return out;
}

void Prescription::over_step(double end, const State& now, const State& then, const std::vector<Pose>& held_start,
                             ThreadTeam& team, Inputs& out) const {
  const int count = int(model_.vertices.size()), body_count = int(model_.bodies.size());
  prepare(out.begin), prepare(out.end);
  out.begin.time = now.time, out.end.time = end;
  const int chunks = team.chunks_of(std::max(count, body_count));
  team.run(chunks, [&](int chunk, int) {
    const Share vertices = share_of(count, chunk, chunks);
    add_weight(vertices, out.end);
    fields_.add(vertices, now, end - now.time, 0.5 * (now.time + end), out.end);
    std::copy_n(out.end.force.begin() + vertices.begin, vertices.end - vertices.begin,
                out.begin.force.begin() + vertices.begin);
    if (!fields_.empty())
      std::copy_n(out.end.drag.begin() + vertices.begin, vertices.end - vertices.begin,
                  out.begin.drag.begin() + vertices.begin);
    const Share bodies = share_of(body_count, chunk, chunks);
    for (int b = bodies.begin; b < bodies.end; ++b)
      place_body(model_, now, held_start, b, out.begin), place_body(model_, now, held_start, b, out.end);
  });
  add_body_weights_and_loads({now.time, false}, now, out.begin);
  add_body_weights_and_loads({end, true}, then, out.end);
}

void Prescription::prepare(Instant& out) const {
  out.force.resize(model_.vertices.size());
  out.drag.resize(fields_.empty() ? 0 : model_.vertices.size());
  out.body_pose.resize(model_.bodies.size());
  out.body_twist.resize(model_.bodies.size());
}

void Prescription::add_weight(Share vertices, Instant& out) const {
  for (int i = vertices.begin; i < vertices.end; ++i) out.force[i] = model_.vertices[i].mass * model_.gravity;
  if (!fields_.empty()) std::fill(out.drag.begin() + vertices.begin, out.drag.begin() + vertices.end, 0.0);
}

void Prescription::add_body_weights_and_loads(StepBorder border, const State& frames, Instant& out) const {
  out.body_force.assign(model_.bodies.size(), {});
  out.body_moment.assign(model_.bodies.size(), {});
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    if (model_.bodies[b].kind == BodyKind::dynamic) out.body_force[b] = model_.bodies[b].mass * model_.gravity;
  add_loads(model_, frames, neighbours_, border, out);
}

}  // namespace tendril::sim
