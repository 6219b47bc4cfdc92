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

bool Contact::stays_apart(const State& to) {
  if (!options_.enabled) return true;
  if (!holds_for_all(team_, to.x.size(), [&](std::size_t i) { return is_finite(to.x[i]); })) return false;
  for (std::size_t b = 0; b < bodies_.size(); ++b) wanted_pose_[b] = {to.body_x[b], to.body_q[b]};
  for_all(team_, to.x.size(), [&](std::size_t i) { wanted_[i] = to.x[i] - corner_[i]; });
  effort_.detection.time([&] { search_where_needed(); });
  return holds_for_all(team_, pairs_.size(),
                       [&](std::size_t p) { return least_gap(pairs_[p], to) >= pairs_[p].barrier.reach; });
}

}  // namespace tendril
