#include <algorithm>
#include <numeric>
#include <tuple>

#include "contact/candidates.h"
#include "contact/contact.h"
#include "contact/for_all.h"
#include "math/quat.h"

namespace tendril::contact {

// What slides: how far the springs of friction are stretched, who takes them over, and the energy that contact takes.

namespace {

// contacts of one surface, of which one may go on where the other ends, have normals that differ by less than 60°
bool same_side(const Pair& p, const Pair& q, double sign) { return sign * dot(p.normal, q.normal) > 0.5; }

}  // namespace

// how far the surfaces that touch have gone against each other, by way(vertex), carried(body, its point) and the turn
// of the frames, turn(segment)
template <class Way, class Carried, class Turn>
Vec3d Contact::motion(const Pair& pair, Way way, Carried carried, Turn turn) const {
  Vec3d sum;
  for (int k = 0; k < 4; ++k)
    if (const int i = pair.vertex[k]; i >= 0) sum += pair.weight[k] * way(i);
  if (pair.body_a >= 0) sum += carried(pair.body_a, pair.point_a);
  if (pair.body >= 0) sum -= carried(pair.body, pair.point);
  for (int side = 0; side < 2 && !frames_.empty(); ++side)
    if (turns(pair, side)) sum += lever(pair, side) * turn(side == 0 ? pair.a : pair.b);
  return sum;
}

Vec3d Contact::slip_at(const Pair& pair, const State& there) const {
  return pair.slip + motion(
                         pair, [&](int i) { return there.x[i] - waypoint_[i]; },
                         [&](int body, const Vec3d& point) { return carried(body, point); },
                         [&](int s) { return turned(s, there.q[s]); });
}

void Contact::slide(Pair& pair, const Substep& substep) const {
  pair.slip += motion(
      pair, [&](int i) { return substep.to[i] - substep.from[i]; },
      [&](int body, const Vec3d& point) { return carried(body, point); }, [&](int s) { return turns_[s]; });
}

// A contact that passes from one segment to the next, or from one triangle of a mesh to the next, is a new pair, but
// the same surfaces still hold each other. So a pair that does not touch yet has the slip of its neighbours that do:
// of those with the same or the next segment against the same or the next segment, or the same body, in the mean over
// their normal forces. What its own spring cannot hold slides when it touches.
//
// Sources are sorted as pairs are.
std::optional<Vec3d> Contact::slip_of_neighbours(const Pair& pair, std::span<const int> sources) const {
  Vec3d sum;
  double forces = 0;
  const auto take = [&](const Pair& source, double sign) {
    if (!same_side(pair, source, sign)) return;
    const double force = source.normal_force();
    sum += sign * force * source.slip, forces += force;
  };
  const auto first = [&](const auto& key) {
    return std::lower_bound(sources.begin(), sources.end(), key,
                            [&](int p, const auto& of) { return pairs_[p].order() < of; });
  };
  // the segments that share a vertex with a segment, and itself, each once
  const auto visit_next = [&](const int* ends, auto visit) {
    for (int s : candidates_->segments_at(ends[0])) visit(s);
    const std::span<const int> seen = candidates_->segments_at(ends[0]);
    for (int s : candidates_->segments_at(ends[1]))
      if (std::find(seen.begin(), seen.end(), s) == seen.end()) visit(s);
  };
  if (pair.body_a >= 0) {  // edges of bodies
    for (auto p = first(std::tuple(true, true, 0, 0)); p != sources.end(); ++p)
      if (pairs_[*p].body_a == pair.body_a && pairs_[*p].body == pair.body) take(pairs_[*p], 1);
  } else if (pair.with_solid()) {
    visit_next(pair.vertex, [&](int a) {
      for (auto p = first(std::tuple(false, true, a, 0)); p != sources.end() && pairs_[*p].a == a; ++p) {
        if (pairs_[*p].body_a >= 0) break;
        if (pairs_[*p].body == pair.body) take(pairs_[*p], 1);
      }
    });
  } else {
    visit_next(pair.vertex, [&](int a) {
      visit_next(pair.vertex + 2, [&](int b) {
        const auto key = std::tuple(false, false, std::min(a, b), std::max(a, b));
        if (const auto p = first(key); p != sources.end() && pairs_[*p].order() == key)
          take(pairs_[*p], pairs_[*p].a == a ? 1 : -1);
      });
    });
  }
  if (!(forces > 0)) return {};
  return tangential((1 / forces) * sum, pair.normal);
}

// to pairs that take it, from those that are sources
template <class IsSource, class Takes>
void Contact::hand_over_slips(IsSource is_source, Takes takes) {
  const std::vector<int> sources = all_where(team_, pairs_.size(), [&](std::size_t p) {
    return pairs_[p].gap < pairs_[p].barrier.reach && !(pairs_[p].slip == Vec3d{}) && is_source(p);
  });
  std::vector<char> near_vertex(waypoint_.size(), false), near_body(bodies_.size(), false);  // of a source
  for (int p : sources) {
    const Pair& pair = pairs_[p];
    for (int i : pair.vertex)
      if (i >= 0) near_vertex[i] = true;
    for (int b : {pair.body_a, pair.body})
      if (b >= 0) near_body[b] = true;
  }
  const auto is_near = [&](const Pair& pair, int side) {
    if (const int body = side == 0 ? pair.body_a : pair.body; body >= 0) return bool(near_body[body]);
    return near_vertex[pair.vertex[2 * side]] || near_vertex[pair.vertex[2 * side + 1]];
  };
  for_all(team_, pairs_.size(), [&](std::size_t p) {
    Pair& pair = pairs_[p];
    if (pair.spring.friction == 0 || !takes(p)) return;
    pair.slip = {};
    if (sources.empty() || !is_near(pair, 0) || !is_near(pair, 1)) return;
    if (const auto slip = slip_of_neighbours(pair, sources)) pair.slip = *slip;
  });
}

// at the start of a step
void Contact::hand_over_slips() {
  hand_over_slips([](std::size_t) { return true; },
                  [&](std::size_t p) { return !(pairs_[p].gap < pairs_[p].barrier.reach); });
}

// in the middle of one, to pairs that were found in it
void Contact::hand_over_slips_to_new() {
  hand_over_slips([&](std::size_t p) { return !is_new_[p]; },
                  [&](std::size_t p) { return is_new_[p] && pairs_[p].slip == Vec3d{}; });
  const std::size_t known = remembered_.size();
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    if (is_new_[p] && !(pairs_[p].slip == Vec3d{}))
      remembered_.push_back({pairs_[p], pairs_[p].slip - moved_in_step(pairs_[p])});
  if (remembered_.size() > known)
    std::sort(remembered_.begin(), remembered_.end(),
              [](const auto& a, const auto& b) { return a.first.order() < b.first.order(); });
}

// since the step began
Vec3d Contact::moved_in_step(const Pair& pair) const {
  return motion(
      pair, [&](int i) { return waypoint_[i] - begin_.x[i]; },
      [&](int body, const Vec3d& point) {
        const Pose &from = begin_.poses[body], &to = pose_[body];
        return to.x + rotate(to.q, point) - from.x - rotate(from.q, point);
      },
      [&](int s) { return turn_between(begin_.frames[s], frames_[s]); });
}

// what the spring of friction cannot hold has slid
Contact::Loss Contact::let_slide(Pair& pair) const {
  if (!(pair.gap < pair.barrier.reach)) return pair.slip = {}, Loss{};
  const double normal_force = pair.normal_force();
  const Vec3d moved = moved_in_step(pair);
  Loss loss{0, -normal_force * dot(pair.normal, moved)};
  if (pair.slip == Vec3d{}) return loss;
  const double length = norm(pair.slip);
  loss.friction = pair.spring.secant(length, normal_force) * dot(pair.slip, moved);
  pair.slip = pair.spring.held_share(length, normal_force) * pair.slip;
  return loss;
}

void Contact::end_step() {
  if (begin_.x.size() != waypoint_.size()) return;  // it did not begin
  constexpr std::size_t block = 4096;               // pairs whose losses are added up together, whatever the threads
  std::vector<Loss> losses((pairs_.size() + block - 1) / block);
  for_all(
      team_, losses.size(),
      [&](std::size_t b) {
        for (std::size_t p = b * block; p < std::min((b + 1) * block, pairs_.size()); ++p) {
          const Loss loss = let_slide(pairs_[p]);
          losses[b].friction += loss.friction, losses[b].normal += loss.normal;
        }
      },
      2);
  for (const Loss& loss : losses) friction_work_ += loss.friction, contact_loss_ += loss.normal;
}

}  // namespace tendril::contact
