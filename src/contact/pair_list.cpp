#include <algorithm>
#include <utility>

#include "contact/candidates.h"
#include "contact/contact.h"
#include "contact/for_all.h"

namespace tendril::contact {

// The list of pairs: when it is complete, and what is kept for each of them.

// whether the list of pairs is complete for a body there
bool Contact::is_in_search_range(int b, const Pose& pose) const {
  const Vec3d way = pose.x + rotate(pose.q, bodies_[b].centre) - search_ranges_[b].centre;
  const double farthest = std::max({std::abs(way.x), std::abs(way.y), std::abs(way.z)});
  return farthest + angle_between(search_ranges_[b].q, pose.q) * bodies_[b].size <= search_ranges_[b].reach;
}

const Bounds& Contact::box(int vertex) const { return candidates_->box(vertex); }

const std::vector<Solid>& Contact::solids() const { return candidates_->solids(); }

const std::vector<Solid>& Contact::edges() const { return candidates_->edges(); }

// around the whole way of a driven body, and around where a free one is
std::vector<Bounds> Contact::solid_boxes() const {
  std::vector<Bounds> boxes;
  for (const Solid& solid : candidates_->solids()) {
    const BodyPath& path = bodies_[solid.body];
    Bounds box = bounds(solid, path.is_free ? pose_[solid.body] : path.at(0));
    if (path.moves) box = widened(hull(box, bounds(solid, path.at(1))), path.bulge(1));
    boxes.push_back(box);
  }
  return boxes;
}

// makes sure that the list of pairs is complete for what goes from the waypoint to where it wants to be
void Contact::search_where_needed() {
  bool is_complete = search_ranges_.size() == bodies_.size();
  for (std::size_t b = 0; is_complete && b < bodies_.size(); ++b)
    if (const int body = static_cast<int>(b); bodies_[b].is_free)
      is_complete = is_in_search_range(body, pose_[b]) && is_in_search_range(body, wanted_pose_[b]);
  if (is_complete && candidates_->cover(waypoint_, wanted_, solid_boxes(), team_)) return;
  search(1, wanted_);
}

void Contact::search_widely(std::span<const Vec3d> ways) {
  constexpr double room = 10;
  effort_.detection.time([&] { search(room, ways); });
}

// `room`, `ways`: see Candidates
void Contact::search(double room, std::span<const Vec3d> ways) {
  search_ranges_.resize(bodies_.size());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Vec3d& centre = bodies_[b].centre;
    search_ranges_[b] = {pose_[b].x + rotate(pose_[b].q, centre), pose_[b].q, 0};
    const Vec3d way = wanted_pose_[b].x + rotate(wanted_pose_[b].q, centre) - search_ranges_[b].centre;
    search_ranges_[b].reach =
        1.5 * norm(way) + (1.5 * angle_between(pose_[b].q, wanted_pose_[b].q) + 0.1) * bodies_[b].size;
    if (bodies_[b].size == 0) search_ranges_[b].reach = Bounds::infinity;
  }
  std::vector<Bounds> boxes = solid_boxes();
  for (std::size_t k = 0; k < boxes.size(); ++k)
    if (const int b = candidates_->solids()[k].body; bodies_[b].is_free)
      boxes[k] = widened(boxes[k], search_ranges_[b].reach);
  ++effort_.searches;
  candidates_->search(waypoint_, ways, boxes, room, *team_);
  take_pairs();
  list_followed();
  evaluate_new_pairs();
}

// pairs that were in the list before keep all that is known of them
void Contact::take_pairs() {
  const auto before = [](const Pair& p, const Pair& q) { return p.order() < q.order(); };
  std::swap(old_pairs_, pairs_);
  pairs_.resize(candidates_->pair_count()), ++list_number_;
  for_shares(team_, pairs_.size(), [&](Share share, int) {
    auto old = old_pairs_.begin();
    for (int p = share.begin; p < share.end; ++p) {
      Pair& pair = pairs_[p] = candidates_->pair(p);
      if (p == share.begin) old = std::lower_bound(old, old_pairs_.end(), pair, before);
      while (old != old_pairs_.end() && before(*old, pair)) ++old;
      if (old != old_pairs_.end() && !before(pair, *old)) pair = *old;
    }
  });
}

}  // namespace tendril::contact
