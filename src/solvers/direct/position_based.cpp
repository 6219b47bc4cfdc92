#include "solvers/direct/position_based.h"

#include <algorithm>
#include <cmath>

namespace tendril::direct {

void PositionBased::begin_step(const Problem& problem, int workers) {
  original_ = &problem;
  shifted_ = problem;
  shifted_.moment.clear();
  for (BodyTerm& body : shifted_.bodies) body.moment = {};
  no_tension_.assign(problem.frame_goal.size(), {});
  stretches_.assign(problem.frame_goal.size(), {}), moved_.assign(problem.frame_goal.size(), {});
  angles_.resize(problem.bends.size());
  shifted_.stretch_rest.resize(problem.frame_goal.size()), shifted_.bend_rest.resize(problem.bends.size());
  systems_.clear();
  for (int worker = 0; worker < workers; ++worker) systems_.emplace_back(shifted_, *parts_, *structures_, false);
}

void PositionBased::start(const Part& part, Iterate& at) {
  const Problem& p = *original_;
  // what a moment alone would turn, h² J⁻¹ moment
  const auto pushed = [](const Spin<double>& spin, const Vec3d& moment) {
    Vec3d turn = rotate(conjugate(spin.goal), moment);
    for (int k = 0; k < 3; ++k) turn[k] = spin.weight[k] > 0 ? turn[k] / spin.weight[k] : 0;
    return spin.goal * quaternion_exp(turn);
  };
  for (const Unknown& u : part.unknowns) switch (u.kind) {
      case Kind::vertex:
        for (int k = 0; k < 3; ++k)
          if (p.free_axes(u.index)[k] != 0) at.x[u.index][k] = p.goal[u.index][k];
        break;
      case Kind::segment:
        at.q[u.index] = p.moment.empty() ? p.frame_goal[u.index] : pushed(p.spin(u.index), p.moment[u.index]);
        break;
      case Kind::body_place:
        at.body_x[u.index] = p.bodies[u.index].goal;
        break;
      case Kind::body_turn:
        at.body_q[u.index] = pushed(p.bodies[u.index].spin, p.bodies[u.index].moment);
        break;
    }
  for (int i : part.slaved_vertices) {
    const Tie& tie = p.model->ties[p.tie[i]];
    at.x[i] = at.body_x[tie.body] + rotate(at.body_q[tie.body], tie.offset);
  }
  for (const BendElement& e : part.bends) angles_[e.bend] = p.bend(e.bend).rest;
}

void PositionBased::shift(const Part& part, const Iterate& at) {
  Problem& p = shifted_;
  for (const Unknown& u : part.unknowns) switch (u.kind) {
      case Kind::vertex:
        p.goal[u.index] = at.x[u.index];
        break;
      case Kind::segment:
        p.frame_goal[u.index] = at.q[u.index];
        p.stretch_rest[u.index] = original_->stretch(u.index).p + stretches_[u.index];
        break;
      case Kind::body_place:
        p.bodies[u.index].goal = at.body_x[u.index];
        break;
      case Kind::body_turn:
        p.bodies[u.index].spin.goal = at.body_q[u.index];
        break;
    }
  for (int i : part.slaved_vertices) p.goal[i] = at.x[i];
  for (const BendElement& e : part.bends) p.bend_rest[e.bend] = angles_[e.bend];
}

double PositionBased::iterate(const Part& part, int worker, Iterate& at, Iterate& after) {
  System& system = systems_[worker];
  shift(part, at);
  system.begin(part);
  if (!system.factorise(at, no_tension_, 0).is_definite) return forever;
  system.solve();
  if (!std::isfinite(system.step_size())) return forever;
  system.advance_straight(1, at, after);
  const Look found = look(part, shifted_, {system, at, 1, after}, moved_, &angles_);
  for (const Unknown& u : part.unknowns)
    if (u.kind == Kind::segment) stretches_[u.index] += moved_[u.index];  // beyond where the springs rested
  copy(part, after, at);
  return std::isfinite(found.energy) ? found.residual : forever;
}

}  // namespace tendril::direct
