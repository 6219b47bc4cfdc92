#include "solvers/direct/collisions.h"

#include <algorithm>
#include <cmath>

namespace tendril::solvers::direct {
namespace {

// [m]
double rest_gap(const Pair& pair) { return 0.75 * pair.barrier.reach; }

// A pair where its segments are now. Segments that went through each other have their normal the other way round: these
// are measured at the points and along the normal that they had before.
Pair pair_there(const Contact& contact, const Pair& pair, const Iterate& at) {
  constexpr double least_cosine = 0.5;
  Pair there = contact.pair_at(pair, at);
  if (dot(there.normal, pair.normal) >= least_cosine) return there;
  there = pair;
  there.gap = contact.gap_along(pair, at);
  return there;
}

double inverse(double weight) { return weight > 0 ? 1 / weight : 0; }

}  // namespace

// visit(body, arm to its point, sign of the force)
template <class Visit>
void Collisions::for_free_bodies(const Pair& pair, const Iterate& at, Visit visit) const {
  const auto visit_if_free = [&](int body, const Vec3d& point, double sign) {
    if (body < 0 || problem_->model->bodies[body].kind != BodyKind::dynamic) return;
    visit(body, rotate(at.body_q[body], point), sign);
  };
  visit_if_free(pair.body_a, pair.point_a, 1), visit_if_free(pair.body, pair.point, -1);
}

// how far a force of 1 N along a unit direction takes a's point from b's [m/N]
double Collisions::mobility(const Pair& pair, const Vec3d& direction, const Iterate& at) const {
  double sum = 0;
  for (int k = 0; k < 4; ++k)
    if (const int i = pair.vertex[k]; i >= 0 && problem_->role[i] != Role::slaved)
      sum += pair.weight[k] * pair.weight[k] * inverse(problem_->weight[i]) *
             norm_squared(scale(problem_->free_axes(i), direction));
  for_free_bodies(pair, at, [&](int b, const Vec3d& arm, double) {
    const BodyTerm& body = problem_->bodies[b];
    const Vec3d turn = rotate(conjugate(at.body_q[b]), cross(arm, direction));
    sum += inverse(body.weight);
    for (int k = 0; k < 3; ++k) sum += turn[k] * turn[k] * inverse(body.spin.weight[k]);
  });
  return sum;
}

// Eq. 20 [deul2018], of a force on a's point and the opposite one on b's
void Collisions::push(const Pair& pair, const Vec3d& force, Iterate& at) const {
  for (int k = 0; k < 4; ++k)
    if (const int i = pair.vertex[k]; i >= 0 && problem_->role[i] != Role::slaved)
      at.x[i] += pair.weight[k] * inverse(problem_->weight[i]) * scale(problem_->free_axes(i), force);
  for_free_bodies(pair, at, [&](int b, const Vec3d& arm, double sign) {
    const BodyTerm& body = problem_->bodies[b];
    Vec3d turn = rotate(conjugate(at.body_q[b]), cross(arm, sign * force));
    for (int k = 0; k < 3; ++k) turn[k] *= inverse(body.spin.weight[k]);
    at.body_x[b] += (sign * inverse(body.weight)) * force;
    at.body_q[b] = turned(rotate(at.body_q[b], turn), at.body_q[b]);
  });
}

// Pairs up and down again, so that a push runs through a stack either way, until little moves.
void Collisions::solve(const Contact& contact, Iterate& at) {
  constexpr int most_sweeps = 100;
  constexpr double little = 1e-3;  // of a radius
  const std::span<const Pair> pairs = contact.pairs();
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double largest = 0;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const Pair& pair = pairs[sweep % 2 == 0 ? k : pairs.size() - 1 - k];
      if (acts(contact, pair, at)) largest = std::max(largest, solve(contact, pair, at) / pair.radius);
    }
    if (largest < little) break;
  }
  problem_->for_slaved(
      [&](const Tie& tie) { at.x[tie.vertex] = at.body_x[tie.body] + rotate(at.body_q[tie.body], tie.offset); });
}

bool Collisions::acts(const Contact& contact, const Pair& pair, const Iterate& at) const {
  return !contact.is_far(pair, at) || multipliers_.count(pair.order()) > 0;
}

// how far its multipliers moved the two [m]
double Collisions::solve(const Contact& contact, const Pair& at_waypoint, Iterate& at) {
  const auto known = multipliers_.find(at_waypoint.order());
  const Pair pair = pair_there(contact, at_waypoint, at);
  const double missing = rest_gap(pair) - pair.gap;
  if (missing <= 0 && known == multipliers_.end()) return 0;
  const double yields = pair.slope * mobility(pair, pair.normal, at);
  if (!(yields > 0)) return 0;
  Multiplier& multiplier = known != multipliers_.end() ? known->second : multipliers_[at_waypoint.order()];
  const double before = multiplier.normal;
  multiplier.normal = std::max(0.0, before + missing / yields);
  push(pair, (multiplier.normal - before) * pair.normal, at);
  const double moved = std::abs(multiplier.normal - before) * yields;
  if (pair.spring.friction == 0) return moved;
  return std::max(moved, hold(pair, contact.slip_at(at_waypoint, at) - at_waypoint.slip, multiplier, at));
}

// against the way that the surfaces have slid, as hard as friction can
double Collisions::hold(const Pair& pair, const Vec3d& slip, Multiplier& multiplier, Iterate& at) {
  const Vec3d slid = tangential(slip, pair.normal), before = multiplier.along;
  Vec3d along = tangential(before, pair.normal);
  if (const double length = norm(slid); length > 0) along -= (1 / mobility(pair, (1 / length) * slid, at)) * slid;
  const double limit = pair.spring.friction * multiplier.normal, wanted = norm(along);
  multiplier.along = wanted > limit ? (limit / wanted) * along : along;
  const Vec3d change = multiplier.along - before;
  push(pair, change, at);
  const double size = norm(change);
  return size > 0 ? size * mobility(pair, (1 / size) * change, at) : 0;
}

double Collisions::residual(const Contact& contact, const Iterate& at) const {
  double largest = 0;
  for (const Pair& pair : contact.pairs())
    if (acts(contact, pair, at))
      largest = std::max(largest, (rest_gap(pair) - pair_there(contact, pair, at).gap) / pair.radius);
  return largest;
}

}  // namespace tendril::solvers::direct
