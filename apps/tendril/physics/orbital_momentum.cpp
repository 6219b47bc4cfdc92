#include "physics/orbital_momentum.h"

#include "solvers/newton/problem.h"

namespace tendril::app::physics {

Vec3d orbital_momentum(const Model& model, const State& state) {
  Vec3d sum;
  for (std::size_t i = 0; i < state.v.size(); ++i) sum += model.vertices[i].mass * cross(state.x[i], state.v[i]);
  return sum;
}

Vec3d implicit_euler_gain(const Model& model, const State& before, const State& after, double h) {
  Vec3d sum;
  for (std::size_t i = 0; i < after.v.size(); ++i) sum += (h * model.vertices[i].mass) * cross(after.v[i], before.v[i]);
  return sum;
}

Vec3d gain_from_spin(const Model& model, const State& before, const State& after, double h) {
  newton::Problem problem;
  problem.reset(model);
  Inputs inputs;
  inputs.end.force.resize(model.vertices.size());
  problem.begin_step(inputs, newton::Scheme::implicit_euler(h), before, {});
  problem.set_segments(before, {}, {0, newton::Problem::pack_count(model.segments.size())});
  Vec3d sum;
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const newton::Spin<double> spin = problem.spin(static_cast<int>(s));
    sum -= h * newton::derivatives(spin, newton::half_turn(spin, after.q[s])).torque;
  }
  return sum;
}

Vec3d orbit_changed_by_contact(const Simulation& sim, const StepReport& report) {
  if (report.contacts == 0) return {};
  const Model& model = sim.model();
  const State &before = sim.state_before(), &after = sim.state();
  const double h = sim.last_time_step();
  const Vec3d changed = orbital_momentum(model, after) - orbital_momentum(model, before);
  const bool has_spin = sim.segment_spin() == SegmentSpin::counted;
  return changed - implicit_euler_gain(model, before, after, h) -
         (has_spin ? gain_from_spin(model, before, after, h) : Vec3d{});
}

double impetus(const Model& model, const State& state) {
  double sum = 0;
  for (std::size_t i = 0; i < state.v.size(); ++i) sum += model.vertices[i].mass * norm(state.v[i]);
  return sum;
}

}  // namespace tendril::app::physics
