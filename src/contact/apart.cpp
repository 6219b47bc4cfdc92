#include <atomic>

#include "contact/candidates.h"
#include "contact/contact.h"
#include "contact/for_all.h"
#include "math/quat.h"

namespace tendril {

// Where nothing comes near anything, a step needs no planes.

// how far a point of a body goes at most, the turn counted in full [m]
double Contact::longest_way(int b, const Pose& to) const {
  const BodyPath& path = bodies_[b];
  const double turn = path.is_free ? angle_between(pose_[b].q, to.q) : norm(path.turn);
  const double by_turning = turn > 0 ? turn * path.size : 0;  // a plane has no end
  if (!path.is_free) return norm(path.way) + by_turning;
  const auto centre = [&](const Pose& pose) { return pose.x + rotate(pose.q, path.centre); };
  return norm(centre(to) - centre(pose_[b])) + by_turning;
}

// Two points that go straight, each a mean of its vertices, come nearer by at most what one vertex moves against
// another.
double Contact::least_gap(const Pair& pair, const State& to) const {
  const auto way = [&](int k) { return to.x[pair.vertex[k]] - corner_[pair.vertex[k]]; };
  const auto body_way = [&](int b) { return longest_way(b, {to.body_x[b], to.body_q[b]}); };
  double most2 = 0, of_bodies = 0;  // motion against each other, squared; bodies' own
  if (pair.body_a >= 0) of_bodies += body_way(pair.body_a);
  if (pair.with_solid()) of_bodies += body_way(pair.body);
  for (int i = 0; i < 2 && pair.body_a < 0; ++i)
    for (int j = 2; j < 4; ++j) most2 = std::max(most2, norm_squared(pair.with_solid() ? way(i) : way(i) - way(j)));
  return pair.gap - std::sqrt(most2) - of_bodies;
}

bool Contact::stays_apart(const State& to) const {
  if (!options_.enabled) return true;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].is_free && !roams(static_cast<int>(b), {to.body_x[b], to.body_q[b]})) return false;
  std::atomic<bool> apart = true;
  for_all(team_, to.x.size(), [&](std::size_t i) {
    if (mover_[i] == static_cast<int>(i) && !candidates_->holds(static_cast<int>(i), to.x[i]))
      apart.store(false, std::memory_order_relaxed);
  });
  for_all(team_, pairs_.size(), [&](std::size_t p) {
    if (!(least_gap(pairs_[p], to) >= pairs_[p].barrier.reach)) apart.store(false, std::memory_order_relaxed);
  });
  return apart;
}

}  // namespace tendril
