#include "solvers/direct/system.h"

#include <algorithm>
#include <cmath>

namespace tendril::solvers::direct {
namespace {

void add_rows(const Mat3d& H, Three* rows) {
  rows[0] += Three{H.c0.x, H.c1.x, H.c2.x, 0};
  rows[1] += Three{H.c0.y, H.c1.y, H.c2.y, 0};
  rows[2] += Three{H.c0.z, H.c1.z, H.c2.z, 0};
}

// to the right-hand side of three rows
[[gnu::always_inline]] inline void add_right(const Three& force, Three (&rows)[3]) {
  for (int k = 0; k < 3; ++k) rows[k] += Three{0, 0, 0, force[k]};
}

// for what is to be known of it, some nodes before its turn
[[gnu::always_inline]] inline void ask_for_node(int n, const Structure& s, const Problem& p) {
  const std::size_t far = n + lists_ahead, near = n + elements_ahead;
  ask_for(s.nodes, far), ask_for(s.joint, far), ask_for(s.first_stretch, far), ask_for(s.first_bend, far);
  if (near >= s.nodes.size() || s.nodes[near].vertex < 0) return;
  ask_for(p.goal[s.nodes[near].vertex]), ask_for(p.weight[s.nodes[near].vertex]);
}

}  // namespace

void System::begin(const Part& part) {
  part_ = &part;
  const Structure& s = (*structures_)[&part - parts_->all().data()];
  const bool solves_again = solves_again_ || !part.skeleton.is_open;
  if (solves_again && structure_ != &s) roomy_ = roomy_layout(s.plan);
  structure_ = &s;
  matrix_.reset(s.plan, solves_again ? roomy_ : s.layout, solves_again);
  matrix_.clear();
}

void System::add_to_diagonal(int row, const Mat3d& H) {
  TreeLdlt::Node& node = matrix_.node(structure_->node_of[row]);
  add_rows(H, structure_->is_place(row) ? node.xx : node.tt);
}

void System::add_to_coupling(int a, int b, const Mat3d& H) {
  const int node_a = structure_->node_of[a], node_b = structure_->node_of[b];
  if (node_a > node_b) return add_to_coupling(b, a, transpose(H));
  const bool a_is_place = structure_->is_place(a);
  if (node_a == node_b) return add_rows(a_is_place ? H : transpose(H), matrix_.node(node_a).xt);
  const TreeLdlt::Rows rows = matrix_.coupling(structure_->plan.coupling(node_a, node_b));
  add_rows(H, (structure_->is_place(b) ? rows.place : rows.turn) + (a_is_place ? 0 : 3));
}

void System::add_to_right(int row, const Vec3d& force) {
  TreeLdlt::Node& node = matrix_.node(structure_->node_of[row]);
  add_right(three(force), structure_->is_place(row) ? node.xx : node.tt);
}

System::Pass System::factorise(const Iterate& at, const Prediction& prediction, double hessian_share) {
  const Structure& s = *structure_;
  Pass pass{add_slaved(at, prediction, hessian_share), true};
  passes_.resize(s.branches.size());
  for_all(static_cast<int>(s.branches.size()), [&](int branch) {
    passes_[branch] = eliminate(s.branches[branch], {at, prediction, hessian_share});
  });
  const auto take = [&](const Pass& part) { pass.energy += part.energy, pass.is_definite &= part.is_definite; };
  for (const Pass& branch : passes_) take(branch);
  for (const Share& nodes : s.trunk) take(eliminate(nodes, {at, prediction, hessian_share}));
  return pass;
}

System::Pass System::eliminate(const Share& nodes, const Point& point) {
  const Structure& s = *structure_;
  const Iterate& at = point.at;
  const Prediction& prediction = point.prediction;
  const double hessian_share = point.hessian_share;
  JointLanes lanes;
  std::array<JointBlocks, joint_lanes> joints;  // those that are added next
  std::array<BendRows, joint_lanes> bends;
  int joint_pack = -1, bend_pack = -1;
  Pass pass{0, true};
  for (int n = nodes.begin; n < nodes.end; ++n) {
    ask_for_node(n, s, *problem_);
    if (n + elements_ahead < nodes.end) matrix_.ask_for_later(n + elements_ahead);  // others are another thread's
    pass.energy += add_inertia(n, at);
    for (int e = s.first_stretch[n]; e < s.first_stretch[n + 1]; ++e)
      pass.energy += add(part_->stretches[s.stretches[e]], at, prediction, hessian_share);
    for (int e = s.first_bend[n]; e < s.first_bend[n + 1]; ++e) {
      if (e / joint_lanes != bend_pack)
        work_out(loose_bends_from(e - e % joint_lanes, s, *part_, *problem_), *problem_, at, hessian_share, bends);
      bend_pack = e / joint_lanes;
      pass.energy += add(n, s.bends[e], bends[e % joint_lanes]);
    }
    const int j = s.joint[n];
    if (j < 0) {
      pass.is_definite &= eliminate(n);
      continue;
    }
    if (j / joint_lanes != joint_pack) {
      gather_joints(
          j - j % joint_lanes, s, *part_, *problem_,
          lanes, [&](const StretchElement& e) __attribute__((always_inline)) {
            ask_for_places(e, at), ask_for(prediction[e.segment]);
          });
      work_out(lanes, *problem_, at, prediction, hessian_share, joints);
      joint_pack = j / joint_lanes;
    }
    pass.energy += add(n, s.joints[j], joints[j % joint_lanes]);
    pass.is_definite &= matrix_.eliminate(n, s.joints[j].coupling, joints[j % joint_lanes].joint);
  }
  return pass;
}

// what is not a segment's spin
double System::add_inertia(int n, const Iterate& at) {
  const SegmentNode& node = structure_->nodes[n];
  double sum = 0;
  if (node.vertex >= 0) {
    const double weight = problem_->weight[node.vertex];
    const Vec3d away = at.x[node.vertex] - problem_->goal[node.vertex], right = -weight * away;
    Three(&rows)[3] = matrix_.node(n).xx;
    rows[0] += Three{weight, 0, 0, right.x};
    rows[1] += Three{0, weight, 0, right.y};
    rows[2] += Three{0, 0, weight, right.z};
    sum += 0.5 * weight * norm_squared(away);
  } else if (node.place >= 0) {
    sum += add_unknown(node.place, at) + add_unknown(node.turn, at);
  }
  if (node.vertex >= 0 && node.turn >= 0 && !problem_->moment.empty()) sum += add_unknown(node.turn, at);
  if (node.place < 0) sum += add_unknown(node.turn, at);
  return sum;
}

double System::add(const StretchElement& e, const Iterate& at, const Prediction& prediction, double hessian_share) {
  const Problem& p = *problem_;
  const Stretch<double> term = p.stretch(e.segment);
  const StretchState<double> state = stretch_state(p, e.segment, e.vertex[0], e.vertex[1], at);
  const Vec3d gamma = strain(term, state);
  const StretchDerivatives<double> d = derivatives(term, state, gamma, prediction[e.segment], hessian_share);
  const Mat3d xx = full(d.xx);
  add_to_diagonal(e.x0, xx), add_to_diagonal(e.x1, xx), add_to_diagonal(e.theta, full(d.theta_theta));
  add_to_coupling(e.x0, e.x1, (-1.0) * xx);
  add_to_coupling(e.x1, e.theta, d.x_theta), add_to_coupling(e.x0, e.theta, (-1.0) * d.x_theta);
  add_to_right(e.x0, d.force), add_to_right(e.x1, -d.force), add_to_right(e.theta, -d.torque);
  return stretch_energy(term, gamma) + add_spin(e.theta, p.spin(e.segment), at.q[e.segment]);
}

double System::add(int n, const LooseBend& bend, const BendRows& b) {
  const Three moment = bend.a_is_first ? b.moment : -b.moment;
  TreeLdlt::Node& node = matrix_.node(n);
  for (int k = 0; k < 3; ++k) node.tt[k] += b.S[k];
  add_right(moment, node.tt);
  if (bend.coupling < 0) return b.energy;
  TreeLdlt::Node& later = matrix_.node(structure_->plan.later[bend.coupling]);
  for (int k = 0; k < 3; ++k) later.tt[k] += b.S[k];
  add_right(-moment, later.tt);
  Three* rows = matrix_.turns(bend.coupling);
  const Three w = bend.a_is_first ? b.half_moment : -b.half_moment;
  rows[0] += Three{0, -w[2], w[1], 0} - b.S[0];
  rows[1] += Three{w[2], 0, -w[0], 0} - b.S[1];
  rows[2] += Three{-w[1], w[0], 0, 0} - b.S[2];
  return b.energy;
}

double System::add(int n, const Joint& joint, const JointBlocks& b) {
  TreeLdlt::Node &node = matrix_.node(n), &parent = matrix_.node(structure_->parent(joint));
  const Three force = joint.forwards ? b.force : -b.force, moment = joint.is_b ? b.moment : -b.moment;
  for (int k = 0; k < 3; ++k) node.tt[k] += b.turn[k];
  add_right(-force, node.xx), add_right(force, parent.xx);
  add_right(-b.torque - moment, node.tt), add_right(moment, parent.tt);
  return b.energy;
}

// a node that is joined to none, or has unknowns that something holds
bool System::eliminate(int n) {
  const SegmentNode& node = structure_->nodes[n];
  Three free[2] = {{1, 1, 1, 0}, {1, 1, 1, 0}};
  if (node.turn < 0) free[1] = Three{};
  if (node.place < 0) free[0] = Three{};
  if (node.vertex >= 0) free[0] = three(problem_->free_axes(node.vertex));
  return matrix_.eliminate_partly(n, free);
}

void System::solve() {
  const Structure& s = *structure_;
  u_.resize(part_->row_count()), sizes_.resize(s.branches.size());
  Size size;
  const auto take = [&](const Size& part) {
    size = {std::max(size.shift2, part.shift2), std::max(size.turn2, part.turn2), size.sum + part.sum};
  };
  for (auto nodes = s.trunk.rbegin(); nodes != s.trunk.rend(); ++nodes) take(solve_backwards(*nodes));
  for_all(static_cast<int>(s.branches.size()),
          [&](int branch) { sizes_[branch] = solve_backwards(s.branches[branch]); });
  for (const Size& branch : sizes_) take(branch);
  largest_shift_ = std::sqrt(size.shift2), largest_turn_ = std::sqrt(size.turn2);
  is_finite_ = std::isfinite(size.sum);
}

double System::step_bound() const { return std::max(2 * largest_shift_ / part_->shortest, largest_turn_); }

System::Size System::solve_backwards(const Share& nodes) {
  Size size;
  TreeLdlt::Unknowns u{};  // most nodes couple with the one after them
  for (int n = nodes.end - 1; n >= nodes.begin; --n) {
    u = matrix_.solve_backwards(n,
                                [&](int later) { return later == n + 1 && later < nodes.end ? u : unknowns(later); });
    const SegmentNode& node = structure_->nodes[n];
    const Three place2 = u.place * u.place, turn2 = u.turn * u.turn;
    const double shifted = place2[0] + place2[1] + place2[2], turned = turn2[0] + turn2[1] + turn2[2];
    size = {std::max(size.shift2, shifted), std::max(size.turn2, turned), size.sum + shifted + turned};
    if (node.place >= 0) u_[node.place] = vector(u.place);
    if (node.turn >= 0) u_[node.turn] = vector(u.turn);
  }
  return size;
}

TreeLdlt::Unknowns System::unknowns(int n) const {
  const SegmentNode& node = structure_->nodes[n];
  return {node.place >= 0 ? three(u_[node.place]) : Three{}, node.turn >= 0 ? three(u_[node.turn]) : Three{}};
}

void System::precondition(std::vector<Vec3d>& r) const {
  std::vector<TreeLdlt::Unknowns> u(structure_->nodes.size());
  for (std::size_t n = 0; n < u.size(); ++n) {
    const SegmentNode& node = structure_->nodes[n];
    u[n] = {node.place >= 0 ? three(r[node.place]) : Three{}, node.turn >= 0 ? three(r[node.turn]) : Three{}};
  }
  matrix_.solve(u);
  for (std::size_t n = 0; n < u.size(); ++n) {
    const SegmentNode& node = structure_->nodes[n];
    if (node.place >= 0) r[node.place] = vector(u[n].place);
    if (node.turn >= 0) r[node.turn] = vector(u[n].turn);
  }
}

}  // namespace tendril::solvers::direct
