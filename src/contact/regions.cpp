#include <algorithm>
#include <atomic>
#include <cmath>

#include "contact/candidates.h"
#include "contact/contact.h"
#include "contact/for_all.h"

namespace tendril {

// Where everything may go on a leg: the planes between pairs, and the way that is made for what is driven.

namespace {

constexpr int most_rounds_of_pushing = 60;
constexpr double room_to_be_pushed = 10;  // see Candidates::search

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

bool Contact::begin_leg(double share, State& wanted) {
  if (!options_.enabled) return true;
  is_followed_ = true;
  next_ = reached_ + share * (1 - reached_);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    next_pose_[b] = bodies_[b].moves ? bodies_[b].at(next_) : pose_[b];
    wanted_pose_[b] = {wanted.body_x[b], wanted.body_q[b]};
  }
  for_all(team_, wanted_.size(), [&](std::size_t i) { wanted_[i] = wanted.x[i] - corner_[i]; });
  effort_.detection.time([&] { search_where_needed(); });
  if (find_places(wanted)) return true;
  effort_.detection.time([&] { search(room_to_be_pushed, pushed_ways()); });  // a push may end at the wall of a box
  for_all(team_, wanted_.size(), [&](std::size_t i) { wanted.x[i] = corner_[i] + wanted_[i]; });
  return find_places(wanted);
}

// those of the vertices that are pushed out of their boxes, else the wanted ones
std::vector<Vec3d> Contact::pushed_ways() const {
  std::vector<Vec3d> ways = wanted_;
  for (std::size_t i = 0; i < ways.size(); ++i)
    if (mover_[i] == static_cast<int>(i) && !candidates_->holds(i, corner_[i] + least_[i])) ways[i] = least_[i];
  return ways;
}

bool Contact::find_places(State& wanted) {
  effort_.planes.start();
  const bool found = settle_between_planes(wanted);
  effort_.planes.stop();
  return found;
}

bool Contact::settle_between_planes(State& wanted) {
  least_.clear(), plane_.resize(pairs_.size()), room_.resize(wanted_.size());
  for (Tilt& tilt : tilts_) tilt.end_normal = {};
  lay_all_planes();
  if (settle_in(wanted)) return true;
  // A plane that both sides wanted to pass together may stand behind one of them, which something else holds up. Now
  // all planes let both sides do what they must at least.
  make_way();
  lay_all_planes();
  return settle_in(wanted);
}

void Contact::lay_all_planes() {
  for_all(team_, pairs_.size(), [&](std::size_t p) { lay_planes(p); });
  for (const Tilt& tilt : tilts_) lay_planes(tilt);
}

// puts everything where it wants to be, or near; whether there is a place for all
bool Contact::settle_in(State& wanted) {
  std::vector<char> settled(wanted_.size() + bodies_.size(), 1);
  for_all(team_, wanted_.size(), [&](std::size_t i) {
    room_[i] = 0;
    if (mover_[i] != static_cast<int>(i) || !is_bounded(static_cast<int>(i))) return;
    Vec3d d;
    const Region allowed = region(static_cast<int>(i));
    settled[i] = least_.empty() ? slide_in(i, allowed, d) : go_straight(i, allowed, d);
    wanted.x[i] = corner_[i] + d;
    room_[i] = allowed.room(d);
  });
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].is_free) settled[wanted_.size() + b] = settle_body(static_cast<int>(b), wanted);
  return std::all_of(settled.begin(), settled.end(), [](char s) { return s; });
}

// to where it wants to be, or from where it is towards it
bool Contact::slide_in(std::size_t i, const Region& allowed, Vec3d& d) const {
  d = wanted_[i];
  if (allowed.pull_in(d)) return true;
  d = held_part(i);
  if (!allowed.pull_in(d)) return false;
  d = allowed.towards(d, wanted_[i]);
  return true;
}

