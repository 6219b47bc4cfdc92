#include "sim/balance.h"

#include <algorithm>

#include "rod/energy.h"

namespace tendril::sim {
namespace {

constexpr Vec3d all_axes{1, 1, 1};

// what pulls at a vertex of a dynamic body pulls at the body
void hand_to_bodies(const Model& model, const State& state, Forces& forces) {
  for (const Tie& tie : model.ties) {
    if (model.bodies[tie.body].kind != BodyKind::dynamic) continue;
    const Vec3d force = forces.force[tie.vertex];
    forces.body_force[tie.body] += force;
    forces.body_moment[tie.body] += cross(state.x[tie.vertex] - state.body_x[tie.body], force);
    forces.force[tie.vertex] = {};
  }
}

void add_loads(const Instant& loads, Forces& forces) {
  for (std::size_t i = 0; i < forces.force.size(); ++i) forces.force[i] += loads.force[i];
  for (std::size_t s = 0; s < loads.moment.size(); ++s) forces.moment[s] += loads.moment[s];
  for (std::size_t b = 0; b < forces.body_force.size(); ++b) {
    forces.body_force[b] += loads.body_force[b];
    forces.body_moment[b] += loads.body_moment[b];
  }
}

double mean_length(const Model& model) {
  double sum = 0;
  for (const Segment& segment : model.segments) sum += segment.rest_length;
  return sum / std::max<double>(1, double(model.segments.size()));
}

}  // namespace

std::vector<Vec3d> held_axes(const Model& model) {
  std::vector<Vec3d> held(model.vertices.size());
  for (const Tie& tie : model.ties)
    if (model.bodies[tie.body].kind == BodyKind::kinematic)
      for (int k = 0; k < 3; ++k)
        if (tie.held[k]) held[tie.vertex][k] = 1;
  return held;
}

double largest_force(const Model& model, const State& state, const Instant& loads, std::span<const Vec3d> carried) {
  double largest = 0;
  for (const Vec3d& force : carried) largest = std::max(largest, norm(force));
  for (const Vec3d& force : loads.force) largest = std::max(largest, norm(force));
  for (const Vec3d& force : loads.body_force) largest = std::max(largest, norm(force));
  for (std::size_t s = 0; s < loads.moment.size(); ++s)
    largest = std::max(largest, norm(loads.moment[s]) / model.segments[s].rest_length);
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const Segment& segment = model.segments[s];
    const Vec3d gamma =
        stretch_shear_strain(state.x[segment.vertex[0]], state.x[segment.vertex[1]], state.q[s], segment.rest_length);
    largest = std::max(largest, norm(scale(gamma, {segment.GA, segment.GA, segment.EA})));
  }
  return largest;
}

Balance balance(const Model& model, const State& state, const Instant& loads, const Contact& contact,
                std::span<const Vec3d> carried) {
  Forces forces = Forces::zero(model);
  add_elastic_forces(model, state, forces);
  add_segment_forces(model, state, carried, forces);
  add_loads(loads, forces);
  contact.add_forces(forces);
  hand_to_bodies(model, state, forces);

  Balance result;
  result.scale = largest_force(model, state, loads, carried);
  const std::vector<Vec3d> held = held_axes(model);
  const auto take = [&](const Vec3d& force) { result.unbalanced = std::max(result.unbalanced, norm(force)); };
  for (std::size_t i = 0; i < held.size(); ++i) take(scale(all_axes - held[i], forces.force[i]));
  for (std::size_t s = 0; s < forces.moment.size(); ++s) take(forces.moment[s] / model.segments[s].rest_length);
  const double length = mean_length(model);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].kind == BodyKind::dynamic) take(forces.body_force[b]), take(forces.body_moment[b] / length);
  return result;
}

}  // namespace tendril::sim
