#include "solvers/newton/contact_forces.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace tendril::solvers::newton {
namespace {

// whose gradient by the forces is by how much gaps are beyond those of the barriers; convex
double potential(const Eigen::MatrixXd& N, const Eigen::VectorXd& c, std::span<const Barrier> barriers,
                 const Eigen::VectorXd& force) {
  double sum = force.dot(0.5 * (N * force) + c);
  for (std::size_t i = 0; i < barriers.size(); ++i) {
    const double kd = barriers[i].stiffness * barriers[i].reach;
    sum -= kd * barriers[i].reach * (std::sqrt(1 + 2 * force[static_cast<long>(i)] / kd) - 1);
  }
  return sum;
}

// what solves H f = -c among those that are in; the others are zero
Eigen::VectorXd balance(const Eigen::MatrixXd& H, const Eigen::VectorXd& c, const std::vector<char>& in) {
  std::vector<long> of;
  for (long i = 0; i < c.size(); ++i)
    if (in[i]) of.push_back(i);
  const Eigen::VectorXd some = Eigen::MatrixXd(H(of, of)).llt().solve(Eigen::VectorXd(-c(of)));
  Eigen::VectorXd all = Eigen::VectorXd::Zero(c.size());
  for (std::size_t i = 0; i < of.size(); ++i) all[of[i]] = some[static_cast<long>(i)];
  return all;
}

// The least of f·(H f / 2 + c) for f >= 0 [lawson1974]: one force at a time is let in, and those that would pull leave.
bool push_apart(const Eigen::MatrixXd& H, const Eigen::VectorXd& c, double enough, Eigen::VectorXd& force) {
  const long count = c.size(), patience = 3 * count + 10;
  std::vector<char> in(count);
  for (long i = 0; i < count; ++i) in[i] = force[i] > 0;
  for (long n = 0; n < patience; ++n) {
    for (long out = 0; out >= 0;) {
      const Eigen::VectorXd best = balance(H, c, in);
      double fraction = 1;
      out = -1;
      for (long i = 0; i < count; ++i)
        if (in[i] && best[i] < 0 && (out < 0 || force[i] < fraction * (force[i] - best[i])))
          fraction = force[i] / (force[i] - best[i]), out = i;
      force += fraction * (best - force);
      if (out >= 0) in[out] = false, force[out] = 0;
    }
    const Eigen::VectorXd left = H * force + c;
    long next = -1;
    for (long i = 0; i < count; ++i)
      if (!in[i] && left[i] < (next < 0 ? -enough : left[next])) next = i;
    if (next < 0) return true;
    in[next] = true;
  }
  return false;
}

}  // namespace

// Newton's method on the potential, whose steps keep forces that push
bool find_forces(const Eigen::MatrixXd& N, const Eigen::VectorXd& c, std::span<const Barrier> barriers,
                 Eigen::VectorXd& force) {
  constexpr int most_steps = 50;
  constexpr double enough = 1e-4;  // of a gap
  const auto count = static_cast<long>(barriers.size());
  for (int n = 0; n < most_steps; ++n) {
    Eigen::MatrixXd H = N;
    Eigen::VectorXd left = c;
    double most = 0, least_gap = forever;
    const Eigen::VectorXd gap = c + N * force;
    for (long i = 0; i < count; ++i) {
      const double softness = 1 / barriers[i].curvature_of(force[i]), middle = barriers[i].gap_of(force[i]);
      H(i, i) += softness, left[i] -= middle + softness * force[i];
      if (force[i] > 0 || gap[i] < middle) most = std::max(most, std::abs(gap[i] - middle) / middle);
      least_gap = std::min(least_gap, middle);
    }
    if (most <= enough) return true;
    Eigen::VectorXd next = force;
    if (!push_apart(H, left, 0.1 * enough * least_gap, next)) return false;
    const double here = potential(N, c, barriers, force), round_off = 1e-12 * std::abs(here);
    double fraction = 1;
    while (fraction > 1e-4 && !(potential(N, c, barriers, force + fraction * (next - force)) <= here + round_off))
      fraction *= 0.5;
    force = fraction == 1 ? next : Eigen::VectorXd(force + fraction * (next - force));
  }
  return false;
}

ContactForces::ContactForces(std::vector<int> parts, ContactTerms& terms, const Coupling& coupling,
                             const Problem& problem, const Parts& all_parts, const Contact& contact, const Iterate& at,
                             Systems& systems)
    : parts_(std::move(parts)),
      is_of_these_(all_parts.count(), false),
      terms_(terms),
      coupling_(coupling),
      problem_(problem),
      all_parts_(all_parts),
      contact_(contact),
      at_(at),
      systems_(systems),
      alone_(all_parts.count()),
      pushes_now_(terms.followed().size(), false),
      beyond_(terms.followed().size(), 0) {
  for (int p : parts_) is_of_these_[p] = true, alone_[p] = systems_[p]->direction();
  for (std::size_t k = 0; k < terms_.followed().size(); ++k)
    if (terms_.followed()[k].term >= 0 && is_between_these(terms_.followed()[k])) add(static_cast<int>(k));
}

