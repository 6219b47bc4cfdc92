#include <algorithm>

#include "contact/candidates.h"
#include "contact/ccd.h"
#include "contact/contact.h"
#include "contact/for_all.h"
#include "math/quat.h"

namespace tendril::contact {

// How near the two of a pair may come on straight ways, and how far they may go.

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
  const auto way = [&](int k) { return to.x[pair.vertex[k]] - waypoint_[pair.vertex[k]]; };
  const auto body_way = [&](int b) { return longest_way(b, {to.body_x[b], to.body_q[b]}); };
  double most2 = 0, of_bodies = 0;  // motion against each other, squared; bodies' own
  if (pair.body_a >= 0) of_bodies += body_way(pair.body_a);
  if (pair.with_solid()) of_bodies += body_way(pair.body);
  for (int i = 0; i < 2 && pair.body_a < 0; ++i)
    for (int j = 2; j < 4; ++j) most2 = std::max(most2, norm_squared(pair.with_solid() ? way(i) : way(i) - way(j)));
  return pair.true_gap - std::sqrt(most2) - of_bodies;
}

// Two segments that go straight stay on either side of a plane if they are there at both ends: their gap across the
// plane that faces the middles where these are nearest. It tells apart what turns together, however far.
double Contact::gap_across_plane(const Pair& pair, const State& to) const {
  const auto middles = [&](auto x) { return 0.5 * (x(0) + x(1) - x(2) - x(3)); };
  const auto before = [&](int k) { return waypoint_[pair.vertex[k]]; };
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

void Contact::drive(std::span<const double> shares) {
  next_progress_ = progress_;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (is_at_end(static_cast<int>(b))) continue;
    next_progress_[b] = shares[b] == 1 ? 1 : progress_[b] + shares[b] * (1 - progress_[b]);
    next_pose_[b] = bodies_[b].at(next_progress_[b]);
  }
}

Vec3d Contact::way_left(int body, const Vec3d& point) const {
  if (is_at_end(body)) return {};
  const Pose end = bodies_[body].at(1), &now = pose_[body];
  return end.x + rotate(end.q, point) - now.x - rotate(now.q, point);
}

bool Contact::all_at_end() const {
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (!is_at_end(static_cast<int>(b))) return false;
  return true;
}

void Contact::set_trial(const State& at) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    longest_way_[b] = 0;
    if (bodies_[b].is_free) next_pose_[b] = {at.body_x[b], at.body_q[b]};
    if (!bodies_[b].is_free && is_at_end(static_cast<int>(b))) continue;
    const Pose &from = pose_[b], &to = next_pose_[b];
    const double turn = angle_between(from.q, to.q), by_turning = turn > 0 ? turn * bodies_[b].size : 0;
    longest_way_[b] =
        norm(to.x + rotate(to.q, bodies_[b].centre) - from.x - rotate(from.q, bodies_[b].centre)) + by_turning;
  }
}

void Contact::cover(const State& to) {
  is_followed_ = true;
  set_trial(to);
  effort_.detection.time([&] { search_beyond_boxes(to.x); });
}

// how much nearer two points of a pair may come on the straight way to there, at most [m]
double Contact::longest_approach(const Pair& pair, const State& to) const {
  double most2 = 0, of_bodies = 0;
  const auto way = [&](int k) { return to.x[pair.vertex[k]] - waypoint_[pair.vertex[k]]; };
  if (pair.body_a >= 0) of_bodies += longest_way_[pair.body_a];
  if (pair.with_solid()) of_bodies += longest_way_[pair.body];
  for (int i = 0; i < 2 && pair.body_a < 0; ++i)
    for (int j = 2; j < 4; ++j) most2 = std::max(most2, norm_squared(pair.with_solid() ? way(i) : way(i) - way(j)));
  return std::sqrt(most2) + of_bodies;
}

double Contact::safe_fraction(const Pair& pair, const State& to) const {
  const double kept = 0.5 * std::min(pair.true_gap, pair.barrier.reach);
  if (pair.true_gap - longest_approach(pair, to) > kept) return 1;
  const double share = pair.true_gap > 0 ? kept / pair.true_gap : 0;
  const auto segment = [&](int i, int j) { return MovingSegment{{waypoint_[i], waypoint_[j]}, {to.x[i], to.x[j]}}; };
  if (pair.body_a >= 0) return edge_safe_fraction(pair, kept);
  if (pair.with_solid()) return solid_safe_fraction(pair, to, next_pose_[pair.body], share);
  return contact::safe_fraction(segment(pair.vertex[0], pair.vertex[1]), segment(pair.vertex[2], pair.vertex[3]),
                                pair.radius, share);
}

bool Contact::meets(const Pair& pair, const Vec3d (&way)[4]) const {
  const auto segment = [&](int k) {
    const Vec3d &x0 = waypoint_[pair.vertex[k]], &x1 = waypoint_[pair.vertex[k + 1]];
    return MovingSegment{{x0, x1}, {x0 + way[k], x1 + way[k + 1]}};
  };
  const double share = pair.true_gap > pair.barrier.reach ? pair.barrier.reach / pair.true_gap : 1;
  return contact::safe_fraction(segment(0), segment(2), pair.radius, share) < 1;
}

