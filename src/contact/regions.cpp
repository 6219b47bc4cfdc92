#include <algorithm>

#include "contact/candidates.h"
#include "contact/contact.h"
#include "contact/for_all.h"

namespace tendril {

// Where everything may go on a leg: the planes between pairs, and the way that is made for what is driven.

namespace {

constexpr int most_rounds_of_pushing = 60, most_rounds_of_giving_way = 20;

// What is left of a clearance when both sides have come as near as they may in a leg: a tenth; nearly all of it once it
// is a tiny part of the barrier's reach, where the barrier is stiff enough for anything.
double kept_of(double clearance, double reach) {
  return std::max(0.1 * clearance, std::min(0.9 * clearance, 1e-4 * reach));
}

// Where the plane between the two stands at the end of the leg, measured from b's surface along the normal. What both
// want to move together the plane moves too; of what they want to come nearer beyond that each gets its part of the
// clearance.
double plane_between(double clearance, double motion_a, double motion_b) {
  double together = 0;
  if (motion_a > 0 && motion_b > 0) together = std::min(motion_a, motion_b);
  if (motion_a < 0 && motion_b < 0) together = std::max(motion_a, motion_b);
  const double approach_b = motion_b - together, approach = motion_b - motion_a;
  if (approach < clearance) return together + approach_b + 0.5 * (clearance - approach);
  return together + clearance * approach_b / approach;
}

}  // namespace

bool Contact::begin_leg(double share, std::vector<Vec3d>& wanted) {
  if (!options_.enabled) return true;
  is_followed_ = true;
  next_ = reached_ + share * (1 - reached_);
  for (std::size_t b = 0; b < bodies_.size(); ++b) next_pose_[b] = bodies_[b].moves ? bodies_[b].at(next_) : pose_[b];
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted_[i] = wanted[i] - corner_[i];
  if (search_where_needed()) for_all(team_, pairs_.size(), [this](std::size_t p) { evaluate(p); });
  least_.clear(), gives_way_.assign(pairs_.size(), 0);
  for_all(team_, pairs_.size(), [&](std::size_t p) { lay_planes(p); });
  room_.assign(wanted.size(), 0);
  std::vector<char> unsettled(wanted.size(), 1);
  if (settle_in(unsettled, wanted)) return true;
  make_way();
  for (int round = 1; give_way(unsettled, round == most_rounds_of_giving_way); ++round)
    if (settle_in(unsettled, wanted)) return true;
  return false;
}

// puts what is not settled where it wants to be, or near; whether there is a place for all
bool Contact::settle_in(std::vector<char>& unsettled, std::vector<Vec3d>& wanted) {
  for_all(team_, wanted.size(), [&](std::size_t i) {
    if (!unsettled[i]) return;
    unsettled[i] = false;
    if (follows_[i] || !is_bounded(static_cast<int>(i))) return;
    Vec3d d = wanted_[i];
    const Region allowed = region(static_cast<int>(i));
    if (!allowed.pull_in(d)) {  // from where it must at least go, it may be easier
      d = least_.empty() ? held_part(i) : least_[i];
      unsettled[i] = !allowed.pull_in(d);
      if (!unsettled[i]) d = allowed.towards(d, wanted_[i]);
    }
    wanted[i] = corner_[i] + d;
    room_[i] = allowed.room(d);
  });
  return std::none_of(unsettled.begin(), unsettled.end(), [](char u) { return u; });
}

// The planes of what has found no place are laid anew such that both sides can at least make way; whether some were. A
// plane that both sides wanted to pass together may stand behind one of them, which something else holds up.
bool Contact::give_way(std::vector<char>& unsettled, bool all) {
  std::vector<std::size_t> again;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const Pair& pair = pairs_[p];
    const bool concerned = std::any_of(pair.vertex, pair.vertex + 4, [&](int i) { return i >= 0 && unsettled[i]; });
    if (!pair.with_solid() && !gives_way_[p] && (all || concerned)) again.push_back(p);
  }
  for (std::size_t p : again) {
    gives_way_[p] = true;
    lay_planes(p);
    for (int i : pairs_[p].vertex) unsettled[i] = true;
  }
  return !again.empty();
}

