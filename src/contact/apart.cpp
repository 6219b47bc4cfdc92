#include <algorithm>

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

// Two segments that go straight stay on either side of a plane if they are there at both ends: their gap across the
// plane that faces the middles where these are nearest. It tells apart what turns together, however far.
double Contact::gap_across_plane(const Pair& pair, const State& to) const {
  const auto middles = [&](auto x) { return 0.5 * (x(0) + x(1) - x(2) - x(3)); };
  const auto before = [&](int k) { return corner_[pair.vertex[k]]; };
  const auto after = [&](int k) { return to.x[pair.vertex[k]]; };
  const Vec3d from = middles(before), way = middles(after) - from;
  const double length2 = norm_squared(way);
  const Vec3d n = from + (length2 > 0 ? std::clamp(-dot(from, way) / length2, 0.0, 1.0) : 0.0) * way;
  const auto across = [&](auto x) {
    return std::min(dot(n, x(0)), dot(n, x(1))) - std::max(dot(n, x(2)), dot(n, x(3)));
  };
  const double least = std::min(across(before), across(after));
  return least > 0 ? least / norm(n) - pair.radius : -pair.radius;
}

bool Contact::stays_apart(const State& to) {
  if (!options_.enabled) return true;
  if (!holds_for_all(team_, to.x.size(), [&](std::size_t i) { return is_finite(to.x[i]); })) return false;
  for (std::size_t b = 0; b < bodies_.size(); ++b) wanted_pose_[b] = {to.body_x[b], to.body_q[b]};
  for_all(team_, to.x.size(), [&](std::size_t i) { wanted_[i] = to.x[i] - corner_[i]; });
  effort_.detection.time([&] { search_where_needed(); });
  return holds_for_all(team_, pairs_.size(), [&](std::size_t p) {
    const Pair& pair = pairs_[p];
    const bool are_rods = pair.body_a < 0 && !pair.with_solid();
    return least_gap(pair, to) >= pair.barrier.reach || (are_rods && gap_across_plane(pair, to) >= pair.barrier.reach);
  });
}

}  // namespace tendril