// From where it has to go at least, straight towards where it wants to be: what slides along planes that were laid far
// away may go a long way round what it should meet.
bool Contact::go_straight(std::size_t i, const Region& allowed, Vec3d& d) const {
  d = least_[i];
  if (!allowed.pull_in(d)) return false;
  const Vec3d way = wanted_[i] - d;
  const double share = allowed.share(d, way);
  if (const Vec3d end = d + share * way; allowed.contains(end)) d = end;
  return true;
}

bool Contact::settle_body(int b, State& wanted) {
  BodyRegion& allowed = body_regions_[b];
  allowed = {{}, {}, pose_[b], bodies_[b].centre, bodies_[b].size, roams_[b]};
  for (const auto& [p, of_a] : sides_[b]) allowed.planes.push_back(body_plane(p, of_a));
  for (const Follower& f : followers_[b]) allowed.followers.push_back({f.offset, corner_[f.vertex], region(f.vertex)});
  Pose pose = wanted_pose_[b];
  if (!least_.empty()) pose = {pose_[b].x + least_[wanted_.size() + b], pose_[b].q};
  const bool found = allowed.pull_in(pose);
  if (found && !least_.empty()) {  // go straight, as a vertex does
    const Vec3d way = wanted_pose_[b].x - pose.x;
    const Pose end{pose.x + allowed.share(pose, way) * way, pose.q};
    if (allowed.contains(end)) pose = end;
  }
  wanted.body_x[b] = pose.x, wanted.body_q[b] = pose.q;
  for (const Follower& f : followers_[b]) wanted.x[f.vertex] = pose.x + rotate(pose.q, f.offset);
  return found;
}

// The least that has to move: what is driven pushes what is before it, and that pushes others, until all are apart.
// First whoever is pushed goes all the way, so that a push runs through a row; then the two of a pair share it.
void Contact::make_way() {
  least_.assign(wanted_.size() + bodies_.size(), {});
  for (std::size_t i = 0; i < wanted_.size(); ++i) least_[i] = held_part(i);
  for (int round = 0; round < most_rounds_of_pushing; ++round) {
    bool pushed = false;
    const bool evenly = 2 * round > most_rounds_of_pushing;
    auto tilt = tilts_.begin();
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      pushed |= tilt != tilts_.end() && tilt->pair == p ? push_apart(*tilt++, evenly)
                                                        : push_apart(pairs_[p], facing(p), evenly);
    if (!pushed) return;
  }
}

bool Contact::push_apart(const Pair& pair, const Facing& facing, bool evenly) {
  double plane = 0, deeper = 0;
  if (!meets_driven(pair)) {
    const Stand now = stand(pair, facing, false), at_rest = stand(pair, facing, true);
    const double overlap = now.low - now.high;
    if (overlap <= 0) return false;
    const double came_a = std::max(0.0, at_rest.high - now.high), came_b = std::max(0.0, now.low - at_rest.low);
    const double part_of_a = evenly || came_a + came_b == 0 ? 0.5 : came_b / (came_a + came_b);
    plane = now.high + part_of_a * overlap, deeper = 1e-3 * overlap;
  }
  bool pushed = false;
  for (int k = 0; k < 4; ++k) {
    const int m = mover(pair, k);
    if (m < 0) continue;
    HalfSpace half = side(pair, facing, k, plane);
    half.bound += deeper;
    pushed |= push(m, half);
  }
  return pushed;
}

bool Contact::push(int m, const HalfSpace& half) {
  const bool is_vertex = m < static_cast<int>(wanted_.size());
  const Vec3d way = is_vertex ? scale(free_axes_[m], half.normal) : half.normal;
  const double bound = is_vertex ? half.bound + 4 * last_digits(corner_[m]) : half.bound;  // room for safe()
  const double missing = bound - dot(half.normal, least_[m]), effect = norm_squared(way);
  if (missing <= 0 || effect < 1e-3) return false;
  least_[m] += (missing / effect) * way;
  return true;
}