// The least that has to move: what is driven pushes what is before it, and that pushes others, until all are apart.
// First whoever is pushed goes all the way, so that a push runs through a row; then the two of a pair share it.
void Contact::make_way() {
  least_.resize(wanted_.size());
  for (std::size_t i = 0; i < least_.size(); ++i) least_[i] = held_part(i);
  for (int round = 0; round < most_rounds_of_pushing; ++round) {
    bool pushed = false;
    for (std::size_t p = 0; p < pairs_.size(); ++p) pushed |= push_apart(p, 2 * round > most_rounds_of_pushing);
    if (!pushed) return;
  }
}

bool Contact::push_apart(std::size_t p, bool evenly) {
  const Pair& pair = pairs_[p];
  bool pushed = false;
  if (pair.with_solid()) {
    for (int k = 0; k < 2; ++k) pushed |= push(pair.vertex[k], half_spaces_[entry_[4 * p + k]]);
    return pushed;
  }
  const Stand now = stand(p, least_), at_rest = stand(p, {});
  const double overlap = now.low - now.high;
  if (overlap <= 0) return false;
  const double came_a = std::max(0.0, at_rest.high - now.high), came_b = std::max(0.0, now.low - at_rest.low);
  const double part_of_a = evenly || came_a + came_b == 0 ? 0.5 : came_b / (came_a + came_b);
  const double plane = now.high + part_of_a * overlap, deeper = 1e-3 * overlap;
  for (int k = 0; k < 4; ++k) {
    HalfSpace half = side(p, k, plane);
    half.bound += deeper;
    pushed |= push(pair.vertex[k], half);
  }
  return pushed;
}

bool Contact::push(int i, const HalfSpace& half) {
  const Vec3d way = scale(free_axes_[i], half.normal);
  const double missing = half.bound - dot(half.normal, least_[i]), effect = norm_squared(way);
  if (missing <= 0 || effect < 1e-3) return false;
  least_[i] += (missing / effect) * way;
  return true;
}

// where the plane of two segments may stand if their vertices move like this; no motion: all stay
Contact::Stand Contact::stand(std::size_t p, const std::vector<Vec3d>& motion) const {
  const Pair& pair = pairs_[p];
  const Clearance& c = clearances_[p];
  const double margin = 0.5 * kept_of(c.between, pair.barrier.reach);
  if (motion.empty()) return {margin, c.between - margin};
  const auto along = [&](int k) { return dot(pair.normal, motion[pair.vertex[k]]); };
  const double lag = std::min(along(0) + c.beyond[0], along(1) + c.beyond[1]);
  const double lead = std::max(along(2) - c.beyond[2], along(3) - c.beyond[3]);
  return {lead + margin, lag + c.between - margin};
}

// where vertex k of two segments may go if the plane stands there
HalfSpace Contact::side(std::size_t p, int k, double plane) const {
  const Clearance& c = clearances_[p];
  const double margin = 0.5 * kept_of(c.between, pairs_[p].barrier.reach);
  if (k < 2) return {pairs_[p].normal, plane + margin - c.between - c.beyond[k]};
  return {-pairs_[p].normal, margin - plane - c.beyond[k]};
}

