#include "solvers/newton/system.h"

#include <algorithm>
#include <cmath>

#include "math/prefetch.h"
#include "solvers/newton/retraction.h"

namespace tendril::solvers::newton {

void copy(const Part& part, const Iterate& from, Iterate& to) {
  for (const Unknown& u : part.unknowns) switch (u.kind) {
      case Kind::vertex:
        to.x[u.index] = from.x[u.index];
        break;
      case Kind::segment:
        to.q[u.index] = from.q[u.index];
        break;
      case Kind::body_place:
        to.body_x[u.index] = from.body_x[u.index];
        break;
      case Kind::body_turn:
        to.body_q[u.index] = from.body_q[u.index];
        break;
    }
  for (int i : part.slaved_vertices) to.x[i] = from.x[i];
}

// what is not a segment's spin
double System::add_unknown(int row, const Iterate& at) {
  const Problem& p = *problem_;
  const Unknown& u = part_->unknowns[row];
  const auto add_place = [&](double weight, const Vec3d& away) {
    add_to_diagonal(row, weight * Mat3d::identity());
    add_to_right(row, -weight * away);
    return 0.5 * weight * norm_squared(away);
  };
  switch (u.kind) {
    case Kind::vertex:
      return add_place(p.weight[u.index], at.x[u.index] - p.goal[u.index]);
    case Kind::body_place:
      return add_place(p.bodies[u.index].weight, at.body_x[u.index] - p.bodies[u.index].goal);
    case Kind::segment:
      if (!p.moment.empty()) add_to_right(row, p.moment[u.index]);
      return 0;
    case Kind::body_turn:
      add_to_right(row, p.bodies[u.index].moment);
      return add_spin(row, p.bodies[u.index].spin, at.body_q[u.index]);
  }
  return 0;
}

double System::add_spin(int row, const Spin<double>& spin, const Quatd& q) {
  const Vec3d v = half_turn(spin, q);
  const SpinDerivatives<double> d = derivatives(spin, v);
  add_to_diagonal(row, full(d.theta_theta));
  add_to_right(row, -d.torque);
  return spin_energy(spin, v);
}

// H of two vertices or frames that follow some rows
void System::add_block(const Parts::Rows& a, const Parts::Rows& b, const Mat3d& H) {
  const bool same = &a == &b;
  for (const Parts::Follows& i : a)
    for (const Parts::Follows& j : b) {
      const Mat3d right = j.is_the_row ? H : H * j.by, block = i.is_the_row ? right : transpose(i.by) * right;
      if (i.row == j.row)
        add_to_diagonal(i.row, same ? block : block + transpose(block));
      else if (!same || i.row > j.row)
        add_to_coupling(std::max(i.row, j.row), std::min(i.row, j.row), i.row > j.row ? block : transpose(block));
    }
}

// the second order of a turn, theta x (theta x r) / 2, has its part in H
void System::add_force(const Parts::Rows& a, const Vec3d& force, double hessian_share) {
  for (const Parts::Follows& i : a) {
    add_to_right(i.row, i.is_the_row ? force : transpose(i.by) * force);
    if (!(i.arm == Vec3d{}))
      add_to_diagonal(i.row, hessian_share * (dot(force, i.arm) * Mat3d::identity() +
                                              (-1.0) * full(symmetric_outer(force, i.arm))));
  }
}

// what moves with a body: x = X + R offset changes by U + theta x r, r = R offset
double System::add_slaved(const Iterate& at, const Prediction& prediction, double hessian_share) {
  const Problem& p = *problem_;
  double sum = 0;
  for (int i : part_->slaved_vertices) {
    const auto x = parts_->rows_of_vertex(p, i, at);
    const Vec3d away = at.x[i] - p.goal[i];
    add_block(x, x, p.weight[i] * Mat3d::identity());
    add_force(x, -p.weight[i] * away, hessian_share);
    sum += 0.5 * p.weight[i] * norm_squared(away);
  }
  for (int s : part_->slaved_segments) {
    const auto [i, j] = p.model->segments[s].vertex;
    const StretchState<double> state = stretch_state(p, s, i, j, at);
    const Vec3d gamma = strain(p.stretch(s), state);
    const StretchDerivatives<double> d = derivatives(p.stretch(s), state, gamma, prediction[s], hessian_share);
    const auto x0 = parts_->rows_of_vertex(p, i, at), x1 = parts_->rows_of_vertex(p, j, at);
    const Parts::Rows theta = Parts::Follows::itself(parts_->row_of_segment(s));
    const Mat3d xx = full(d.xx);
    add_block(x0, x0, xx), add_block(x1, x1, xx), add_block(theta, theta, full(d.theta_theta));
    add_block(x0, x1, (-1.0) * xx);
    add_block(x1, theta, d.x_theta), add_block(x0, theta, (-1.0) * d.x_theta);
    add_force(x0, d.force, hessian_share), add_force(x1, -d.force, hessian_share),
        add_force(theta, -d.torque, hessian_share);
    sum += stretch_energy(p.stretch(s), gamma) + add_spin(theta.begin()->row, p.spin(s), at.q[s]);
  }
  return sum;
}

// the terms of contact that lie within one segment
void System::add_contact(const ContactTerms& contact_terms, int part, const Iterate& at, double hessian_share) {
  for (const auto [t, side] : contact_terms.sides_of(part)) {
    const ContactTerms::Term& term = contact_terms.terms()[t];
    const GapCurvature& c = term.curvature;
    const Mat3d turning = (side == 0 ? c.aa : c.bb) * outer(term.normal, term.normal);  // of x1 - x0
    const Mat3d sliding = hessian_share * outer(side == 0 ? c.a : c.b, term.normal);    // of the point with x1 - x0
    if (term.body[side] >= 0) {
      const auto point = parts_->rows_of_point(term.body[side], term.arm[side]);
      const auto core = parts_->rows_of_point(term.body[side], term.core[side]);
      const Vec3d force = side == 0 ? term.force : -term.force, along = dot(force, term.normal) * term.normal;
      add_force(core, along, hessian_share), add_force(point, force - along, hessian_share);
      add_block(point, point, term.K), add_block(core, core, hessian_share * c.slide);
      const Parts::Rows edge = Parts::Follows{
          parts_->row_of_turn(term.body[side]), outer(term.normal, cross(term.edge[side], term.normal)), {}};
      add_block(edge, edge, turning), add_block(core, edge, (side == 0 ? 1.0 : -1.0) * sliding);
      continue;
    }
    const int first = 2 * side;
    const auto x0 = parts_->rows_of_vertex(*problem_, term.vertex[first], at);
    const auto x1 = parts_->rows_of_vertex(*problem_, term.vertex[first + 1], at);
    const double w0 = term.weight[first], w1 = term.weight[first + 1];
    add_force(x0, w0 * term.force, hessian_share), add_force(x1, w1 * term.force, hessian_share);
    const Mat3d K = term.K + hessian_share * c.slide, back = transpose(sliding);
    add_block(x0, x0, (w0 * w0) * K + turning + (-w0) * (sliding + back));
    add_block(x1, x1, (w1 * w1) * K + turning + w1 * (sliding + back));
    add_block(x0, x1, (w0 * w1) * K + (-1.0) * turning + w0 * sliding + (-w1) * back);
    if (term.segment[side] < 0) continue;
    const Parts::Rows roll = Parts::Follows{parts_->row_of_segment(term.segment[side]), term.lever[side], {}};
    add_force(roll, term.force, hessian_share);
    add_block(roll, roll, term.K);
    add_block(x0, roll, w0 * term.K), add_block(x1, roll, w1 * term.K);
  }
}

// by the direction
Vec3d System::moved(int vertex, const Iterate& at) const {
  Vec3d sum;
  for (const Parts::Follows& f : parts_->rows_of_vertex(*problem_, vertex, at)) sum += f.by * u_[f.row];
  return sum;
}

double System::step_size(double turn) const {
  double largest = 0, sum = 0;
  for (const StretchElement& e : part_->stretches) {
    const double l = problem_->model->segments[e.segment].rest_length;
    largest = std::max(largest, norm_squared(u_[e.x1] - u_[e.x0]) / (l * l));
  }
  for (const Vec3d& u : u_) sum += norm_squared(u);
  return std::isfinite(sum) ? std::max(std::sqrt(largest), turn) : forever;
}

double System::shift_size() const {
  double largest = 0;
  for (const StretchElement& e : part_->stretches) {
    const double l = problem_->model->segments[e.segment].rest_length;
    largest = std::max(largest, norm_squared(u_[e.x0]) / (l * l));
  }
  return std::sqrt(largest);
}

double System::turn_size() const {
  double largest = 0;
  for (int row = 0; row < part_->row_count(); ++row)
    if (part_->unknowns[row].kind == Kind::segment || part_->unknowns[row].kind == Kind::body_turn)
      largest = std::max(largest, norm_squared(u_[row]));
  return std::sqrt(largest);
}

double System::moment_work() const {
  double work = 0;
  if (problem_->moment.empty() && problem_->bodies.empty()) return work;
  for (int row = 0; row < part_->row_count(); ++row) {
    const Unknown& u = part_->unknowns[row];
    if (u.kind == Kind::segment && !problem_->moment.empty()) work += dot(problem_->moment[u.index], u_[row]);
    if (u.kind == Kind::body_turn) work += dot(problem_->bodies[u.index].moment, u_[row]);
  }
  return work;
}

void System::predict(Prediction& prediction) const {
  const std::size_t count = part_->stretches.size();
  for (std::size_t n = 0; n < count; ++n) prediction[part_->stretches[n].segment] = strains_[n];
  for (std::size_t n = 0; n < part_->slaved_segments.size(); ++n)
    prediction[part_->slaved_segments[n]] = strains_[count + n];
}

void System::predict_strains(const Iterate& at, double fraction) {
  newton::predict_strains(*part_, *problem_, at, fraction, u_, strains_);
  for (int s : part_->slaved_segments) {
    const auto [i, j] = problem_->model->segments[s].vertex;
    const StretchState<double> state = stretch_state(*problem_, s, i, j, at);
    const Vec3d longer = (fraction / problem_->model->segments[s].rest_length) * (moved(j, at) - moved(i, at));
    strains_.push_back(
        predicted_strain(state, strain(problem_->stretch(s), state), longer, fraction * u_[parts_->row_of_segment(s)]));
  }
}

void System::aim(const Part& part, const Iterate& from, const Iterate& to) {
  part_ = &part;
  u_.resize(part.row_count());
  for (int row = 0; row < part.row_count(); ++row) {
    const int i = part.unknowns[row].index;
    switch (part.unknowns[row].kind) {
      case Kind::vertex:
        u_[row] = to.x[i] - from.x[i];
        break;
      case Kind::segment:
        u_[row] = turn_between(from.q[i], to.q[i]);
        break;
      case Kind::body_place:
        u_[row] = to.body_x[i] - from.body_x[i];
        break;
      case Kind::body_turn:
        u_[row] = turn_between(from.body_q[i], to.body_q[i]);
        break;
    }
  }
}

void System::add_drive(const Iterate& at, const Prediction& prediction, double hessian_share) {
  const Problem& p = *problem_;
  driven_.clear();
  if (part_->is_free) return;
  for (int row = 0; row < part_->row_count(); ++row) {
    const Unknown& u = part_->unknowns[row];
    if (u.kind != Kind::vertex || p.role[u.index] == Role::free) continue;
    const Vec3d way = p.held_place(u.index, at.x[u.index]) - at.x[u.index];
    if (!(way == Vec3d{})) driven_.push_back({row, way});
  }
  if (driven_.empty()) return;
  std::vector<Vec3d> ways(part_->row_count());
  for (const auto& [row, way] : driven_) ways[row] = way;
  for (const StretchElement& e : part_->stretches) {
    const Vec3d way = ways[e.x1] - ways[e.x0];
    if (way == Vec3d{}) continue;
    const StretchState<double> state = stretch_state(p, e.segment, e.vertex[0], e.vertex[1], at);
    const Stretch<double> stretch = p.stretch(e.segment);
    const auto d = derivatives(stretch, state, strain(stretch, state), prediction[e.segment], hessian_share);
    const Vec3d force = full(d.xx) * way;
    add_to_right(e.x0, force), add_to_right(e.x1, -force), add_to_right(e.theta, -(transpose(d.x_theta) * way));
  }
}

void System::set_drive() {
  for (const auto& [row, way] : driven_) u_[row] += way;
}

void System::leave_out_drive() {
  for (const auto& [row, way] : driven_) u_[row] -= way;
}

bool System::keeps_strains() const { return part_->skeleton.is_open && retracts(*part_, *problem_); }

void System::bend_way(const Iterate& at) {
  second_order_.clear();
  if (!part_->skeleton.is_open && retracts(*part_, *problem_)) bend_way_by(excess_forces(at));
}

std::vector<Vec3d> System::excess_forces(const Iterate& at) const {
  std::vector<Vec3d> out(part_->row_count());
  for (const StretchElement& e : part_->stretches) {
    const Stretch<double> stretch = problem_->stretch(e.segment);
    const StretchState<double> state = stretch_state(*problem_, e.segment, e.vertex[0], e.vertex[1], at);
    const Vec3d &theta = u_[e.theta], de = (u_[e.x1] - u_[e.x0]) / stretch.length;
    const Vec3d linear = rotate(conjugate(state.q), state.e + de + cross(state.e, theta));
    const Vec3d excess = rotate(conjugate(turned(theta, state.q)), state.e + de) - linear;
    const Vec3d force = rotate(state.q, stress(stretch, excess));
    out[e.x0] += force, out[e.x1] -= force;
    out[e.theta] -= stretch.length * cross(force, state.e);
  }
  return out;
}

void System::bend_way_by(std::vector<Vec3d> forces) {
  second_order_ = std::move(forces);
  precondition(second_order_);
}

void System::advance(double fraction, const Iterate& from, Iterate& to) {
  predict_strains(from, fraction);
  if (second_order_.empty())
    go(from, to, [&](int row) { return fraction * u_[row]; });
  else
    go(from, to, [&](int row) { return fraction * u_[row] + (fraction * fraction) * second_order_[row]; });
  if (keeps_strains()) place_by_strains(*part_, *problem_, strains_, to);
}

void System::advance_straight(double fraction, const Iterate& from, Iterate& to) {
  predict_strains(from, fraction);
  go(from, to, [&](int row) { return fraction * u_[row]; });
}

// x + the way of its row, exp(the way of its row) q
template <class Row>
void System::go(const Iterate& from, Iterate& to, Row way) const {
  constexpr int rows_ahead = 32;  // asked for: rows need not be in the order of the State
  for (int row = 0; row < part_->row_count(); ++row) {
    const Unknown& u = part_->unknowns[row];
    if (row + rows_ahead < part_->row_count()) {
      const auto [kind, index] = part_->unknowns[row + rows_ahead];
      if (kind == Kind::vertex) ask_for(from.x[index]), ask_for(to.x[index]);
      if (kind == Kind::segment) ask_for(from.q[index]), ask_for(to.q[index]);
    }
    switch (u.kind) {
      case Kind::vertex:
        to.x[u.index] = from.x[u.index] + way(row);
        break;
      case Kind::segment:
        to.q[u.index] = turned(way(row), from.q[u.index]);
        break;
      case Kind::body_place:
        to.body_x[u.index] = from.body_x[u.index] + way(row);
        break;
      case Kind::body_turn:
        to.body_q[u.index] = turned(way(row), from.body_q[u.index]);
        break;
    }
  }
  for (int i : part_->slaved_vertices) {
    const Tie& tie = problem_->model->ties[problem_->tie[i]];
    to.x[i] = to.body_x[tie.body] + rotate(to.body_q[tie.body], tie.offset);
  }
}

}  // namespace tendril::solvers::newton