int Contact::mover(const Pair& pair, int k) const {
  if (pair.vertex[k] >= 0) return mover_[pair.vertex[k]];
  const int body = k == 0 ? pair.body_a : k == 2 ? pair.body : -1;
  return body >= 0 && bodies_[body].is_free ? static_cast<int>(wanted_.size()) + body : -1;
}

// of a plane that keeps its normal
Contact::Facing Contact::facing(std::size_t p) const {
  const Pair& pair = pairs_[p];
  const Clearance& c = clearances_[p];
  Facing out{pair.normal,
             c.between,
             {c.beyond[0], c.beyond[1], c.beyond[2], c.beyond[3]},
             kept_of(c.between, pair.barrier.reach)};
  if (is_driven(pair.body) && bodies_[pair.body].moves) go_with(pair.body, candidates_->solids()[pair.b], 1, pair, out);
  if (is_driven(pair.body_a) && bodies_[pair.body_a].moves)
    go_with(pair.body_a, candidates_->edges()[pair.a], -1, pair, out);
  return out;
}

// the plane lies on a driven solid, which is b (1) or a (-1), and goes with it
void Contact::go_with(int body, const Solid& solid, double sign, const Pair& pair, Facing& facing) const {
  const Pose &from = pose_[body], &to = next_pose_[body];
  if (solid.core == Solid::Core::half_space) {  // one that turns is met with the normal that it has in the end
    facing.normal = rotate(to.q, solid.p[1]);
    const double floor = dot(facing.normal, to.x + rotate(to.q, solid.p[0]));
    const auto height = [&](int k) {
      if (pair.vertex[k] >= 0) return dot(facing.normal, corner_[pair.vertex[k]]) - pair.radius - floor;
      return -surface(candidates_->edges()[pair.a], pose_[pair.body_a], -facing.normal) - floor;
    };
    const double heights[2] = {height(0), height(1)};
    facing.between = std::min(heights[0], heights[1]);
    for (int k = 0; k < 2; ++k) facing.beyond[k] = heights[k] - facing.between;
    return;
  }
  const Vec3d outward = sign * facing.normal;
  facing.advance = surface(solid, to, outward) - surface(solid, from, outward) +
                   room_to_turn(bodies_[body].bulge(next_ - reached_), 0.5 * facing.between);
}

// where the plane of two that can be pushed may stand if they move the least, or stay
Contact::Stand Contact::stand(const Pair& pair, const Facing& facing, bool at_rest) const {
  const double margin = 0.5 * facing.kept;
  if (at_rest) return {margin, facing.between - margin};
  double lead = -Bounds::infinity, lag = Bounds::infinity;
  for (int k = 0; k < 4; ++k) {
    const int m = mover(pair, k);
    if (m < 0) continue;
    const double along = dot(facing.normal, least_[m]);
    if (k < 2) lag = std::min(lag, along + facing.beyond[k]);
    if (k >= 2) lead = std::max(lead, along - facing.beyond[k]);
  }
  return {lead + margin, lag + facing.between - margin};
}

// where vertex k of a pair, or a body as it is turned at the corner, may go if the plane stands there
HalfSpace Contact::side(const Pair& pair, const Facing& facing, int k, double plane) const {
  const Vec3d normal = k < 2 ? facing.normal : -facing.normal;
  if (meets_driven(pair)) return {normal, facing.advance + facing.kept - facing.between - facing.beyond[k]};
  const double margin = 0.5 * facing.kept;
  return {normal, (k < 2 ? plane + margin - facing.between : margin - plane) - facing.beyond[k]};
}

// how far a side wants its nearest surface to move along the normal
double Contact::wanted_along(const Pair& pair, bool of_a) const {
  const int k = of_a ? 0 : 2, body = of_a ? pair.body_a : pair.body;
  const auto motion = [&](int j) { return std::abs(pair.weight[j]) * dot(pair.normal, wanted_[pair.vertex[j]]); };
  if (pair.vertex[k] >= 0) return motion(k) + motion(k + 1);
  const Solid& solid = of_a ? candidates_->edges()[pair.a] : candidates_->solids()[pair.b];
  const double sign = of_a ? -1 : 1;
  const Vec3d outward = sign * pair.normal;
  return sign * (surface(solid, wanted_pose_[body], outward) - surface(solid, pose_[body], outward));
}