void Contact::lay_planes(std::size_t p) {
  const Pair& pair = pairs_[p];
  if (pair.with_solid()) return lay_planes_at_solid(p);
  const auto motion = [&](int k) { return std::abs(pair.weight[k]) * dot(pair.normal, wanted_[pair.vertex[k]]); };
  double plane = plane_between(clearances_[p].between, motion(0) + motion(1), motion(2) + motion(3));
  if (gives_way_[p]) {
    const Stand least = stand(p, least_);
    const double middle = 0.5 * (least.low + least.high), half = 0.499 * std::max(0.0, least.high - least.low);
    plane = std::clamp(plane, middle - half, middle + half);
  }
  for (int k = 0; k < 4; ++k) {
    const HalfSpace half = side(p, k, plane);
    set_plane(p, k, half.normal, half.bound);
  }
}

// the plane lies on the solid and goes with it
void Contact::lay_planes_at_solid(std::size_t p) {
  Pair& pair = pairs_[p];
  const Clearance& c = clearances_[p];
  const Solid& solid = candidates_->solids()[pair.b];
  const BodyPath& path = bodies_[pair.body];
  const Pose &from = pose_[pair.body], &to = next_pose_[pair.body];
  const double room = c.between - kept_of(c.between, pair.barrier.reach);
  double advance = 0;
  pair.carried = {};
  if (path.moves) {
    pair.carried = to.x + rotate(to.q, pair.point) - from.x - rotate(from.q, pair.point);
    if (solid.core == Solid::Core::half_space) return lay_turning_plane(p, solid, to);
    const auto surface = [&](const Pose& pose) {
      return dot(pair.normal, pose.x) + support(solid, rotate(conjugate(pose.q), pair.normal));
    };
    advance = surface(to) - surface(from) + path.bulge(next_ - reached_);
  }
  for (int k = 0; k < 2; ++k) set_plane(p, k, pair.normal, advance - room - c.beyond[k]);
}

// a half space that turns is met with the normal that it has in the end
void Contact::lay_turning_plane(std::size_t p, const Solid& solid, const Pose& to) {
  const Pair& pair = pairs_[p];
  const Vec3d normal = rotate(to.q, solid.p[1]), origin = to.x + rotate(to.q, solid.p[0]);
  for (int k = 0; k < 2; ++k) {
    const double height = dot(normal, corner_[pair.vertex[k]] - origin) - pair.radius;
    set_plane(p, k, normal, kept_of(clearances_[p].between, pair.barrier.reach) - height);
  }
}

void Contact::set_plane(std::size_t p, int k, const Vec3d& normal, double bound) {
  // the last digits of positions must not matter
  const Vec3d& x = corner_[pairs_[p].vertex[k]];
  constexpr double digits = 1e-15;
  const double safe = bound + digits * (std::abs(x.x) + std::abs(x.y) + std::abs(x.z));
  half_spaces_[entry_[4 * p + k]] = {normal, bound < 0 ? std::min(safe, 0.0) : safe};  // where it is it may stay
}

void Contact::bring_back(const std::vector<Vec3d>& start, std::vector<Vec3d>& x) const {
  for_all(team_, x.size(), [&](std::size_t i) {
    if (follows_[i] || !is_bounded(static_cast<int>(i))) return;
    const Region allowed = region(static_cast<int>(i));
    if (!allowed.contains(x[i] - corner_[i]))
      x[i] = corner_[i] + allowed.towards(start[i] - corner_[i], x[i] - corner_[i]);
  });
}

bool Contact::stop_at_walls(std::vector<Vec3d>& x) const {
  if (!options_.enabled) return false;
  bool stopped = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Bounds& box = candidates_->box(static_cast<int>(i));
    Vec3d inside = x[i];
    for (int k = 0; k < 3; ++k) inside[k] = std::clamp(x[i][k], box.low[k], box.high[k]);
    stopped |= !(inside == x[i]);
    x[i] = inside;
  }
  return stopped;
}

Region Contact::region(int i) const {
  const Bounds& box = candidates_->box(i);
  return {{half_spaces_.data() + first_entry_[i], half_spaces_.data() + first_entry_[i + 1]},
          {box.low - corner_[i], box.high - corner_[i]},
          free_axes_[i]};
}

}  // namespace tendril
