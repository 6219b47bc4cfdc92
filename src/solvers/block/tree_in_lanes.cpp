#include "solvers/block/tree_in_lanes.h"

#include <algorithm>

namespace tendril::block {
namespace {

using T = StrandLanes;
using Joint = TreeConstants::Joint;

// between the nodes of some segments and others; where there is no bend both frames are the node's own
Joint joint_constants(const Problem& p, const LaneIndex& bends, const LaneIndex& segments) {
  static const BendTerm no_term{};
  static const tendril::Bend no_bend{};
  const auto term = [&](int k) -> const BendTerm& { return bends[k] < 0 ? no_term : p.bends[bends[k]]; };
  const auto in_model = [&](int k) -> const tendril::Bend& {
    return bends[k] < 0 ? no_bend : p.model->bends[bends[k]];
  };
  Joint out{{vectors<T>([&](int k) -> const Vec3d& { return term(k).K; }),
             vectors<T>([&](int k) -> const Vec3d& { return term(k).rest; }),
             side_of(quaternions<T>([&](int k) -> const Quatd& { return in_model(k).rest; }))},
            quaternions<T>([&](int k) -> const Quatd& { return in_model(k).turn; }),
            segments,
            segments,
            T(1)};
  for (int k = 0; k < strand_lanes; ++k) {
    if (bends[k] < 0) continue;
    out.a[k] = in_model(k).a.index, out.b[k] = in_model(k).b.index;
    out.way.v[k] = out.b[k] == segments[k] ? 1 : -1;
    out.turns |= term(k).turns;
  }
  return out;
}

// to round-off: stiffness across a joint comes from turned frames
bool all_equal(const T& a, const T& b) { return !any(abs(a - b) > T(1e-14) * abs(a)); }
bool is_isotropic(const Joint& joint) {
  const Vec3<T>& K = joint.bend.K;
  return all_equal(K.x, K.y) && all_equal(K.x, K.z);
}
bool is_isotropic(const TreeConstants::Node& node) {
  const auto& [stretch, per_length, spin] = node.segment;
  return !node.is_held && all_equal(stretch.GA, stretch.EA) && all_equal(spin.x, spin.y) && is_isotropic(node.parent);
}

[[gnu::always_inline]] inline Vec3<T> positions(const std::vector<Vec3d>& x, const LaneIndex& at) {
  return vectors<T>([&](int k) -> const Vec3d& { return x[at[k]]; });
}
[[gnu::always_inline]] inline Quat<T> frames(const std::vector<Quatd>& q, const LaneIndex& at) {
  return quaternions<T>([&](int k) -> const Quatd& { return q[at[k]]; });
}
double sum(const T& lanes) {
  double total = 0;
  for (int k = 0; k < strand_lanes; ++k) total += lanes[k];
  return total;
}

// what a bend adds: to the node's own turn, to that of the other node, and to the coupling of the other with it
struct BendAdds {
  OpenRow<T> own, other;
  Mat3<T> coupling;
  T energy;
};
template <bool isotropic>
[[gnu::always_inline]] inline BendAdds work_out(const Joint& joint, const Iterate& at, T exact) {
  const Quat<T> a = frames(at.q, joint.a);
  Quat<T> b = frames(at.q, joint.b);
  if (joint.turns) b = b * joint.turn;
  const Vec3<T> angle = bend_angle(joint.bend, a, b);
  const BendDerivatives<T> d = derivatives<isotropic>(joint.bend, rotation_matrix(a), angle, exact);
  const Vec3<T> moment = joint.way * d.moment;
  return {{d.S, -moment},
          {d.S, moment},
          skew(joint.way * d.half_moment) + T(-1) * full(d.S),
          bend_energy(joint.bend, angle)};
}

// what has been left in records, which are empty then
template <class Out, class Record>
[[gnu::always_inline]] inline Out taken(const LaneIndex& at, std::vector<Record>& records) {
  return from_records<Out, true>([&](int k) -> auto& { return records[at[k]]; });
}

[[gnu::always_inline]] inline void add(const OpenRow<T>& from, OpenRow<T>& to) {
  to.diagonal += from.diagonal, to.right += from.right;
}

}  // namespace

void load_constants(const Problem& p, const TreePlan& plan, TreeConstants& constants) {
  constants.nodes.clear(), constants.siblings.clear();
  constants.isotropic = true;
  for (const TreePlan::Pack& pack : plan.packs) {
    TreeConstants::Node node{.segment = segment_constants(p, pack.segment),
                             .way = T(1),
                             .counts = T(1),
                             .parent = joint_constants(p, pack.bend, pack.segment)};
    for (int k = 0; k < strand_lanes; ++k) {
      if (p.model->segments[pack.segment[k]].vertex[1] != pack.vertex[k]) node.way.v[k] = -1;
      if (k >= pack.members) node.counts.v[k] = 0;
      node.is_held |= p.role[pack.vertex[k]] != Role::free;
    }
    constants.isotropic &= is_isotropic(node);
    constants.nodes.push_back(node);
    for (int j = pack.first_sibling; j < pack.first_sibling + pack.siblings; ++j) {
      constants.siblings.push_back(joint_constants(p, plan.siblings[j].bend, pack.segment));
      constants.isotropic &= is_isotropic(constants.siblings.back());
    }
  }
  constants.version = p.version;
}

void TreeInLanes::load(const TreePlan& plan, const TreeConstants& constants, Iterate& at, Iterate& start,
                       Prediction& prediction) {
  plan_ = &plan, constants_ = &constants, at_ = &at, trial_ = &start, prediction_ = &prediction;
  const auto at_least = [](auto& records, int count) {
    if (static_cast<int>(records.size()) < count) records.resize(count);
  };
  at_least(left_, plan.slot_count()), at_least(elders_, plan.slot_count()), at_least(u_, plan.slot_count());
  at_least(couplings_, plan.couplings + 2);
  u_[plan.root_slot()] = u_[plan.no_slot()] = {};
  rows_.resize(2 * plan.packs.size()), sibling_rows_.resize(plan.siblings.size());
}

TreeInLanes::Pass TreeInLanes::factorise(double exact) {
  return constants_->isotropic ? factorise<true>(T(exact)) : factorise<false>(T(exact));
}

template <bool isotropic>
TreeInLanes::Pass TreeInLanes::factorise(T exact) {
  const double held = add_held_bends(exact[0]);
  T energy(0);
  T::Mask is_definite = T(0) < T(1);
  const int packs = static_cast<int>(plan_->packs.size());
  for (int n = 0; n < packs; ++n) factorise_pack<isotropic>(n, exact, energy, is_definite);
  const Pass root = solve_root();
  for (int slot : {plan_->no_slot(), plan_->waste_slot()}) left_[slot] = {}, elders_[slot] = {};
  couplings_[plan_->couplings] = couplings_[plan_->couplings + 1] = {};
  return {held + sum(energy) + root.energy, !any(!is_definite) && root.is_definite};
}

template <bool isotropic>
[[gnu::always_inline]] inline void TreeInLanes::factorise_pack(int n, T exact, T& energy, T::Mask& is_definite) {
  const Pack& pack = plan_->packs[n];
  const TreeConstants::Node& node = constants_->nodes[n];
  const auto told = [&](int k, int slot) { return k < pack.members ? slot : plan_->waste_slot(); };
  OpenPair<T> open = taken<OpenPair<T>>(pack.slot, left_);

  // inertia
  const Vec3<T> x = positions(at_->x, pack.vertex), away = x - positions(problem_->goal, pack.vertex);
  const T weight = numbers<T>([&](int k) { return problem_->weight[pack.vertex[k]]; });
  const Quat<T> q = frames(at_->q, pack.segment);
  const Mat3<T> R = rotation_matrix(q);
  const auto& [stretch, per_length, spin_weight] = node.segment;
  const SpinTerms<T> spin = spin_terms<isotropic>(
      spin_weight, R,
      spin_turn(quaternions<T>([&](int k) -> const Quatd& { return problem_->spin[pack.segment[k]].goal; }), q));
  T sum = T(0.5) * weight * norm_squared(away) + spin.energy;
  open.first.diagonal += weight, open.first.right -= weight * away;
  open.second.diagonal += spin.theta_theta, open.second.right -= spin.torque;
  if (!problem_->moment.empty()) open.second.right += positions(problem_->moment, pack.segment);

  // stretch, and the vertex
  const Vec3<T> e = (node.way * per_length) * (x - positions(at_->x, pack.near));
  const Vec3<T> predicted = positions(*prediction_, pack.segment);
  OpenRow<T> near;         // the vertex
  Mat3<T> near_with_turn;
  const T k = stretch.GA * per_length;
  if constexpr (isotropic) {
    const Vec3<T> gamma = e - R * stretch.p;
    const StretchTerms<T> d = isotropic_stretch_terms(stretch, e, R, gamma, predicted, exact);
    const Vec3<T> force = node.way * d.force;
    const Mat3<T> coupling = skew(-node.way * d.arm);
    sum += T(0.5) * stretch.length * dot(gamma, d.force);
    open.first.diagonal += k, open.first.right -= force;
    open.second.diagonal += d.theta_theta, open.second.right -= d.torque;
    const Pivot<T> pivot = begin_elimination(open.first, open.coupling + coupling, open.second);
    is_definite = is_definite & pivot.is_definite;
    near = {{k, T(0), T(0), k, T(0), k}, force}, near_with_turn = coupling;
    end_elimination(pivot, -k, near, near_with_turn, rows_[2 * n]);
  } else {
    const Vec3<T> gamma = strain(stretch, e, R);
    const StretchTerms<T> d = stretch_terms(stretch, e, R, gamma, predicted, exact);
    const Vec3<T> force = node.way * d.force;
    const T excess = stretch.EA - stretch.GA;
    Sym3<T> xx = square(excess * per_length, R.c2);
    xx += k;
    const Mat3<T> x_theta = node.way * (skew(d.arm) + outer(-excess * R.c2, d.side));
    sum += stretch_energy(stretch, gamma);
    open.first.diagonal += xx, open.first.right -= force;
    open.second.diagonal += d.theta_theta, open.second.right -= d.torque;
    open.coupling += transpose(x_theta);
    Mat3<T> after = T(-1) * full(xx);
    if (node.is_held)
      hold(vectors<T>([&](int k) -> const Vec3d& { return problem_->free_axes(pack.vertex[k]); }), open.first,
           open.coupling, after);
    const Pivot<T> pivot = begin_elimination(open.first, open.coupling, open.second);
    is_definite = is_definite & pivot.is_definite;
    near = {xx, force}, near_with_turn = T(-1) * x_theta;
    end_elimination(pivot, after, near, near_with_turn, rows_[2 * n]);
  }

  // bends, and the turn
  BendAdds bend = work_out<isotropic>(node.parent, *at_, exact);
  sum += bend.energy;
  add(bend.own, open.second);
  siblings_.resize(pack.siblings);
  for (int j = 0; j < pack.siblings; ++j) {
    const TreePlan::Sibling& sibling = plan_->siblings[pack.first_sibling + j];
    const BendAdds adds = work_out<isotropic>(constants_->siblings[pack.first_sibling + j], *at_, exact);
    sum += adds.energy;
    add(adds.own, open.second);
    siblings_[j] = {adds.other, adds.coupling + taken<Mat3<T>>(sibling.coupling, couplings_)};
  }
  energy += node.counts * sum;
  if (pack.has_elders) {
    const Elders<T> elders = taken<Elders<T>>(pack.slot, elders_);
    near_with_turn += elders.near, bend.coupling += elders.parent;
  }
  const Pivot<T> pivot = begin_elimination(open.second, near_with_turn, near);
  is_definite = is_definite & pivot.is_definite;
  DoneRow<T>& done = rows_[2 * n + 1];
  Mat3<T> near_with_parent{};
  end_elimination(pivot, bend.coupling, bend.other, near_with_parent, done);
  into_records<true>(OpenPair<T>{near, bend.other, near_with_parent}, [&](int k) -> auto& { return left_[told(k, pack.parent[k])]; });

  // what the turn leaves to siblings
  for (int j = 0; j < pack.siblings; ++j) {
    const TreePlan::Sibling& plan = plan_->siblings[pack.first_sibling + j];
    Sibling& sibling = siblings_[j];
    detail::divide(sibling.coupling, pivot.factors);
    const Mat3<T> L = sibling_rows_[pack.first_sibling + j] = detail::scaled_columns(sibling.coupling, pivot.factors.w);
    detail::take_off(L, sibling.coupling, sibling.row.diagonal);
    detail::take_off(L, pivot.right, sibling.row.right);
    into_records<true>(sibling.row, [&](int k) -> auto& { return left_[told(k, plan.slot[k])].second; });
    into_records<true>(Elders<T>{detail::minus_product<false>(done.next, sibling.coupling),
                                 detail::minus_product<false>(done.after, sibling.coupling)},
                       [&](int k) -> auto& { return elders_[told(k, plan.slot[k])]; });
    for (int i = 0; i < j; ++i) {
      const LaneIndex& pair = plan_->pairs[pack.first_pair + j * (j - 1) / 2 + i];
      into_records<true>(detail::minus_product<false>(L, siblings_[i].coupling),
                         [&](int k) -> auto& { return couplings_[k < pack.members ? pair[k] : plan_->couplings + 1]; });
    }
  }
}

// the last vertex, which nothing comes after
TreeInLanes::Pass TreeInLanes::solve_root() {
  const int root = plan_->root;
  const double weight = problem_->weight[root];
  const Vec3d away = at_->x[root] - problem_->goal[root];
  OpenRow<double> row = std::exchange(left_[plan_->root_slot()], {}).first;
  row.diagonal += weight, row.right -= weight * away;
  Mat3d none;
  hold(problem_->free_axes(root), row, none, none);
  Factors3<double> factors;
  const bool is_definite = tendril::factorise(row.diagonal, factors);
  u_[plan_->root_slot()].x = factors.backwards(scale(factors.w, factors.forwards(row.right)));
  return {0.5 * weight * norm_squared(away), is_definite};
}

// on the turn of their segments
double TreeInLanes::add_held_bends(double exact) {
  double energy = 0;
  for (const TreePlan::Held& held : plan_->held) {
    const Frames f = newton::frames(*problem_, held.bend, *at_);
    const newton::Bend<double> bend = problem_->bend(held.bend);
    const Vec3d angle = bend_angle(bend, f.a, f.b);
    const BendDerivatives<double> d = derivatives(bend, f.a, angle, exact);
    OpenRow<double>& turn = left_[held.slot].second;
    turn.diagonal += d.S, turn.right += held.held_is_a ? -d.moment : d.moment;
    energy += bend_energy(bend, angle);
  }
  return energy;
}

void TreeInLanes::solve() { constants_->isotropic ? solve_packs<true>() : solve_packs<false>(); }

template <bool isotropic>
void TreeInLanes::solve_packs() {
  T longest(0), turn(0), sum(0);
  for (int n = static_cast<int>(plan_->packs.size()) - 1; n >= 0; --n) {
    const Pack& pack = plan_->packs[n];
    const Step<T> parent = from_records<Step<T>>([&](int k) -> auto& { return u_[pack.parent[k]]; });
    Vec3<T> pull{T(0), T(0), T(0)};
    for (int j = pack.first_sibling; j < pack.first_sibling + pack.siblings; ++j) {
      const LaneIndex& slot = plan_->siblings[j].slot;
      const Vec3<T> theta = vectors<T>([&](int k) -> const Vec3d& { return u_[slot[k]].theta; });
      const Mat3<T>& L = sibling_rows_[j];
      pull += Vec3<T>{dot(L.c0, theta), dot(L.c1, theta), dot(L.c2, theta)};
    }
    Step<T> u;
    u.theta = rows_[2 * n + 1].solve_backwards(parent.x, parent.theta, pull);
    u.x = rows_[2 * n].template solve_backwards<isotropic>(u.theta, parent.x);
    into_records(u, [&](int k) -> auto& { return u_[pack.slot[k]]; });
    const T turn2 = norm_squared(u.theta), per_length = constants_->nodes[n].segment.per_length;
    longest = max(longest, norm_squared(u.x - parent.x) * (per_length * per_length));
    turn = max(turn, turn2);
    sum += norm_squared(u.x) + turn2;
  }
  turn_size_ = std::sqrt(largest(turn));
  step_size_ = std::isfinite(block::sum(sum)) ? std::sqrt(std::max(largest(longest), largest(turn))) : forever;
}

double TreeInLanes::moment_work() const {
  double work = 0;
  if (problem_->moment.empty()) return work;
  for (const Pack& pack : plan_->packs)
    for (int k = 0; k < pack.members; ++k) work += dot(problem_->moment[pack.segment[k]], u_[pack.slot[k]].theta);
  return work;
}

double TreeInLanes::energy(const Iterate& at) const {
  const auto joint_energy = [&](const Joint& joint) {
    const Quat<T> b = frames(at.q, joint.b);
    const Vec3<T> angle = bend_angle(joint.bend, frames(at.q, joint.a), joint.turns ? b * joint.turn : b);
    return bend_energy(joint.bend, angle);
  };
  T total(0);
  for (std::size_t n = 0; n < plan_->packs.size(); ++n) {
    const Pack& pack = plan_->packs[n];
    const TreeConstants::Node& node = constants_->nodes[n];
    const auto& [stretch, per_length, spin_weight] = node.segment;
    const Vec3<T> x = positions(at.x, pack.vertex);
    const T weight = numbers<T>([&](int k) { return problem_->weight[pack.vertex[k]]; });
    const Quat<T> q = frames(at.q, pack.segment);
    const Spin<T> spin{spin_weight,
                       quaternions<T>([&](int k) -> const Quatd& { return problem_->spin[pack.segment[k]].goal; })};
    const Vec3<T> e = (node.way * per_length) * (x - positions(at.x, pack.near));
    T sum = T(0.5) * weight * norm_squared(x - positions(problem_->goal, pack.vertex)) +
            stretch_energy(stretch, strain(stretch, {e, q})) + spin_energy(spin, half_turn(spin, q)) +
            joint_energy(node.parent);
    for (int j = pack.first_sibling; j < pack.first_sibling + pack.siblings; ++j)
      sum += joint_energy(constants_->siblings[j]);
    total += node.counts * sum;
  }
  double energy = sum(total) + inertial_energy(*problem_, {Kind::vertex, plan_->root}, at);
  for (const TreePlan::Held& held : plan_->held) energy += newton::bend_energy(*problem_, held.bend, at);
  return energy;
}

double TreeInLanes::energy_along(double share) {
  for (const Pack& pack : plan_->packs) {
    const Step<T> u = from_records<Step<T>>([&](int k) -> auto& { return u_[pack.slot[k]]; });
    scatter(positions(at_->x, pack.vertex) + T(share) * u.x, [&](int k) -> Vec3d& { return trial_->x[pack.vertex[k]]; });
    scatter(turned(T(share) * u.theta, frames(at_->q, pack.segment)),
            [&](int k) -> Quatd& { return trial_->q[pack.segment[k]]; });
  }
  trial_->x[plan_->root] = at_->x[plan_->root] + share * u_[plan_->root_slot()].x;
  return energy(*trial_);
}

// from the tips on, so that the nearer vertices have not moved yet
void TreeInLanes::advance(double share, bool) {
  for (std::size_t n = 0; n < plan_->packs.size(); ++n) {
    const Pack& pack = plan_->packs[n];
    const TreeConstants::Node& node = constants_->nodes[n];
    const Step<T> u = from_records<Step<T>>([&](int k) -> auto& { return u_[pack.slot[k]]; });
    const Vec3<T> near = vectors<T>([&](int k) -> const Vec3d& { return u_[pack.parent[k]].x; });
    const Vec3<T> x = positions(at_->x, pack.vertex), theta = T(share) * u.theta;
    const Quat<T> q = frames(at_->q, pack.segment);
    const T per_length = node.way * node.segment.per_length;
    const Vec3<T> e = per_length * (x - positions(at_->x, pack.near)), longer = (T(share) * per_length) * (u.x - near);
    const Vec3<T> predicted = rotate(conjugate(q), e + longer + cross(e, theta)) - node.segment.stretch.p;
    scatter(predicted, [&](int k) -> Vec3d& { return (*prediction_)[pack.segment[k]]; });
    scatter(x + T(share) * u.x, [&](int k) -> Vec3d& { return at_->x[pack.vertex[k]]; });
    scatter(turned(theta, q), [&](int k) -> Quatd& { return at_->q[pack.segment[k]]; });
  }
  at_->x[plan_->root] += share * u_[plan_->root_slot()].x;
}

}  // namespace tendril::block