bool ContactForces::is_between_these(const ContactTerms::Followed& f) const {
  const auto is_mine = [&](int p) { return p >= 0 && is_of_these_[p]; };
  const auto may_be = [&](int p) { return p < 0 || is_of_these_[p]; };
  return (is_mine(f.part[0]) || is_mine(f.part[1])) && may_be(f.part[0]) && may_be(f.part[1]);
}

void ContactForces::add(int followed) {
  const ContactTerms::Term& t = term(followed);
  is_found_ &= !(t.spring.friction > 0);
  pushes_now_[followed] = true;
  Coupling::Vectors ways(all_parts_.count());
  for (int side = 0; side < 2; ++side) {
    const int p = t.part[side];
    if (p < 0) continue;
    if (ways[p].empty()) ways[p].assign(all_parts_[p].row_count(), {});
    coupling_.push(t, side, {{}, t.slope * t.normal, 0}, at_, ways);
  }
  Push push{followed, {}};
  for (int side = 0; side < 2; ++side) {
    const int p = t.part[side];
    if (p < 0 || (side == 1 && p == t.part[0])) continue;
    systems_[p]->precondition(ways[p]);
    push.way.push_back({p, std::move(ways[p])});
  }
  pushes_.push_back(std::move(push)), barriers_.push_back(t.barrier);
}

// by how much the gap grows when a part does this [m]
double ContactForces::moved(const ContactTerms::Term& t, int part, const std::vector<Vec3d>& u) const {
  Vec3d way;
  for (int side = 0; side < 2; ++side)
    if (t.part[side] == part) way += coupling_.motion(t, side, u, at_).point;
  return t.slope * dot(t.normal, way);
}

// where the directions lead to
double ContactForces::linear_gap(int followed) const {
  const ContactTerms::Term& t = term(followed);
  double gap = t.linear_gap(t.driven);
  for (int side = 0; side < 2; ++side)
    if (const int p = t.part[side]; p >= 0 && (side == 0 || p != t.part[0]))
      gap += moved(t, p, systems_[p]->direction());
  return gap;
}

// the forces, and with them the directions
void ContactForces::solve() {
  const auto count = static_cast<long>(pushes_.size()), before = static_cast<long>(N_.rows());
  N_.conservativeResize(count, count), force_.conservativeResize(count);
  for (long i = before; i < count; ++i) {
    force_[i] = 0;
    for (long j = 0; j <= i; ++j) {
      double sum = 0;
      for (const auto& [p, u] : pushes_[i].way) sum += moved(term(pushes_[j].followed), p, u);
      N_(i, j) = N_(j, i) = sum;
    }
  }
  for (int p : parts_) systems_[p]->direction() = alone_[p];
  Eigen::VectorXd c(count);
  for (long i = 0; i < count; ++i) c[i] = linear_gap(pushes_[i].followed) + beyond_[pushes_[i].followed];
  is_found_ &= find_forces(N_, c, barriers_, force_);
  for (long i = 0; i < count; ++i)
    for (const auto& [p, way] : pushes_[i].way) {
      std::vector<Vec3d>& u = systems_[p]->direction();
      for (std::size_t row = 0; force_[i] > 0 && row < u.size(); ++row) u[row] += force_[i] * way[row];
    }
}

bool ContactForces::settle(const IsNear& comes_near) {
  constexpr int most_rounds = 30;
  constexpr std::size_t most_pushes = 300;  // their matrix is dense
  for (int n = 0; n < most_rounds && pushes_.size() < most_pushes; ++n) {
    solve();
    if (!is_found_) return false;
    std::vector<int> near, without_term;
    for (std::size_t k = 0; k < terms_.followed().size(); ++k) {
      const ContactTerms::Followed& f = terms_.followed()[k];
      if (pushes_now_[k] || !is_between_these(f) || !comes_near(f)) continue;
      near.push_back(static_cast<int>(k));
      if (f.term < 0) without_term.push_back(static_cast<int>(k));
    }
    terms_.add_terms(without_term, contact_, problem_, at_);
    const std::size_t before = pushes_.size();
    for (int k : near)
      if (linear_gap(k) + beyond_[k] < term(k).barrier.reach) add(k);
    if (pushes_.size() == before) return true;
  }
  return false;
}

void ContactForces::see_gaps(const Iterate& there) {
  for (std::size_t k = 0; k < terms_.followed().size(); ++k) {
    const ContactTerms::Followed& f = terms_.followed()[k];
    const Pair& pair = contact_.pairs()[f.pair];
    if (!is_between_these(f) || (!pushes_now_[k] && contact_.is_far(pair, there))) continue;
    const double gap = contact_.gap_at(pair, there);
    if (!pushes_now_[k] && !(gap < pair.barrier.reach)) continue;
    const int number = static_cast<int>(k);
    if (f.term < 0) terms_.add_terms({{number}}, contact_, problem_, at_);
    beyond_[k] = gap - linear_gap(number);
    if (!pushes_now_[k]) add(number);
  }
}

void ContactForces::press() {
  for (std::size_t i = 0; i < pushes_.size(); ++i)
    terms_.press(terms_.followed()[pushes_[i].followed], force_[static_cast<long>(i)]);
}

}  // namespace tendril::solvers::newton
