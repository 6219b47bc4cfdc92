#include "contact/candidates.h"

#include <algorithm>
#include <map>
#include <numbers>
#include <string>

#include "contact/closest.h"
#include "contact/edges.h"

namespace tendril::contact {

namespace {

constexpr double slack_over_reach = 0.01;

// A body's surface has the stiffness m (c / size)² of an elastic block of its mass and size, c the speed of sound in
// it. Its own weight presses it in by g (size / c)², far less than the reach of the barrier.
constexpr double speed_of_sound = 100;  // [m/s]
constexpr double reach_over_size = 0.005;

// How stiff a rod's surface is [N/m]: two cylinders that cross press into each other at about E r per length, two that
// lie side by side at about E per length and length. With E = EA / pi r² and a segment's length l that is
//   EA / (pi r) min(1, l / r)
// and along the surface it is of that order, too: so stiff are the springs of friction.
double surface_stiffness(const Segment& s) {
  return s.EA / (std::numbers::pi * s.radius) * std::min(1.0, s.rest_length / s.radius);
}

// A slender segment gives way by bending long before its surface is pressed in: a barrier that is stiffer than some
// times EI / l³ is only harder to solve.
double barrier_stiffness(const Segment& s) {
  const double l = s.rest_length, EI = 0.25 * s.EA * s.radius * s.radius;
  return std::min(surface_stiffness(s), 25 * EI / (l * l * l));
}

// how far a surface's barrier reaches: of a slender segment as far as its radius, which nobody sees
double surface_reach(const Segment& s) { return std::max(0.1 * s.radius, std::min(s.radius, 0.01 * s.rest_length)); }

// The faces of a mesh that deforms are bodies of one name, that of their obstacle, which no other body has.
std::vector<int> wholes(const Model& model) {
  std::map<std::string, int> first;
  std::vector<int> whole;
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const Body& body = model.bodies[b];
    const bool may_be_a_face = body.is_obstacle && !body.name.empty();
    whole.push_back(may_be_a_face ? first.try_emplace(body.name, b).first->second : b);
  }
  return whole;
}

}  // namespace

void Candidates::reset(const Model& model, const State& start, const ContactOptions& options) {
  segments_.clear(), solids_.clear(), edges_.clear(), solid_of_edge_.clear();
  list_ = {}, wide_ = {};
  margin_.assign(model.vertices.size(), 0), at_vertex_.assign(model.vertices.size(), {});
  for (const Segment& s : model.segments) {
    const double reach = options.distance > 0 ? options.distance : surface_reach(s);
    segments_.push_back({{s.vertex[0], s.vertex[1]},
                         s.radius,
                         reach,
                         barrier_stiffness(s),
                         surface_stiffness(s),
                         s.friction,
                         s.linear_inertia.z > 0});
    for (int i : s.vertex) {
      margin_[i] = std::max(margin_[i], 0.5 * reach + 0.05 * s.radius);
      at_vertex_[i].push_back(static_cast<int>(segments_.size()) - 1);
    }
  }
  take_bodies(model, options);
  rods_collide_ = options.rods;
  neighbours_ = rods_collide_ ? Neighbourhood(model, start) : Neighbourhood();
  excuse(model, start);
}

// Only what moves freely meets other bodies; then edges of all are needed, see edges.h.
void Candidates::take_bodies(const Model& model, const ContactOptions& options) {
  surfaces_.assign(model.bodies.size(), {}), body_friction_.clear();
  bool angular = false;  // some body that moves freely
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    body_friction_.push_back(body.friction);
    Bounds extent;
    for (const Solid& solid : solids_of(body.shape, static_cast<int>(b))) {
      solids_.push_back(solid);
      extent.take(bounds(solid, Pose{}));
      angular |= body.kind == BodyKind::dynamic && !is_round(solid);
    }
    if (body.kind != BodyKind::dynamic || extent.empty()) continue;
    const double size = extent.radius(), waves = speed_of_sound / size;
    surfaces_[b] = {true, options.distance > 0 ? options.distance : reach_over_size * size, body.mass * waves * waves};
  }
  for (std::size_t k = 0; k < solids_.size(); ++k) {
    if (!surfaces_[solids_[k].body].is_free && !angular) continue;
    for (const Solid& edge : edges_of(solids_[k]))
      edges_.push_back(edge), solid_of_edge_.push_back(static_cast<int>(k));
  }
}

