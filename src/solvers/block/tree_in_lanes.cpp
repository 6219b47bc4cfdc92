#include "solvers/block/tree_in_lanes.h"

#include <algorithm>

#include "math/prefetch.h"
#include "math/quat_pack.h"
#include "solvers/newton/retraction.h"

namespace tendril::solvers::block {
namespace {

using T = StrandLanes;
using Joint = TreeConstants::Joint;

// to round-off: stiffness across a joint comes from turned frames
bool all_equal(const T& a, const T& b) { return !any(abs(a - b) > T(1e-14) * abs(a)); }
bool is_isotropic(const Joint& joint) {
  const Vec3<T>& K = joint.bend.K;
  return all_equal(K.x, K.y) && all_equal(K.x, K.z);
}
bool is_isotropic(const TreeConstants::Node& node) {
  const auto& [stretch, per_length, spin] = node.segment;
  return all_equal(stretch.GA, stretch.EA) && all_equal(spin.x, spin.y) && is_isotropic(node.parent);
}

// between the nodes of some segments and others; where there is no bend both frames are the node's own
Joint joint_constants(const Problem& p, const LaneIndex& bends, const LaneIndex& segments) {
  static const rod::Bend no_bend{};
  const auto term = [&](int k) { return bends[k] < 0 ? Bend<double>{} : p.bend(bends[k]); };
  const auto in_model = [&](int k) -> const rod::Bend& { return bends[k] < 0 ? no_bend : p.model->bends[bends[k]]; };
  Joint out{
      .other = segments,
      .turn = quaternions<T>([&](int k) -> const Quatd& { return in_model(k).turn; }),
      .bend = make_bend(vectors<T>([&](int k) { return term(k).K; }), vectors<T>([&](int k) { return term(k).rest; })),
      .way = T(1)};
  out.is_straight = is_isotropic(out) && !p.rest_moves();
  for (int k = 0; k < strand_lanes; ++k) {
    if (bends[k] < 0) continue;
    const int a = in_model(k).a.index, b = in_model(k).b.index;
    out.other[k] = b == segments[k] ? a : b;
    out.way.v[k] = b == segments[k] ? 1 : -1;
    out.has_turn |= p.bends[bends[k]].turns;
    out.is_straight &= !p.bends[bends[k]].bent;
  }
  if (out.is_straight) out.turn = select(out.way > T(0), out.turn, conjugate(out.turn)), out.way = T(1);
  return out;
}

[[gnu::always_inline]] inline Vec3<T> vectors_at(const std::vector<Vec3d>& x, const LaneIndex& at) {
  return vectors<T>([&](int k) -> const Vec3d& { return x[at[k]]; });
}
[[gnu::always_inline]] inline Quat<T> frames_at(const std::vector<Quatd>& q, const LaneIndex& at) {
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
// of a and b
[[gnu::always_inline]] inline std::array<Quat<T>, 2> frames_of(const Joint& joint, const Quat<T>& own,
                                                               const Iterate& at) {
  const Quat<T> other = frames_at(at.q, joint.other);
  const auto is_b = joint.way > T(0);
  const Quat<T> a = select(is_b, other, own), b = select(is_b, own, other);
  return {a, joint.has_turn ? b * joint.turn : b};
}
[[gnu::always_inline]] inline BendAdds bend_adds(const BendDerivatives<T>& d, T way, T energy) {
  const Vec3<T> moment = way * d.moment;
  return {{d.S, -moment}, {d.S, moment}, skew(way * d.half_moment) + T(-1) * full(d.S), energy};
}
template <bool isotropic, bool fresh>
[[gnu::always_inline]] inline BendAdds work_out(const Joint& joint, const Quat<T>& own, const Iterate& at,
                                                T hessian_share) {
  if (isotropic && joint.is_straight) {
    const Quat<T> b = joint.has_turn ? own * joint.turn : own;
    const T K = joint.bend.K.x;
    const Vec3<T> angle = straight_bend_angle(frames_at(at.q, joint.other), b);
    return bend_adds(straight_derivatives<fresh>(K, angle, hessian_share), T(1), T(0.5) * K * norm_squared(angle));
  }
  const auto [a, b] = frames_of(joint, own, at);
  const Vec3<T> angle = bend_angle(joint.bend, a, b);
  return bend_adds(derivatives<isotropic>(joint.bend, rotation_matrix(a), angle, hessian_share), joint.way,
                   bend_energy(joint.bend, angle));
}

[[gnu::always_inline]] inline void operator+=(OpenRow<T>& row, const OpenRow<T>& more) {
  row.diagonal += more.diagonal, row.right += more.right;
}
[[gnu::always_inline]] inline void add(const BendAdds& bend, OpenRow<T>& turn, T& energy) {
  turn += bend.own, energy += bend.energy;
}

// a record of each lane, or a part of it
template <class Record>
[[gnu::always_inline]] inline auto records_at(const LaneIndex& at, std::vector<Record>& records) {
  return [&at, first = records.data()](int k) -> Record& { return first[at[k]]; };
}
template <class Record, class Part>
[[gnu::always_inline]] inline auto records_at(const LaneIndex& at, std::vector<Record>& records, Part Record::*part) {
  return [&at, first = records.data(), part](int k) -> Part& { return first[at[k]].*part; };
}
// what has been left in records, which are empty then
template <class Out, class Records>
[[gnu::always_inline]] inline Out taken(const Records& records) {
  return from_records<Out, true>(records);
}
template <class In, class Records>
[[gnu::always_inline]] inline void leave(const In& in, const Records& records) {
  into_records<true>(in, records);
}

}  // namespace

void load_constants(const Problem& p, const TreePlan& plan, TreeConstants& constants) {
  constants.nodes.clear(), constants.siblings.clear();
  constants.isotropic = !p.rest_moves();
  for (const TreePlan::Pack& pack : plan.packs) {
    TreeConstants::Node node{.segment = segment_constants<StrandLanes>(p, pack.segment),
                             .way = T(1),
                             .counts = T(1),
                             .parent = joint_constants(p, pack.bend, pack.segment)};
    for (int k = 0; k < strand_lanes; ++k) {
      if (p.model->segments[pack.segment[k]].vertex[1] != pack.vertex[k]) node.way.v[k] = -1;
      if (k >= pack.members) node.counts.v[k] = 0;
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
  plan_ = &plan, constants_ = &constants, at_ = &at, trial_ = &start, prediction_ = &prediction, at_guess_ = true;
  const auto at_least = [](auto& records, int count) {
    if (static_cast<int>(records.size()) < count) records.resize(count);
  };
  at_least(left_, plan.records), at_least(couplings_, plan.couplings), at_least(u_, plan.slot_count());
  u_[plan.root_slot()] = u_[plan.no_slot()] = {};
  at_least(beyond_, plan.slot_count());
  int siblings = 0;
  for (const Pack& pack : plan.packs) siblings = std::max(siblings, pack.siblings);
  siblings_.resize(siblings);
  rows_.resize(2 * plan.packs.size()), sibling_rows_.resize(plan.siblings.size());
}

TreeInLanes::Pass TreeInLanes::factorise(double hessian_share) {
  if (!constants_->isotropic) return factorise<false>(T(hessian_share));
  return at_guess_ && hessian_share == 1 ? factorise<true, true>(T(1)) : factorise<true>(T(hessian_share));
}

template <bool isotropic, bool fresh>
TreeInLanes::Pass TreeInLanes::factorise(T hessian_share) {
  const double held = add_held_bends(hessian_share[0]);
  Tally tally{hessian_share};
  const int packs = static_cast<int>(plan_->packs.size());
  constexpr int ahead = 3;  // two to six take as long
  for (int n = 0; n < packs; ++n) {
    fetch(std::min(n + ahead, packs - 1));
    factorise_pack<isotropic, fresh>(n, tally);
  }
  const Pass root = solve_root();
  return {held + sum(tally.energy) + root.energy, !any(~tally.is_definite) && root.is_definite};
}

// What a pack will need comes from memory while others are worked on. To ask for rows, which are only written, costs
// more than it saves.
[[gnu::always_inline]] inline void TreeInLanes::fetch(int n) const {
  const Pack& pack = plan_->packs[n];
  const auto ask_for_lanes = [](const auto& items, const LaneIndex& at) __attribute__((always_inline)) {
#pragma GCC unroll 8
    for (int item : at) ask_for(items, item);
  };
  ask_for_lanes(at_->x, pack.vertex), ask_for_lanes(problem_->goal, pack.vertex);
  ask_for_lanes(at_->q, pack.segment), ask_for_lanes(*prediction_, pack.segment);
  ask_for_all_of(constants_->nodes[n]);
  for (int j = pack.first_sibling; j < pack.first_sibling + pack.siblings; ++j) {
    const Joint& joint = constants_->siblings[j];
    ask_for(joint), ask_for_all_of(joint.turn), ask_for(joint.bend.K);
  }
}

template <bool isotropic, bool fresh>
[[gnu::always_inline]] inline void TreeInLanes::factorise_pack(int n, Tally& tally) {
  const Pack& pack = plan_->packs[n];
  const TreeConstants::Node& node = constants_->nodes[n];
  OpenRow<T> turn{};
  T energy(0);
  const Quat<T> q = frames_at(at_->q, pack.segment);
  const auto work_out_bend = [&](const Joint& joint) __attribute__((always_inline)) {
    return work_out<isotropic, fresh>(joint, q, *at_, fresh ? T(1) : tally.hessian_share);
  };
  Vertex<T> near = eliminate_vertex<isotropic, fresh>(n, q, turn, energy, tally);
  BendAdds bend = work_out_bend(node.parent);
  add(bend, turn, energy);
  for (int j = pack.first_sibling; j < pack.first_sibling + pack.siblings; ++j) {
    const TreePlan::Sibling& sibling = plan_->siblings[j];
    BendAdds with_sibling = work_out_bend(constants_->siblings[j]);
    add(with_sibling, turn, energy);
    if (sibling.has_elders) with_sibling.coupling += taken<Mat3<T>>(records_at(sibling.coupling, couplings_));
    siblings_[j - pack.first_sibling] = {with_sibling.other, with_sibling.coupling};
  }
  tally.energy += node.counts * energy;
  const auto left = records_at(pack.record, left_, &Left::turn);
  if (pack.has_elders) {
    const Turn<T> by_all = taken<Turn<T>>(left);
    turn += by_all.row, near.with_turn += by_all.with_near, bend.coupling += by_all.with_parent;
  } else {
    turn += taken<OpenRow<T>>(left);
  }
  tally.add(begin_elimination(turn, near.with_turn, near.row, rows_[2 * n + 1]));
  Mat3<T> near_with_parent{};
  end_elimination(bend.coupling, bend.other, near_with_parent, rows_[2 * n + 1]);
  leave(Vertex<T>{near.row, near_with_parent}, records_at(pack.parent.told, left_, &Left::vertex));
  leave(bend.other, records_at(pack.parent.told, left_, &Left::turn));
  if (pack.siblings > 0) leave_to_siblings(n);
}

// inertia and stretch; what is left for the nearer vertex, and couples it with the turn
template <bool isotropic, bool fresh>
[[gnu::always_inline]] inline auto TreeInLanes::eliminate_vertex(int n, const Quat<T>& q, OpenRow<T>& turn, T& energy,
                                                                 Tally& tally) -> Vertex<T> {
  const Problem& p = *problem_;
  const Pack& pack = plan_->packs[n];
  const TreeConstants::Node& node = constants_->nodes[n];
  const auto& [stretch, per_length, spin_weight] = node.segment;
  Vertex<T> open = taken<Vertex<T>>(records_at(pack.record, left_, &Left::vertex));
  const Vec3<T> x = vectors_at(at_->x, pack.vertex), away = x - vectors_at(p.goal, pack.vertex);
  const T weight = numbers<T>([&](int k) { return p.weight[pack.vertex[k]]; });
  open.row.diagonal += weight, open.row.right -= weight * away;
  energy += T(0.5) * weight * norm_squared(away);

  const Mat3<T> R = rotation_matrix(q);
  if constexpr (!fresh) {
    const Quat<T> goal = frames_at(p.frame_goal, pack.segment);
    const SpinTerms<T> spin = spin_terms<isotropic>(spin_weight, R, spin_turn(goal, q));
    turn.diagonal += spin.theta_theta, turn.right -= spin.torque;
    energy += spin.energy;
  }
  if (!p.moment.empty()) turn.right += vectors_at(p.moment, pack.segment);

  const Vec3<T> e = (node.way * per_length) * (x - vectors_at(at_->x, pack.near));
  const Vec3<T> predicted = vectors_at(*prediction_, pack.segment);
  const T k = stretch.GA * per_length;
  const auto add_to_rows = [&](const StretchTerms<T>& d, const Vec3<T>& force) __attribute__((always_inline)) {
    open.row.right -= force;
    turn.diagonal += d.theta_theta, turn.right -= d.torque;
  };
  if constexpr (isotropic) {
    const Vec3<T> gamma = e - R.c2;
    const StretchTerms<T> d =
        fresh ? isotropic_terms_at_goal(stretch, spin_weight, e, R.c2, gamma, predicted.z, R * predicted)
              : isotropic_stretch_terms(stretch, e, R, gamma, predicted, tally.hessian_share);
    const Vec3<T> force = node.way * d.force;
    energy += T(0.5) * stretch.length * dot(gamma, d.force);
    add_to_rows(d, force);
    open.row.diagonal += k;
    Vertex<T> near{{{k, T(0), T(0), k, T(0), k}, force}, skew(-node.way * d.arm)};
    open.with_turn += near.with_turn;
    tally.add(begin_elimination(open.row, open.with_turn, turn, rows_[2 * n]));
    end_elimination(-k, near.row, near.with_turn, rows_[2 * n]);
    return near;
  } else {
    const Vec3<T> gamma = strain(stretch, e, R);
    const StretchTerms<T> d = stretch_terms(stretch, e, R, gamma, predicted, tally.hessian_share);
    const Vec3<T> force = node.way * d.force;
    energy += stretch_energy(stretch, gamma);
    add_to_rows(d, force);
    const T excess = stretch.EA - stretch.GA;
    Sym3<T> xx = square(excess * per_length, R.c2);
    xx += k;
    const Mat3<T> x_theta = node.way * (skew(d.arm) + outer(-excess * R.c2, d.side));
    open.row.diagonal += xx;
    open.with_turn += transpose(x_theta);
    Vertex<T> near{{xx, force}, T(-1) * x_theta};
    tally.add(begin_elimination(open.row, open.with_turn, turn, rows_[2 * n]));
    end_elimination(T(-1) * full(xx), near.row, near.with_turn, rows_[2 * n]);
    return near;
  }
}

// of the turn that was eliminated
[[gnu::always_inline]] inline void TreeInLanes::leave_to_siblings(int n) {
  using math::detail::minus_product;
  const Pack& pack = plan_->packs[n];
  const DoneRow<T>& done = rows_[2 * n + 1];
  for (int j = 0; j < pack.siblings; ++j) {
    const LaneIndex& told = plan_->siblings[pack.first_sibling + j].node.told;
    auto& [row, coupling] = siblings_[j];
    math::detail::divide(coupling, done.factors);
    const Mat3<T> L = math::detail::scaled_columns(coupling, done.factors.w);
    sibling_rows_[pack.first_sibling + j] = L;
    math::detail::take_off(L, coupling, row.diagonal), math::detail::take_off(coupling, done.right, row.right);
    leave(Turn<T>{row, minus_product<false>(done.next, coupling), minus_product<false>(done.after, coupling)},
          records_at(told, left_, &Left::turn));
    for (int i = 0; i < j; ++i)
      leave(minus_product<false>(L, siblings_[i].coupling),
            records_at(plan_->pairs[pack.first_pair + j * (j - 1) / 2 + i], couplings_));
  }
}

// the last vertex, which nothing comes after
TreeInLanes::Pass TreeInLanes::solve_root() {
  const int root = plan_->root;
  const double weight = problem_->weight[root];
  const Vec3d away = at_->x[root] - problem_->goal[root];
  OpenRow<double> row = std::exchange(left_[TreePlan::root_record], {}).vertex.row;
  row.diagonal += weight, row.right -= weight * away;
  Mat3d none;
  hold(problem_->free_axes(root), row, none, none);
  Factors3<double> factors;
  const bool is_definite = solvers::factorise(row.diagonal, factors);
  u_[plan_->root_slot()].x = factors.backwards(scale(factors.w, factors.forwards(row.right)));
  return {0.5 * weight * norm_squared(away), is_definite};
}

// on the turn of their segments
double TreeInLanes::add_held_bends(double hessian_share) {
  double energy = 0;
  for (const TreePlan::Held& held : plan_->held) {
    const Frames f = newton::frames(*problem_, held.bend, *at_);
    const newton::Bend<double> bend = problem_->bend(held.bend);
    const Vec3d angle = bend_angle(bend, f.a, f.b);
    const BendDerivatives<double> d = derivatives(bend, f.a, angle, hessian_share);
    OpenRow<double>& turn = left_[held.record].turn.row;
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
    const Step<T> parent = from_records<Step<T>>([&](int k) -> auto& { return u_[pack.parent.slot[k]]; });
    Vec3<T> pull{T(0), T(0), T(0)};
    for (int j = pack.first_sibling; j < pack.first_sibling + pack.siblings; ++j) {
      const LaneIndex& slot = plan_->siblings[j].node.slot;
      const Vec3<T> theta = vectors<T>([&](int k) -> const Vec3d& { return u_[slot[k]].theta; });
      const Mat3<T>& L = sibling_rows_[j];
      pull += Vec3<T>{dot(L.c0, theta), dot(L.c1, theta), dot(L.c2, theta)};
    }
    Step<T> u;
    u.theta = rows_[2 * n + 1].solve_backwards(parent.x, parent.theta, pull);
    const StrandSegment<StrandLanes>& segment = constants_->nodes[n].segment;
    if constexpr (isotropic)
      u.x = rows_[2 * n].solve_backwards(u.theta, parent.x, -segment.shear());
    else
      u.x = rows_[2 * n].solve_backwards(u.theta, parent.x);
    into_records(
        u, [&](int k) -> auto& { return u_[pack.slot[k]]; });
    const T turn2 = norm_squared(u.theta), per_length = segment.per_length;
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
  const auto joint_energy = [&](const Joint& joint, const Quat<T>& q) {
    const auto [a, b] = frames_of(joint, q, at);
    return bend_energy(joint.bend, bend_angle(joint.bend, a, b));
  };
  T total(0);
  for (std::size_t n = 0; n < plan_->packs.size(); ++n) {
    const Pack& pack = plan_->packs[n];
    const TreeConstants::Node& node = constants_->nodes[n];
    const auto& [stretch, per_length, spin_weight] = node.segment;
    const Vec3<T> x = vectors_at(at.x, pack.vertex);
    const T weight = numbers<T>([&](int k) { return problem_->weight[pack.vertex[k]]; });
    const Quat<T> q = frames_at(at.q, pack.segment);
    const Spin<T> spin{spin_weight, frames_at(problem_->frame_goal, pack.segment)};
    const Vec3<T> e = (node.way * per_length) * (x - vectors_at(at.x, pack.near));
    T sum = T(0.5) * weight * norm_squared(x - vectors_at(problem_->goal, pack.vertex)) +
            stretch_energy(stretch, strain(stretch, {e, q})) + spin_energy(spin, half_turn(spin, q)) +
            joint_energy(node.parent, q);
    for (int j = pack.first_sibling; j < pack.first_sibling + pack.siblings; ++j)
      sum += joint_energy(constants_->siblings[j], q);
    total += node.counts * sum;
  }
  double energy = sum(total) + inertial_energy(*problem_, {Kind::vertex, plan_->root}, at);
  for (const TreePlan::Held& held : plan_->held) energy += newton::bend_energy(*problem_, held.bend, at);
  return energy;
}

double TreeInLanes::energy_along(double share) {
  go(share, *trial_, false);
  return energy(*trial_);
}

void TreeInLanes::advance(double share, bool) {
  go(share, *at_, true);
  at_guess_ = false;
}

// Frames turn and strains change linearly (newton/retraction.h). First from the tips on, so that nearer vertices have
// not moved yet: how far each edge goes beyond e + de; then from the root on, how far vertices do.
void TreeInLanes::go(double share, Iterate& to, bool predicts) {
  for (std::size_t n = 0; n < plan_->packs.size(); ++n) {
    const Pack& pack = plan_->packs[n];
    const TreeConstants::Node& node = constants_->nodes[n];
    const Step<T> u = from_records<Step<T>>([&](int k) -> auto& { return u_[pack.slot[k]]; });
    const Vec3<T> near = vectors<T>([&](int k) -> const Vec3d& { return u_[pack.parent.slot[k]].x; });
    const Vec3<T> x = vectors_at(at_->x, pack.vertex), theta = T(share) * u.theta;
    const Quat<T> q = frames_at(at_->q, pack.segment);
    const T per_length = node.way * node.segment.per_length;
    const Vec3<T> e = per_length * (x - vectors_at(at_->x, pack.near)), de = (T(share) * per_length) * (u.x - near);
    if (predicts) {
      const Vec3<T> predicted = rotate(conjugate(q), e + de + cross(e, theta)) - node.segment.stretch.p;
      scatter(predicted, [&](int k) -> Vec3d& { return (*prediction_)[pack.segment[k]]; });
    }
    scatter((node.way * node.segment.stretch.length) * beyond_linear(e, de, theta),
            [&](int k) -> Vec3d& { return beyond_[pack.slot[k]]; });
    scatter(x + T(share) * u.x, [&](int k) -> Vec3d& { return to.x[pack.vertex[k]]; });
    scatter(turned(theta, q), [&](int k) -> Quatd& { return to.q[pack.segment[k]]; });
  }
  to.x[plan_->root] = at_->x[plan_->root] + share * u_[plan_->root_slot()].x;
  if (!retracts(part(), *problem_)) return;
  beyond_[plan_->root_slot()] = {};
  for (std::size_t n = plan_->packs.size(); n-- > 0;) {
    const Pack& pack = plan_->packs[n];
    for (int k = 0; k < pack.members; ++k) {
      beyond_[pack.slot[k]] += beyond_[pack.parent.slot[k]];
      to.x[pack.vertex[k]] += beyond_[pack.slot[k]];
    }
  }
  if (!(part().skeleton.free == Vec3d{})) keep_centre(to);
}

// where nothing holds the tree it goes beyond x + share u only in the mean of nothing
void TreeInLanes::keep_centre(Iterate& to) const {
  double weight = problem_->weight[plan_->root];
  Vec3d moment;
  for (const Pack& pack : plan_->packs)
    for (int k = 0; k < pack.members; ++k) {
      const double w = problem_->weight[pack.vertex[k]];
      weight += w, moment += w * beyond_[pack.slot[k]];
    }
  const Vec3d shift = scale(part().skeleton.free, moment / weight);
  to.x[plan_->root] -= shift;
  for (const Pack& pack : plan_->packs)
    for (int k = 0; k < pack.members; ++k) to.x[pack.vertex[k]] -= shift;
}

}  // namespace tendril::solvers::block
