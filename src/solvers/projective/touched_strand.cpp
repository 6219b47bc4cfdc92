#include "solvers/projective/touched_strand.h"

namespace tendril::solvers::projective {

using namespace newton;

void TouchedStrand::begin(const Part& part) {
  part_ = &part;
  matrix_.reset(*part.plan);
  matrix_.clear();
}

TouchedStrand::Pass TouchedStrand::factorise(const Iterate& at, const Prediction& prediction, double exact) {
  const Part& part = *part_;
  Pass pass{add_slaved(at, prediction, exact), true};
  for (const StretchElement& e : part.stretches) pass.energy += add(e, at, prediction[e.segment], exact);
  for (const BendElement& e : part.bends) pass.energy += add(e, at, exact);
  for (int row = 0; row < part.row_count(); ++row) {
    const Unknown& u = part.unknowns[row];
    pass.energy += u.kind == Kind::vertex    ? add_vertex(row, u.index, at)
                   : u.kind == Kind::segment ? add_spin(row, problem_->spin(u.index), at.q[u.index])
                                             : 0;
    if (u.kind != Kind::vertex) pass.energy += add_unknown(row, at);
    const bool is_held = u.kind == Kind::vertex && problem_->role[u.index] != Role::free;
    pass.is_definite &= is_held ? matrix_.eliminate_partly(row, problem_->free_axes(u.index)) : matrix_.eliminate(row);
  }
  return pass;
}

void TouchedStrand::add_to_coupling(int later, int earlier, const Mat3d& H) {
  matrix_.coupling(part_->plan->coupling(earlier, later)) += H;
}

void TouchedStrand::add_between(int a, int b, const Mat3d& H) {
  a > b ? add_to_coupling(a, b, H) : add_to_coupling(b, a, transpose(H));
}

double TouchedStrand::add_vertex(int row, int vertex, const Iterate& at) {
  const double weight = problem_->weight[vertex];
  const Vec3d away = at.x[vertex] - problem_->goal[vertex];
  matrix_.diagonal(row) += weight;
  matrix_.right(row) -= weight * away;
  return 0.5 * weight * norm_squared(away);
}

double TouchedStrand::add(const StretchElement& e, const Iterate& at, const Vec3d& predicted, double exact) {
  const Stretch<double> element = problem_->stretch(e.segment);
  const auto [edge, q] = stretch_state(*problem_, e.segment, e.vertex[0], e.vertex[1], at);
  const Mat3d R = rotation_matrix(q);
  const Vec3d gamma = strain(element, edge, R);
  const StretchDerivatives<double> d = derivatives(element, edge, R, gamma, predicted, exact);
  add_to_right(e.x0, d.force), add_to_right(e.x1, -d.force), add_to_right(e.theta, -d.torque);
  const Mat3d xx = full(d.xx);
  add_to_diagonal(e.x0, xx), add_to_diagonal(e.x1, xx), add_to_diagonal(e.theta, full(d.theta_theta));
  add_between(e.x0, e.x1, -1.0 * xx);
  add_between(e.x0, e.theta, -1.0 * d.x_theta), add_between(e.x1, e.theta, d.x_theta);
  return stretch_energy(element, gamma);
}

double TouchedStrand::add(const BendElement& e, const Iterate& at, double exact) {
  const Frames of = frames(*problem_, e.bend, at);
  Mat3d S, half;
  Vec3d moment;
  double energy;
  if (problem_->bends[e.bend].scalar) {
    const ScalarBend bend = scalar_bend(*problem_, e.bend, of);
    S = full(bend.S), moment = bend.moment, energy = bend.energy;
  } else {
    const newton::Bend<double> element = problem_->bend(e.bend);
    const Vec3d angle = bend_angle(element, of.a, of.b);
    const BendDerivatives<double> d = derivatives(element, of.a, angle, exact);
    S = full(d.S), half = skew(d.half_moment), moment = d.moment, energy = newton::bend_energy(element, angle);
  }
  if (e.a >= 0) add_to_diagonal(e.a, S), add_to_right(e.a, moment);
  if (e.b >= 0) add_to_diagonal(e.b, S), add_to_right(e.b, -moment);
  if (e.a >= 0 && e.b >= 0) add_between(e.a, e.b, -1.0 * S + half);
  return energy;
}

}  // namespace tendril::solvers::projective