// of a segment and a body that goes to a pose; the centre of its solids goes straight
double Contact::solid_safe_fraction(const Pair& pair, const State& to, const Pose& body_to, double share) const {
  const int i = pair.vertex[0], j = pair.vertex[1];
  const MovingSegment a{{waypoint_[i], waypoint_[j]}, {to.x[i], to.x[j]}};
  const Vec3d& centre = bodies_[pair.body].centre;
  const auto about = [&](const Pose& pose) { return Pose{pose.x + rotate(pose.q, centre), pose.q}; };
  const Solid solid = seen_from(candidates_->solids()[pair.b], centre);
  return contact::safe_fraction(a, solid, about(pose_[pair.body]), about(body_to), pair.radius - solid.radius, share);
}

std::vector<std::pair<int, double>> Contact::pairs_that_meet(std::span<const int> asked, const State& to) const {
  constexpr std::size_t worth_sharing_pairs = 500;  // of 0.1 µs
  std::vector<std::vector<std::pair<int, double>>> found(
      shares_for(team_, asked.size(), worth_sharing_pairs));  // (share)
  for_shares(
      team_, asked.size(),
      [&](Share share, int number) {
        for (int k = share.begin; k < share.end; ++k) {
          const double fraction = safe_fraction(pairs_[asked[k]], to);
          if (fraction < 1) found[number].push_back({asked[k], fraction});
        }
      },
      worth_sharing_pairs);
  std::vector<std::pair<int, double>> all;
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// halved until the two keep apart
double Contact::edge_safe_fraction(const Pair& pair, double kept) const {
  std::vector<Pose> to = next_pose_;
  const Solids solids{candidates_->solids(), candidates_->edges(), bodies_};
  for (double fraction = 1; fraction > 1e-6; fraction *= 0.5) {
    for (int b : {pair.body_a, pair.body})
      if (fraction < 1) to[b] = pose_between(pose_[b], next_pose_[b], fraction);
    const Substep substep{waypoint_, waypoint_, pose_, to};
    if (gap_at(pair, waypoint_, to) >= kept && keeps_apart(pair, solids, substep)) return fraction;
  }
  return 0;
}

std::vector<int> Contact::pairs_near(const State& to, std::span<const char> left_out) {
  if (!options_.enabled) return {};
  const auto all = [&] { return all_where(team_, pairs_.size(), [](std::size_t) { return true; }); };
  if (!holds_for_all(team_, to.x.size(), [&](std::size_t i) { return is_finite(to.x[i]); })) return all();
  for (std::size_t b = 0; b < bodies_.size(); ++b) wanted_pose_[b] = {to.body_x[b], to.body_q[b]};
  for_all(team_, to.x.size(), [&](std::size_t i) { wanted_[i] = to.x[i] - waypoint_[i]; });
  const int list = list_number_;
  effort_.detection.time([&] { search_where_needed(); });
  const bool is_new_list = list_number_ != list;
  return all_where(team_, pairs_.size(), [&](std::size_t p) {
    const Pair& pair = pairs_[p];
    if (!left_out.empty() && pair.body_a < 0 && left_out[pair.vertex[0]] && !(is_new_list && is_new_[p])) return false;
    const double reach = pair.barrier.reach;
    if (least_gap(pair, to) >= reach) return false;
    if (pair.body_a >= 0 || !(pair.true_gap > reach)) return true;
    if (!pair.with_solid()) return gap_across_plane(pair, to) < reach;
    const Pose& end = bodies_[pair.body].is_free ? wanted_pose_[pair.body] : end_pose_[pair.body];
    return solid_safe_fraction(pair, to, end, reach / pair.true_gap) < 1;
  });
}

bool Contact::keeps_apart_to_end(const Pair& pair, const State& to) const {
  return keeps_apart(pair, {candidates_->solids(), candidates_->edges(), bodies_}, {waypoint_, to.x, pose_, end_pose_});
}

// On this substep nothing else moves but what is driven, and that is back where it was when it ends: what goes alone
// touches nothing that could tell.
void Contact::go_alone(std::vector<char> vertices, const State& to) {
  if (!options_.enabled) return;
  Movers movers;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (vertices[i]) movers.vertices.push_back(static_cast<int>(i));
  for (std::size_t s = 0; s < frames_.size(); ++s)
    if (vertices[candidates_->first_vertex(static_cast<int>(s))]) movers.segments.push_back(static_cast<int>(s));
  const std::vector<Pose> pose = pose_;
  const std::vector<double> progress = progress_;
  movers_ = std::move(movers);
  alone_ = std::move(vertices);
  followed_ = all_where(team_, pairs_.size(), [&](std::size_t p) { return has_gone_alone(pairs_[p]); });
  next_pose_ = end_pose_;
  meets_bodies_ = alone_;
  end_substep(to);
  pose_ = next_pose_ = pose, progress_ = next_progress_ = progress;
  for (char& meets : meets_bodies_) meets = !meets;
  follow_all();
}

}  // namespace tendril::contact
