#include "solvers/stable/regions/regions.h"

#include <algorithm>
#include <atomic>

#include "contact/for_all.h"

namespace tendril::solvers::stable {

void Regions::reset(const Model& model) {
  movers_.reset(model);
  body_regions_.assign(model.bodies.size(), {});
}

void Regions::begin_step(Contact& contact, ThreadTeam& team) {
  contact_ = &contact, team_ = &team;
  reached_ = next_ = 0;
  list_number_ = -1;
}

bool Regions::begin_substep(double share, State& wanted) {
  const std::size_t bodies = wanted.body_x.size();
  next_ = share == 1 ? 1 : reached_ + share * (1 - reached_);
  contact_->drive(std::vector<double>(bodies, share));
  wanted_.resize(wanted.x.size()), wanted_pose_.resize(bodies);
  for_all(team_, wanted_.size(), [&](std::size_t i) { wanted_[i] = wanted.x[i] - contact_->waypoint(i); });
  for (std::size_t b = 0; b < bodies; ++b) wanted_pose_[b] = {wanted.body_x[b], wanted.body_q[b]};
  contact_->cover(wanted);
  if (find_places(wanted)) return true;
  contact_->search_widely(pushed_ways());  // a push may end at the wall of a box
  for_all(team_, wanted_.size(), [&](std::size_t i) { wanted.x[i] = contact_->waypoint(i) + wanted_[i]; });
  return find_places(wanted);
}

// those of the vertices that are pushed out of their boxes, else the wanted ones
std::vector<Vec3d> Regions::pushed_ways() const {
  std::vector<Vec3d> ways = wanted_;
  for (std::size_t i = 0; i < ways.size(); ++i)
    if (movers_.moves_itself(i) && !is_inside_walls(static_cast<int>(i), contact_->waypoint(i) + least_[i]))
      ways[i] = least_[i];
  return ways;
}

// what stands where, for the present list of pairs
void Regions::list_planes() {
  if (list_number_ == contact_->list_number()) return;
  list_number_ = contact_->list_number();
  const std::span<const Pair> pairs = contact_->pairs();
  std::vector<char> planes(pairs.size(), 1);
  tilts_.clear(), sides_.assign(body_regions_.size(), {});
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (may_tilt(pairs[p])) planes[p] = 2, tilts_.push_back({p, {}});
    const int number = static_cast<int>(p);
    if (const int b = pairs[p].body_a; b >= 0 && movers_.body_is_free[b]) sides_[b].push_back({number, true});
    if (const int b = pairs[p].body; b >= 0 && movers_.body_is_free[b]) sides_[b].push_back({number, false});
  }
  entries_.list(pairs, planes, movers_.of_vertex.size(), *team_);
  half_spaces_.resize(entries_.count()), plane_.resize(pairs.size());
}

bool Regions::find_places(State& wanted) {
  list_planes();
  least_.clear(), room_.resize(wanted_.size());
  for (Tilt& tilt : tilts_) tilt.end_normal = {};
  lay_all_planes();
  if (settle_in(wanted)) return true;
  // A plane that both sides wanted to pass together may stand behind one of them, which something else holds up. Now
  // all planes let both sides do what they must at least.
  make_way();
  lay_all_planes();
  return settle_in(wanted);
}

// puts everything where it wants to be, or near; whether there is a place for all
bool Regions::settle_in(State& wanted) {
  std::vector<char> settled(movers_.count(), 1);
  for_all(team_, wanted_.size(), [&](std::size_t i) {
    room_[i] = 0;
    if (!movers_.moves_itself(i) || !is_bounded(static_cast<int>(i))) return;
    Vec3d d;
    const VertexRegion allowed = region(static_cast<int>(i));
    settled[i] = least_.empty() ? slide_in(i, allowed, d) : go_straight(i, allowed, d);
    wanted.x[i] = contact_->waypoint(i) + d;
    room_[i] = allowed.room(d);
  });
  for (int b = 0; b < static_cast<int>(body_regions_.size()); ++b)
    if (movers_.body_is_free[b]) settled[movers_.of_body(b)] = settle_body(b, wanted);
  return std::all_of(settled.begin(), settled.end(), [](char s) { return s; });
}

