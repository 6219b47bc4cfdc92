#include "solvers/direct/position_based.h"

#include <algorithm>
#include <cmath>

namespace tendril::solvers::direct {

void PositionBased::reset(const Problem& problem) {
  closings_.clear(), open_model_ = {};
  for (int p = 0; p < parts_->count(); ++p) closings_.push_back(closings_of((*structures_)[p], (*parts_)[p], problem));
  for (int p = 0; p < parts_->count(); ++p)
    for (const Closing& closing : closings_[p]) {
      if (open_model_.segments.empty()) open_model_ = *problem.model;
      if (closing.stretch >= 0) {
        Segment& segment = open_model_.segments[(*parts_)[p].stretches[closing.stretch].segment];
        segment.EA = segment.GA = 0;
      }
      if (closing.bend >= 0) {
        rod::Bend& bend = open_model_.bends[(*parts_)[p].bends[closing.bend].bend];
        bend.EI1 = bend.EI2 = bend.GJ = 0;
      }
    }
}

void PositionBased::begin_step(const Problem& problem, int workers) {
  original_ = &problem;
  shifted_ = problem;
  if (!open_model_.segments.empty()) shifted_.model = &open_model_;
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
  const std::vector<Vec3d> before = angles_of_closings(part);
  const Evaluation found = evaluate(part, shifted_, {system, at, 1, after}, moved_, &angles_);
  keep_closings(part, before);
  for (const Unknown& u : part.unknowns)
    if (u.kind == Kind::segment) stretches_[u.index] += moved_[u.index];  // beyond where the springs rested
  copy(part, after, at);
  if (!std::isfinite(found.energy)) return forever;
  if (closings(part).empty()) return found.residual;
  for (const Closing& closing : closings(part))
    solve(closing.stretch >= 0 ? &part.stretches[closing.stretch] : nullptr,
          closing.bend >= 0 ? &part.bends[closing.bend] : nullptr, at);
  return residual(part, at);
}

// the multipliers of what closes loops, which the others know nothing of
std::vector<Vec3d> PositionBased::angles_of_closings(const Part& part) const {
  std::vector<Vec3d> angles;
  for (const Closing& closing : closings(part))
    angles.push_back(closing.bend >= 0 ? angles_[part.bends[closing.bend].bend] : Vec3d{});
  return angles;
}
void PositionBased::keep_closings(const Part& part, const std::vector<Vec3d>& angles) {
  for (std::size_t c = 0; c < angles.size(); ++c) {
    const Closing& closing = closings(part)[c];
    if (closing.stretch >= 0) moved_[part.stretches[closing.stretch].segment] = {};
    if (closing.bend >= 0) angles_[part.bends[closing.bend].bend] = angles[c];
  }
}

}  // namespace tendril::solvers::direct
