#include "sim/relaxation.h"

#include <cmath>

namespace tendril::sim {
namespace {

void add(double mass, const Vec3d& v_old, const Vec3d& v_new, double h, Vec3d& force, Advance& advance) {
  const Vec3d last = force;
  force = (mass / h) * (v_new - v_old);
  advance.unbalanced = std::max(advance.unbalanced, norm(force));
  advance.momentum = std::max(advance.momentum, mass * norm(v_new));
  advance.power += dot(force, v_new);
  advance.stiffening -= h * dot(force - last, v_new);
  advance.inertia += mass * h * h * dot(v_new, v_new);
}

}  // namespace

double extent(const State& state) {
  if (state.x.empty()) return 0;
  Vec3d low = state.x[0], high = state.x[0];
  for (const Vec3d& x : state.x)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
  return norm(high - low) + norm(0.5 * (high + low));
}

Inputs still_inputs(const Instant& loads) {
  Inputs inputs;
  inputs.begin = inputs.end = loads;
  for (Instant* instant : {&inputs.begin, &inputs.end}) {
    instant->drag.clear();
    for (Twist& twist : instant->body_twist) twist = {};
  }
  return inputs;
}

void stop(State& state) {
  for (auto* rates : {&state.v, &state.omega, &state.body_v, &state.body_omega})
    std::fill(rates->begin(), rates->end(), Vec3d{});
}

Watch::Watch(const Model& model, const std::vector<Vec3d>& free, bool segments_spin)
    : model_(model),
      free_(free),
      segments_spin_(segments_spin),
      force_(model.vertices.size() + model.bodies.size() + model.segments.size()) {}

Advance Watch::see(const State& before, const State& after, double h) {
  Advance advance;
  for (std::size_t i = 0; i < free_.size(); ++i)
    add(model_.vertices[i].mass, scale(free_[i], before.v[i]), scale(free_[i], after.v[i]), h, force_[i], advance);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    if (model_.bodies[b].kind == BodyKind::dynamic)
      add(model_.bodies[b].mass, before.body_v[b], after.body_v[b], h, force_[free_.size() + b], advance);
  for (std::size_t s = 0; segments_spin_ && s < model_.segments.size(); ++s) {
    const Segment& segment = model_.segments[s];  // whose inertia is the same about all axes, see settling_model
    const double l = segment.rest_length, mass = segment.linear_inertia.x / l;
    Vec3d& force = force_[free_.size() + model_.bodies.size() + s];
    add(mass, l * before.omega[s], l * after.omega[s], h, force, advance);
  }
  advance.finite = std::isfinite(advance.power);
  for (const Quatd& q : after.q) advance.finite = advance.finite && std::isfinite(dot(q, q));
  return advance;
}

void Brake::act(const Advance& advance, double h, State& state) {
  if (swings_freely()) {
    if (advance.power >= 0) return;
    stop(state);
    ++swings_;
    return;
  }
  stiffening_ = 0.95 * stiffening_ + advance.stiffening;
  inertia_ = 0.95 * inertia_ + advance.inertia;
  if (!(stiffening_ > 0 && inertia_ > 0)) return;
  frequency_ = std::sqrt(stiffening_ / inertia_);
  const double kept = std::exp(-2 * frequency_ * h);
  for (auto* rates : {&state.v, &state.omega, &state.body_v, &state.body_omega})
    for (Vec3d& rate : *rates) rate *= kept;
}

void PseudoStep::learn(const StepReport& step) {
  iterations_ += step.iterations;
  failures_ += !step.converged;
  if (++count_ < 5) return;
  const bool hard = failures_ > 0 || iterations_ > hard_step * count_, easy = iterations_ <= easy_step * count_;
  if (hard)
    h_ = std::max(0.5 * h_, shortest_);
  else if (easy)
    h_ = std::min(2 * h_, longest_);
  count_ = iterations_ = failures_ = 0;
}

}  // namespace tendril::sim