// to where it wants to be, or from where it is towards it
bool Regions::slide_in(std::size_t i, const VertexRegion& allowed, Vec3d& d) const {
  d = wanted_[i];
  if (allowed.pull_in(d)) return true;
  d = held_part(i);
  if (!allowed.pull_in(d)) return false;
  d = allowed.towards(d, wanted_[i]);
  return true;
}

// From where it has to go at least, straight towards where it wants to be: what slides along planes that were laid far
// away may go a long way round what it should meet.
bool Regions::go_straight(std::size_t i, const VertexRegion& allowed, Vec3d& d) const {
  d = least_[i];
  if (!allowed.pull_in(d)) return false;
  const Vec3d way = wanted_[i] - d;
  const double share = allowed.share(d, way);
  if (const Vec3d end = d + share * way; allowed.contains(end)) d = end;
  return true;
}

bool Regions::settle_body(int b, State& wanted) {
  BodyRegion& allowed = body_regions_[b];
  const BodyPath& path = contact_->body_path(b);
  const Pose& waypoint = contact_->body_waypoint(b);
  allowed = {{}, {}, waypoint, path.centre, path.size, contact_->search_range(b)};
  for (const auto& [p, of_a] : sides_[b]) allowed.planes.push_back(body_plane(p, of_a));
  for (const Movers::Follower& f : movers_.followers[b])
    allowed.followers.push_back({f.offset, contact_->waypoint(f.vertex), region(f.vertex)});
  Pose pose = wanted_pose_[b];
  if (!least_.empty()) pose = {waypoint.x + least_[movers_.of_body(b)], waypoint.q};
  const bool found = allowed.pull_in(pose);
  if (found && !least_.empty()) {  // go straight, as a vertex does
    const Vec3d way = wanted_pose_[b].x - pose.x;
    const Pose end{pose.x + allowed.share(pose, way) * way, pose.q};
    if (allowed.contains(end)) pose = end;
  }
  wanted.body_x[b] = pose.x, wanted.body_q[b] = pose.q;
  for (const Movers::Follower& f : movers_.followers[b]) wanted.x[f.vertex] = pose.x + rotate(pose.q, f.offset);
  return found;
}

VertexRegion Regions::region(int i) const {
  const Bounds& box = contact_->box(i);
  const Vec3d& waypoint = contact_->waypoint(i);
  return {{half_spaces_.data() + entries_.first[i], half_spaces_.data() + entries_.first[i + 1]},
          {box.low - waypoint, box.high - waypoint},
          movers_.free_axes[i]};
}

void Regions::bring_back(const std::vector<Vec3d>& start, std::vector<Vec3d>& x) const {
  for_all(team_, x.size(), [&](std::size_t i) {
    if (!movers_.moves_itself(i) || !is_bounded(static_cast<int>(i))) return;
    const VertexRegion allowed = region(static_cast<int>(i));
    const Vec3d& waypoint = contact_->waypoint(i);
    if (!allowed.contains(x[i] - waypoint)) x[i] = waypoint + allowed.towards(start[i] - waypoint, x[i] - waypoint);
  });
}

bool Regions::is_inside_walls(int body, const Pose& pose) const {
  const auto& followers = movers_.followers[body];
  return contact_->is_in_search_range(body, pose) &&
         std::all_of(followers.begin(), followers.end(),
                     [&](const auto& f) { return is_inside_walls(f.vertex, pose.x + rotate(pose.q, f.offset)); });
}

bool Regions::stop_at_walls(std::vector<Vec3d>& x) const {
  std::atomic<bool> stopped = false;
  for_all(team_, x.size(), [&](std::size_t i) {
    if (!movers_.moves_itself(i) || is_inside_walls(static_cast<int>(i), x[i])) return;
    stopped.store(true, std::memory_order_relaxed);
    const Bounds& box = contact_->box(static_cast<int>(i));
    for (int k = 0; k < 3; ++k) x[i][k] = std::clamp(x[i][k], box.low[k], box.high[k]);
  });
  return stopped;
}

}  // namespace tendril::solvers::stable
