#include "sim/prescribe.h"

#include <algorithm>
#include <optional>
#include <span>

#include "sim/gust.h"

namespace tendril {
namespace {

// the segments that meet at each vertex
class Neighbours {
 public:
  explicit Neighbours(const Model& model) : first_(model.vertices.size() + 1) {
    for (const Segment& segment : model.segments)
      for (int i : segment.vertex) ++first_[i + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    segments_.resize(first_.back());
    std::vector<int> next = first_;
    for (std::size_t s = 0; s < model.segments.size(); ++s)
      for (int i : model.segments[s].vertex) segments_[next[i]++] = int(s);
  }
  std::span<const int> of(int vertex) const {
    return {segments_.data() + first_[vertex], std::size_t(first_[vertex + 1] - first_[vertex])};
  }

 private:
  std::vector<int> first_, segments_;
};

// the section's frame at a vertex: half-way between the segments that meet there
Quatd mean_frame(const State& state, std::span<const int> segments) {
  if (segments.empty()) return {};
  Quatd sum{0, 0, 0, 0};
  for (int s : segments) sum += dot(state.q[s], state.q[segments[0]]) < 0 ? -state.q[s] : state.q[s];
  return normalized(sum);
}

void add_weight(const Model& model, Instant& out) {
  for (std::size_t i = 0; i < model.vertices.size(); ++i) out.force[i] = model.vertices[i].mass * model.gravity;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].kind == BodyKind::dynamic) out.body_force[b] = model.bodies[b].mass * model.gravity;
}

// a moment is shared by the segments that meet at the vertex
void add_vertex_load(const Load& load, double factor, const Model& model, const State& now,
                     std::optional<Neighbours>& neighbours, Instant& out) {
  if (!load.in_material_frame && load.moment == Vec3d{}) {
    for (int i : load.indices) out.force[i] += factor * load.force;
    return;
  }
  if (!neighbours) neighbours.emplace(model);
  for (int i : load.indices) {
    const auto segments = neighbours->of(i);
    const Quatd frame = load.in_material_frame ? mean_frame(now, segments) : Quatd{};
    out.force[i] += factor * rotate(frame, load.force);
    for (int s : segments) out.moment[s] += (factor / double(segments.size())) * rotate(frame, load.moment);
  }
}

void add_line_load(const Load& load, double factor, const Model& model, const State& now, Instant& out) {
  for (int s : load.indices) {
    const Segment& segment = model.segments[s];
    const Vec3d per_length = load.in_material_frame ? rotate(now.q[s], load.force) : load.force;
    for (int i : segment.vertex) out.force[i] += (0.5 * factor * segment.rest_length) * per_length;
  }
}

void add_body_load(const Load& load, double factor, const State& now, Instant& out) {
  for (int b : load.indices) {
    const Quatd frame = load.in_material_frame ? now.body_q[b] : Quatd{};
    out.body_force[b] += factor * rotate(frame, load.force);
    out.body_moment[b] += factor * rotate(frame, load.moment);
  }
}

void add_loads(const Model& model, const State& now, Border border, Instant& out) {
  if (model.loads.empty()) return;
  out.moment.resize(model.segments.size());
  std::optional<Neighbours> neighbours;  // found when the first load needs them
  for (const Load& load : model.loads) {
    const double factor = load_factor(load, border);
    if (factor == 0) continue;
    switch (load.target) {
      case LoadTarget::vertex:
        add_vertex_load(load, factor, model, now, neighbours, out);
        break;
      case LoadTarget::segment_line:
        add_line_load(load, factor, model, now, out);
        break;
      case LoadTarget::body:
        add_body_load(load, factor, now, out);
        break;
    }
  }
}

// drag of a cylinder across the flow, on half a segment at each of its vertices:
//   F = rho/2 Cd 2r l/2 |u_n| u_n,  u_n = the part of (wind - v) normal to the segment
// dF/dv has the eigenvalues -rho Cd r l/2 |u_n| (1 and 2), so twice that bounds it
void add_wind(const Field& field, const Model& model, const State& now, double time, std::uint64_t seed, Instant& out) {
  const Gust gust(field, seed);
  const double factor = field.factor_keys.empty() ? 1 : interpolate(field.factor_keys, time).x;
  std::vector<Vec3d> wind(now.x.size(), factor * field.velocity);
  if (field.gust_amplitude != 0)
    for (std::size_t i = 0; i < wind.size(); ++i) wind[i] += factor * gust.velocity(now.x[i], time);
  for (const Segment& segment : model.segments) {
    const Vec3d edge = now.x[segment.vertex[1]] - now.x[segment.vertex[0]];
    const Vec3d tangent = edge / std::max(norm(edge), 1e-300);
    const double half_drag = 0.5 * field.air_density * field.drag * segment.radius * segment.rest_length;
    for (int i : segment.vertex) {
      const Vec3d flow = wind[i] - now.v[i];
      const Vec3d across = flow - dot(flow, tangent) * tangent;
      out.force[i] += half_drag * norm(across) * across;
      out.drag[i] += 2 * half_drag * norm(across);
    }
  }
}

// a viscous medium at rest: -coefficient v per length
void add_drag(const Field& field, const Model& model, const State& now, Instant& out) {
  for (const Segment& segment : model.segments)
    for (int i : segment.vertex) {
      const double drag = 0.5 * field.coefficient * segment.rest_length;
      out.force[i] -= drag * now.v[i];
      out.drag[i] += drag;
    }
}

void add_fields(const Model& model, const State& now, double time, std::uint64_t seed, Instant& out) {
  if (model.fields.empty()) return;
  out.drag.resize(model.vertices.size());
  for (std::size_t f = 0; f < model.fields.size(); ++f)
    if (model.fields[f].kind == FieldKind::wind)
      add_wind(model.fields[f], model, now, time, seed + f, out);
    else
      add_drag(model.fields[f], model, now, out);
}

void place_bodies(const Model& model, const State& now, const std::vector<Pose>& held_start, double time,
                  Instant& out) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].kind == BodyKind::dynamic) {
      out.body_pose[b] = {now.body_x[b], now.body_q[b]};
      out.body_twist[b] = {now.body_v[b], now.body_omega[b]};
    } else {
      out.body_pose[b] = moved(model.bodies[b].motions, held_start[b], time);
      out.body_twist[b] = motion_rate(model.bodies[b].motions, held_start[b], time);
    }
  }
}

}  // namespace

double load_factor(const Load& load, Border border) {
  const bool begun = border.step_ends ? later(border.time, load.from) : !later(load.from, border.time);
  const bool ended = border.step_ends ? later(border.time, load.until) : !later(load.until, border.time);
  if (!begun || ended) return 0;
  const double ramp = load.ramp > 0 ? std::clamp((border.time - load.from) / load.ramp, 0.0, 1.0) : 1;
  return load.factor_keys.empty() ? ramp : ramp * interpolate(load.factor_keys, border.time).x;
}

Instant prescribe(const Model& model, const State& now, const std::vector<Pose>& held_start, Border border,
                  std::uint64_t seed) {
  Instant out;
  out.time = border.time;
  out.force.resize(model.vertices.size());
  out.body_force.resize(model.bodies.size());
  out.body_moment.resize(model.bodies.size());
  out.body_pose.resize(model.bodies.size());
  out.body_twist.resize(model.bodies.size());
  add_weight(model, out);
  add_loads(model, now, border, out);
  add_fields(model, now, border.time, seed, out);
  place_bodies(model, now, held_start, border.time, out);
  return out;
}

}  // namespace tendril