[[gnu::flatten]] void Contact::lay_planes(std::size_t p) {
  Pair& pair = pairs_[p];
  const auto driven = [&](int body, const Vec3d& point) {
    return body >= 0 && !bodies_[body].is_free ? carried(body, point) : Vec3d{};
  };
  if (pair.with_solid()) pair.carried = driven(pair.body, pair.point) - driven(pair.body_a, pair.point_a);
  const Facing facing = this->facing(p);
  plane_[p] = 0;
  if (!meets_driven(pair)) {
    plane_[p] = plane_between(facing.between, wanted_along(pair, true), wanted_along(pair, false));
    if (!least_.empty()) {
      const Stand least = stand(pair, facing, false);
      const double middle = 0.5 * (least.low + least.high), half = 0.499 * std::max(0.0, least.high - least.low);
      plane_[p] = std::clamp(plane_[p], middle - half, middle + half);
    }
  }
  for (int k = 0; k < 4; ++k)
    if (const int i = pair.vertex[k]; i >= 0)
      half_spaces_[entry_[4 * p + k]] = safe(side(pair, facing, k, plane_[p]), corner_[i]);
}

BodyPlane Contact::body_plane(std::size_t p, bool of_a) const {
  const Pair& pair = pairs_[p];
  const Pose& pose = pose_[of_a ? pair.body_a : pair.body];
  const Solid& solid = of_a ? candidates_->edges()[pair.a] : candidates_->solids()[pair.b];
  const HalfSpace half = safe(side(pair, facing(p), of_a ? 0 : 2, plane_[p]), pose.x);
  return {&solid, -half.normal, surface(solid, pose, -half.normal) - half.bound, 0.5 * clearances_[p].between};
}

void Contact::bring_back(const std::vector<Vec3d>& start, std::vector<Vec3d>& x) const {
  for_all(team_, x.size(), [&](std::size_t i) {
    if (mover_[i] != static_cast<int>(i) || !is_bounded(static_cast<int>(i))) return;
    const Region allowed = region(static_cast<int>(i));
    if (!allowed.contains(x[i] - corner_[i]))
      x[i] = corner_[i] + allowed.towards(start[i] - corner_[i], x[i] - corner_[i]);
  });
}

bool Contact::is_inside_walls(int vertex, const Vec3d& x) const { return candidates_->holds(vertex, x); }

bool Contact::is_inside_walls(int body, const Pose& pose) const {
  return roams(body, pose) && std::all_of(followers_[body].begin(), followers_[body].end(), [&](const Follower& f) {
           return candidates_->holds(f.vertex, pose.x + rotate(pose.q, f.offset));
         });
}

bool Contact::stop_at_walls(std::vector<Vec3d>& x) const {
  if (!options_.enabled) return false;
  std::atomic<bool> stopped = false;
  for_all(team_, x.size(), [&](std::size_t i) {
    if (mover_[i] != static_cast<int>(i)) return;
    if (candidates_->holds(static_cast<int>(i), x[i])) return;
    stopped.store(true, std::memory_order_relaxed);
    const Bounds& box = candidates_->box(static_cast<int>(i));
    for (int k = 0; k < 3; ++k) x[i][k] = std::clamp(x[i][k], box.low[k], box.high[k]);
  });
  return stopped;
}

Region Contact::region(int i) const {
  const Bounds& box = candidates_->box(i);
  return {{half_spaces_.data() + first_entry_[i], half_spaces_.data() + first_entry_[i + 1]},
          {box.low - corner_[i], box.high - corner_[i]},
          free_axes_[i]};
}

}  // namespace tendril