// A segment that is fastened to a body does not collide with it. Where the rod reaches into a body that hangs on it,
// nor do the segments inside, and the next one. Bodies that are joined do not collide, either.
void Candidates::excuse(const Model& model, const State& start) {
  excused_.clear(), joined_bodies_.clear();
  whole_ = wholes(model);
  const auto reaches_into = [&](int s, int body) {
    const Quatd back = conjugate(start.body_q[body]);
    const auto end = [&](int k) { return rotate(back, start.x[segments_[s].vertex[k]] - start.body_x[body]); };
    const double thick = segments_[s].radius + segments_[s].reach;
    return std::any_of(solids_.begin(), solids_.end(), [&](const Solid& solid) {
      if (solid.body != body) return false;
      return nearest_points(solid, end(0), end(1)).distance <= solid.radius + thick;
    });
  };
  std::vector<int> body_at(model.vertices.size(), -1);
  for (const Tie& tie : model.ties) {
    if (body_at[tie.vertex] >= 0) join(body_at[tie.vertex], tie.body);
    body_at[tie.vertex] = tie.body;
    if (std::holds_alternative<std::monostate>(model.bodies[tie.body].shape)) continue;
    std::vector<int> ahead = at_vertex_[tie.vertex];
    std::vector<bool> seen(surfaces_[tie.body].is_free ? segments_.size() : 0, false);
    while (!ahead.empty()) {
      const int s = ahead.back();
      ahead.pop_back();
      excused_.push_back({s, whole_[tie.body]});
      if (!surfaces_[tie.body].is_free || seen[s] || !reaches_into(s, tie.body)) continue;
      seen[s] = true;
      for (int i : segments_[s].vertex) ahead.insert(ahead.end(), at_vertex_[i].begin(), at_vertex_[i].end());
    }
  }
  for (const Bend& bend : model.bends)
    if (bend.a.is_body && bend.b.is_body) join(bend.a.index, bend.b.index);
  std::sort(excused_.begin(), excused_.end());
  std::sort(joined_bodies_.begin(), joined_bodies_.end());
}

// Two round solids are one pair, a round one and another one too; otherwise each one's edges meet the other.
bool Candidates::may_meet(int edge, int solid) const {
  const Solid &a = solids_[solid_of_edge_[edge]], &b = solids_[solid];
  const bool a_is_free = surfaces_[a.body].is_free, b_is_free = surfaces_[b.body].is_free;
  if (a.body == b.body || !(a_is_free || b_is_free)) return false;
  if (std::binary_search(joined_bodies_.begin(), joined_bodies_.end(),
                         IndexPair{std::min(a.body, b.body), std::max(a.body, b.body)}))
    return false;
  if (is_round(a) && is_round(b)) return a_is_free && (!b_is_free || a.body < b.body);
  if (is_round(a)) return true;
  return !is_round(b);
}

Pair Candidates::constants(const Touchable& a, const Touchable& b) {
  Pair pair;
  for (int k = 0; k < 2; ++k) pair.vertex[k] = a.vertex[k], pair.vertex[2 + k] = b.vertex[k];
  pair.radius = a.radius + b.radius;
  const double reach = std::min(a.reach, b.reach);
  pair.barrier = {reach, std::min(a.stiffness, b.stiffness)};
  pair.spring = {std::min(a.spring, b.spring), friction_of_pair(a.friction, b.friction), slack_over_reach * reach};
  return pair;
}

// a body's own surface counts among bodies only: to a rod it is as stiff and as far-reaching as that is
Candidates::Touchable Candidates::surface(const Solid& solid, double reach, double stiffness, double spring) const {
  return {{-1, -1}, solid.radius, reach, stiffness, spring, body_friction_[solid.body]};
}

Pair Candidates::pair(std::size_t p) const {
  if (p < list_.segment_pairs.size()) {
    const auto [a, b] = list_.segment_pairs[p];
    Pair pair = constants(segments_[a], segments_[b]);
    pair.a = a, pair.b = b;
    return pair;
  }
  if ((p -= list_.segment_pairs.size()) < list_.solid_pairs.size()) {
    const auto [a, b] = list_.solid_pairs[p];
    Pair pair =
        constants(segments_[a], surface(solids_[b], segments_[a].reach, segments_[a].stiffness, segments_[a].spring));
    pair.a = a, pair.b = b, pair.body = solids_[b].body;
    return pair;
  }
  const auto [a, b] = list_.edge_pairs[p - list_.solid_pairs.size()];
  const Solid &edge = edges_[a], &solid = solids_[b];
  const BodySurface &surface_a = surfaces_[edge.body], &surface_b = surfaces_[solid.body];
  Pair pair = constants(surface(edge, surface_a.reach, surface_a.stiffness, surface_a.stiffness),
                        surface(solid, surface_b.reach, surface_b.stiffness, surface_b.stiffness));
  pair.a = a, pair.b = b, pair.body_a = edge.body, pair.body = solid.body;
  return pair;
}

}  // namespace tendril::contact
