#include "rod/energy.h"

#include <algorithm>

namespace tendril::rod {
namespace {

const Quatd& orientation(const FrameId& frame, const State& state) {
  return frame.is_body ? state.body_q[frame.index] : state.q[frame.index];
}

const Vec3d& spin(const FrameId& frame, const State& state) {
  return frame.is_body ? state.body_omega[frame.index] : state.omega[frame.index];
}

Vec3d& moment_on(const FrameId& frame, Forces& forces) {
  return frame.is_body ? forces.body_moment[frame.index] : forces.moment[frame.index];
}

Vec3d stiffness(const Segment& segment) { return {segment.GA, segment.GA, segment.EA}; }
Vec3d stiffness(const Bend& bend) { return {bend.EI1, bend.EI2, bend.GJ}; }

Vec3d strain(const Segment& segment, const State& state, std::size_t s) {
  return stretch_shear_strain(state.x[segment.vertex[0]], state.x[segment.vertex[1]], state.q[s], segment.rest_length);
}

// d/dt Rᵀ (x1 - x0) / l = Rᵀ ((v1 - v0) - omega x (x1 - x0)) / l
Vec3d strain_rate(const Segment& segment, const State& state, std::size_t s) {
  const auto [i, j] = segment.vertex;
  const Vec3d rate = state.v[j] - state.v[i] - cross(state.omega[s], state.x[j] - state.x[i]);
  return rotate(conjugate(state.q[s]), rate / segment.rest_length);
}

// a stress n in the segment's frame pulls its ends together by N = R n; the couple (x1 - x0) x N keeps the balance
void add_stress(const Segment& segment, const State& state, std::size_t s, const Vec3d& stress, Forces& forces) {
  const auto [i, j] = segment.vertex;
  const Vec3d pull = rotate(state.q[s], stress);
  forces.force[i] += pull;
  forces.force[j] -= pull;
  forces.moment[s] += cross(state.x[j] - state.x[i], pull);
}

// the moment of a bend on b when `angle` has the moments m
Vec3d moment_on_b(const BendStrain& strain, const Vec3d& m) {
  return -rotate(strain.frame, transpose(strain.jacobian) * m);
}

Vec3d elastic_moment(const Bend& bend, const BendStrain& strain) {
  return moment_on_b(strain, scale(stiffness(bend), strain.angle) / bend.length);
}

Vec3d damping_moment(const Bend& bend, const BendStrain& strain, const State& state) {
  const Vec3d turning = rotate(conjugate(strain.frame), spin(bend.b, state) - spin(bend.a, state));
  const Vec3d rate = strain.jacobian * turning;
  return moment_on_b(strain, (bend.internal_damping / bend.length) * scale(stiffness(bend), rate));
}

void add_pair(const Bend& bend, const Vec3d& moment, Forces& forces) {
  moment_on(bend.b, forces) += moment;
  moment_on(bend.a, forces) -= moment;
}

}  // namespace

Forces Forces::zero(const Model& model) {
  return {std::vector<Vec3d>(model.vertices.size()), std::vector<Vec3d>(model.segments.size()),
          std::vector<Vec3d>(model.bodies.size()), std::vector<Vec3d>(model.bodies.size())};
}

BendStrain bend_strain(const Bend& bend, const State& state) {
  const Quatd q_a = orientation(bend.a, state), q_b = orientation(bend.b, state) * bend.turn;
  return bend.holds_an_axis() ? swing_strain(q_a, q_b, bend.rest, !bend.b.is_body)
                              : bend_strain(q_a, q_b, bend.rest, stiffness(bend));
}

Vec3d bend_moment(const Bend& bend, const State& state) {
  const BendStrain strain = bend_strain(bend, state);
  return elastic_moment(bend, strain) + damping_moment(bend, strain, state);
}

Vec3d angle_beyond_rest(const Bend& bend, const State& state) {
  if (bend.holds_an_axis()) return bend_strain(bend, state).angle;
  const Quatd q_b = orientation(bend.b, state) * bend.turn;
  return bend_angle(orientation(bend.a, state), q_b, bend.rest, stiffness(bend)) - shortest_angle(bend.rest);
}

double stretch_energy(const Model& model, const State& state) {
  double energy = 0;
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const Segment& segment = model.segments[s];
    const Vec3d gamma = strain(segment, state, s);
    energy += 0.5 * segment.rest_length * dot(gamma, scale(stiffness(segment), gamma));
  }
  return energy;
}

double bend_energy(const Model& model, const State& state) {
  double energy = 0;
  for (const Bend& bend : model.bends) {
    const Vec3d angle = angle_beyond_rest(bend, state);
    energy += 0.5 / bend.length * dot(angle, scale(stiffness(bend), angle));
  }
  return energy;
}

double elastic_energy(const Model& model, const State& state) {
  return stretch_energy(model, state) + bend_energy(model, state);
}

void add_elastic_forces(const Model& model, const State& state, Forces& forces) {
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const Segment& segment = model.segments[s];
    add_stress(segment, state, s, scale(stiffness(segment), strain(segment, state, s)), forces);
  }
  for (const Bend& bend : model.bends) add_pair(bend, elastic_moment(bend, bend_strain(bend, state)), forces);
}

void add_segment_forces(const Model& model, const State& state, std::span<const Vec3d> carried, Forces& forces) {
  for (std::size_t s = 0; s < carried.size(); ++s) {
    const auto [i, j] = model.segments[s].vertex;
    forces.force[i] += carried[s], forces.force[j] -= carried[s];
    forces.moment[s] += cross(state.x[j] - state.x[i], carried[s]);
  }
}

void add_internal_damping(const Model& model, const State& state, Forces& forces) {
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const Segment& segment = model.segments[s];
    if (segment.internal_damping == 0) continue;
    const Vec3d stress = segment.internal_damping * scale(stiffness(segment), strain_rate(segment, state, s));
    add_stress(segment, state, s, stress, forces);
  }
  for (const Bend& bend : model.bends)
    if (bend.internal_damping != 0) add_pair(bend, damping_moment(bend, bend_strain(bend, state), state), forces);
}

void add_external_damping(const Model& model, const State& state, Forces& forces) {
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const Segment& segment = model.segments[s];
    if (segment.damping == 0) continue;
    const double half = 0.5 * segment.damping * segment.linear_density * segment.rest_length;
    for (int i : segment.vertex) forces.force[i] -= half * state.v[i];
    const Vec3d spin = rotate(conjugate(state.q[s]), state.omega[s]);
    const Vec3d brake = segment.damping * segment.rest_length * scale(segment.linear_inertia, spin);
    forces.moment[s] -= rotate(state.q[s], brake);
  }
}

double largest_stretch(const Model& model, const State& state) {
  double largest = 0;
  for (const Segment& segment : model.segments) {
    const double length = norm(state.x[segment.vertex[1]] - state.x[segment.vertex[0]]);
    largest = std::max(largest, std::abs(length / segment.rest_length - 1));
  }
  return largest;
}

}  // namespace tendril::rod
