#include <algorithm>

#include "contact/candidates.h"
#include "contact/contact.h"
#include "contact/for_all.h"

namespace tendril {

// Where everything may go on a leg: the planes between pairs, and the way that is made for what is driven.

namespace {

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
  for_all(team_, pairs_.size(), [&](std::size_t p) { lay_planes(p); });
  std::vector<char> failed(wanted.size(), 0);
  room_.assign(wanted.size(), 0);
  for_all(team_, wanted.size(), [&](std::size_t i) {
    if (follows_[i] || !is_bounded(static_cast<int>(i))) return;
    Vec3d d = wanted_[i];
    const Region allowed = region(static_cast<int>(i));
    failed[i] = !allowed.pull_in(d);
    if (failed[i]) {  // from where it is, it may be easier
      d = scale(Vec3d{1, 1, 1} - free_axes_[i], wanted_[i]);
      failed[i] = !allowed.pull_in(d);
      if (!failed[i]) d = allowed.towards(d, wanted_[i]);
    }
    wanted[i] = corner_[i] + d;
    room_[i] = allowed.room(d);
  });
  return std::none_of(failed.begin(), failed.end(), [](char f) { return f; });
}

void Contact::lay_planes(std::size_t p) {
  const Pair& pair = pairs_[p];
  if (pair.with_solid()) return lay_planes_at_solid(p);
  const Clearance& c = clearances_[p];
  const Vec3d& n = pair.normal;
  const auto motion = [&](int k) { return std::abs(pair.weight[k]) * dot(n, wanted_[pair.vertex[k]]); };
  const double plane = plane_between(c.between, motion(0) + motion(1), motion(2) + motion(3));
  const double margin = 0.5 * kept_of(c.between, pair.barrier.reach);
  for (int k = 0; k < 2; ++k) set_plane(p, k, n, plane + margin - c.between - c.beyond[k]);
  for (int k = 2; k < 4; ++k) set_plane(p, k, -n, margin - plane - c.beyond[k]);
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
