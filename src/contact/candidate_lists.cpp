#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "contact/candidates.h"
#include "contact/closest.h"
#include "contact/for_all.h"

namespace tendril::contact {

// The list of pairs in use, and the wide one that it is picked from.

namespace {

// How much room the vertices have in a list: where they will be if they go on like this for some steps, and a margin.
struct Room {
  double margin;   // over that of a vertex
  double longest;  // way ahead for more than two steps, over the same: what is fast would meet everything on it
  double steps;
};
constexpr Room narrow = {1, 20, 4}, wide = {5, 24, 10};

Bounds box_ahead(const Vec3d& x, const Vec3d& motion, const Room& room, double margin) {
  constexpr double tiny = std::numeric_limits<double>::min();
  const double steps = std::clamp(room.longest * margin / std::max(norm(motion), tiny), 2.0, room.steps);
  return widened(hull(x, x + steps * motion), room.margin * margin);
}

// wider by a share of its largest side, if it has one
Bounds widened_by_share(const Bounds& box, double share) {
  const Vec3d size = box.high - box.low;
  const double largest = std::max({size.x, size.y, size.z});
  return std::isfinite(largest) ? widened(box, share * largest) : box;
}

bool contains(const Bounds& outer, const Bounds& inner) {
  return math::contains(outer, inner.low) && math::contains(outer, inner.high);
}

// Boxes that are wider by `rounding` in all than what they hold, which is as if their edges were round: whether what is
// in there is apart along the way between their middles.
bool are_apart(const Bounds& a, const Bounds& b, double rounding) {
  const Vec3d way = a.center() - b.center(), sizes = 0.5 * (a.high - a.low + b.high - b.low);
  const double length_squared = norm_squared(way);
  double lead = length_squared;  // times the length of the way
  for (int k = 0; k < 3; ++k) lead -= std::abs(way[k]) * (sizes[k] - rounding);
  return lead > 0 && lead * lead > rounding * rounding * length_squared;
}

// The same boxes: whether they overlap with their edges round. A ball fills half of its box.
bool overlap_rounded(const Bounds& a, const Bounds& b, double rounding) {
  double squared = 0;  // distance of the boxes without what they are wider
  for (int k = 0; k < 3; ++k) {
    const double between = std::max(a.low[k] - b.high[k], b.low[k] - a.high[k]) + rounding;
    if (between > 0) squared += between * between;
  }
  return squared <= rounding * rounding;
}

}  // namespace

bool Candidates::cover(std::span<const Vec3d> x, std::span<const Vec3d> motion, std::span<const Bounds> solids,
                       ThreadTeam* team) const {
  if (list_.boxes.size() != x.size() || list_.solid_boxes.size() != solids.size()) return false;
  for (std::size_t k = 0; k < solids.size(); ++k)
    if (!contains(list_.solid_boxes[k], solids[k])) return false;
  return holds_for_all(team, x.size(), [&](std::size_t i) { return holds(i, x[i]) && holds(i, x[i] + motion[i]); });
}

void Candidates::search(std::span<const Vec3d> x, std::span<const Vec3d> motion, std::span<const Bounds> solids,
                        double room, ThreadTeam& team) {
  const auto set_boxes = [&](List& list, const Room& of_vertices, double of_solids) {
    list.boxes.resize(x.size()), list.solid_boxes.resize(solids.size());
    for_all(&team, x.size(),
            [&](std::size_t i) { list.boxes[i] = box_ahead(x[i], motion[i], of_vertices, room * margin_[i]); });
    for (std::size_t k = 0; k < solids.size(); ++k) list.solid_boxes[k] = widened_by_share(solids[k], of_solids);
  };
  set_boxes(list_, narrow, 0.01);
  if (!is_inside(list_, wide_, team)) {
    set_boxes(wide_, wide, 0.05);
    find_wide_list(team);
  }
  pick_from_wide_list(team);
}

bool Candidates::is_inside(const List& inner, const List& outer, ThreadTeam& team) {
  if (outer.boxes.size() != inner.boxes.size() || outer.solid_boxes.size() != inner.solid_boxes.size()) return false;
  for (std::size_t k = 0; k < inner.solid_boxes.size(); ++k)
    if (!contains(outer.solid_boxes[k], inner.solid_boxes[k])) return false;
  return holds_for_all(&team, inner.boxes.size(),
                       [&](std::size_t i) { return contains(outer.boxes[i], inner.boxes[i]); });
}

void Candidates::box_segments(List& list, ThreadTeam& team) const {
  list.segment_boxes.resize(segments_.size());
  for_all(&team, segments_.size(), [&](std::size_t k) {
    const Touchable& s = segments_[k];
    list.segment_boxes[k] = widened(hull(list.boxes[s.vertex[0]], list.boxes[s.vertex[1]]), s.radius + s.reach);
  });
}

// Boxes along the axes are wide for segments that are not. Most pairs are told apart along the way between the middles
// of their boxes, the others along the shortest way between the segments there.
bool Candidates::may_touch(const List& list, int a, int b) const {
  const Touchable &p = segments_[a], &q = segments_[b];
  if (are_apart(list.segment_boxes[a], list.segment_boxes[b], p.radius + p.reach + q.radius + q.reach)) return false;
  const Bounds &a0 = list.boxes[p.vertex[0]], &a1 = list.boxes[p.vertex[1]];
  const Bounds &b0 = list.boxes[q.vertex[0]], &b1 = list.boxes[q.vertex[1]];
  const Vec3d n = nearest_points(a0.center(), a1.center(), b0.center(), b1.center()).normal;
  const double lead = std::min(lowest(a0, n), lowest(a1, n)) - std::max(highest(b0, n), highest(b1, n));
  return lead <= p.radius + q.radius + std::max(p.reach, q.reach);
}

bool Candidates::may_touch_solid(const List& list, int segment, int solid) const {
  const Touchable& s = segments_[segment];
  return overlap_rounded(list.segment_boxes[segment], list.solid_boxes[solid],
                         s.radius + s.reach + solids_[solid].radius);
}

// Short segments fill their boxes: a closer look would tell few of them apart.
void Candidates::find_wide_segment_pairs(ThreadTeam& team) {
  const auto is_short = [&](int s) {
    const Vec3d size = wide_.segment_boxes[s].high - wide_.segment_boxes[s].low;
    return std::max({size.x, size.y, size.z}) < 6 * (segments_[s].radius + segments_[s].reach);
  };
  broad_phase_.find_pairs(
      wide_.segment_boxes, team,
      [&](int a, int b) {
        return !neighbours_.contains(a, b) && ((is_short(a) && is_short(b)) || may_touch(wide_, a, b));
      },
      wide_.segment_pairs);
}

void Candidates::find_wide_list(ThreadTeam& team) {
  box_segments(wide_, team);
  if (rods_collide_) find_wide_segment_pairs(team);
  broad_phase_.find_pairs_between(wide_.segment_boxes, wide_.solid_boxes, team, wide_.solid_pairs);
  std::erase_if(wide_.solid_pairs, [this](const IndexPair& pair) {
    return !may_touch_solid(wide_, pair.a, pair.b) ||
           std::binary_search(excused_.begin(), excused_.end(), IndexPair{pair.a, whole_[solids_[pair.b].body]});
  });
  wide_.edge_pairs.clear();
  if (edges_.empty()) return;
  std::vector<Bounds> edge_boxes;
  for (int solid : solid_of_edge_) edge_boxes.push_back(wide_.solid_boxes[solid]);
  broad_phase_.find_pairs_between(edge_boxes, wide_.solid_boxes, team, wide_.edge_pairs);
  std::erase_if(wide_.edge_pairs, [this](const IndexPair& pair) { return !may_meet(pair.a, pair.b); });
}

void Candidates::pick_from_wide_list(ThreadTeam& team) {
  box_segments(list_, team);
  const auto pick = [&](const std::vector<IndexPair>& from, const auto& is_near, std::vector<IndexPair>& to) {
    picked_.resize(shares_for(&team, from.size()));
    for_shares(&team, from.size(), [&](Share share, int number) {
      picked_[number].clear();
      std::copy_if(from.begin() + share.begin, from.begin() + share.end, std::back_inserter(picked_[number]), is_near);
    });
    to.clear();
    for (const auto& picked : picked_) to.insert(to.end(), picked.begin(), picked.end());
  };
  const std::vector<Bounds>& solids = list_.solid_boxes;
  pick(
      wide_.segment_pairs, [&](IndexPair p) { return may_touch(list_, p.a, p.b); }, list_.segment_pairs);
  pick(
      wide_.solid_pairs, [&](IndexPair p) { return may_touch_solid(list_, p.a, p.b); }, list_.solid_pairs);
  pick(
      wide_.edge_pairs, [&](IndexPair p) { return overlap(solids[solid_of_edge_[p.a]], solids[p.b]); },
      list_.edge_pairs);
}

void Candidates::save(Writer& out) const {
  for (const List* list : {&list_, &wide_}) out.put(list->boxes), out.put(list->solid_boxes);
}

void Candidates::load(Reader& in, ThreadTeam& team) {
  list_ = {}, wide_ = {};  // lists without boxes have no pairs
  for (List* list : {&list_, &wide_}) {
    in.get(list->boxes), in.get(list->solid_boxes);
    if (list->boxes.empty()) continue;
    if (list->boxes.size() != margin_.size() || list->solid_boxes.size() != solids_.size())
      throw std::runtime_error("the saved contacts belong to another scene");
  }
  if (list_.boxes.empty()) return;
  find_wide_list(team);
  pick_from_wide_list(team);
}

}  // namespace tendril::contact
