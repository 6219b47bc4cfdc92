#include "contact/candidates.h"

#include <algorithm>
#include <numbers>

#include "contact/closest.h"

namespace tendril {

namespace {

constexpr double reach_over_radius = 0.1;

// How stiff a rod's surface is [N/m]: two cylinders that cross press into each other at about E r per length, two that
// lie side by side at about E per length and length. With E = EA / pi r² and a segment's length l that is
//   EA / (pi r) min(1, l / r)
double surface_stiffness(const Segment& s) {
  return s.EA / (std::numbers::pi * s.radius) * std::min(1.0, s.rest_length / s.radius);
}

}  // namespace

void Candidates::reset(const Model& model, const std::vector<Vec3d>& start, const ContactOptions& options) {
  segments_.clear(), solids_.clear(), solid_friction_.clear();
  boxes_.clear(), solid_boxes_.clear(), x_.clear(), segment_pairs_.clear(), solid_pairs_.clear();
  margin_.assign(model.vertices.size(), 0);
  for (const Segment& s : model.segments) {
    const double reach = options.distance > 0 ? options.distance : reach_over_radius * s.radius;
    segments_.push_back({{s.vertex[0], s.vertex[1]}, s.radius, reach, surface_stiffness(s), s.friction});
    for (int i : s.vertex) margin_[i] = std::max(margin_[i], 2 * reach + 0.2 * s.radius);
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].kind != BodyKind::kinematic) continue;
    for (const Solid& solid : solids_of(model.bodies[b].shape, static_cast<int>(b))) {
      solids_.push_back(solid);
      solid_friction_.push_back(model.bodies[b].friction);
    }
  }
  State at_start;
  at_start.x = start;
  neighbours_ = Neighbourhood(model, at_start);
  // a segment that is fastened to a body does not collide with it
  fastened_.assign(model.vertices.size(), -1);
  for (const Tie& tie : model.ties)
    if (!std::holds_alternative<std::monostate>(model.bodies[tie.body].shape)) fastened_[tie.vertex] = tie.body;
}

bool Candidates::cover(std::span<const Vec3d> x, std::span<const Vec3d> motion, std::span<const Bounds> solids) const {
  const auto inside = [](const Bounds& outer, const Vec3d& p) {
    return p.x >= outer.low.x && p.x <= outer.high.x && p.y >= outer.low.y && p.y <= outer.high.y &&
           p.z >= outer.low.z && p.z <= outer.high.z;
  };
  if (boxes_.size() != x.size() || solid_boxes_.size() != solids.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!inside(boxes_[i], x[i]) || !inside(boxes_[i], x[i] + motion[i])) return false;
  for (std::size_t k = 0; k < solids.size(); ++k)
    if (!inside(solid_boxes_[k], solids[k].low) || !inside(solid_boxes_[k], solids[k].high)) return false;
  return true;
}

void Candidates::search(std::span<const Vec3d> x, std::span<const Vec3d> motion, std::span<const Bounds> solids,
                        ThreadTeam& team) {
  boxes_.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    boxes_[i] = widened(hull(x[i], x[i] + motion[i]), margin_[i] + 0.5 * norm(motion[i]));
  x_.assign(x.begin(), x.end());
  solid_boxes_.assign(solids.begin(), solids.end());
  for (Bounds& box : solid_boxes_) {
    const Vec3d size = box.high - box.low;
    const double largest = std::max({size.x, size.y, size.z});
    if (std::isfinite(largest)) box = widened(box, 0.01 * largest);
  }
  find_pairs(team);
}

// how far a vertex may be from where it was looked for [m]
std::vector<double> Candidates::roaming() const {
  std::vector<double> roam(boxes_.size());
  for (std::size_t i = 0; i < roam.size(); ++i) {
    const Vec3d up = boxes_[i].high - x_[i], down = x_[i] - boxes_[i].low;
    roam[i] = norm(Vec3d{std::max(up.x, down.x), std::max(up.y, down.y), std::max(up.z, down.z)});
  }
  return roam;
}

// boxes along the axes are wide for segments that are not: their true distance tells more
bool Candidates::may_touch(int a, int b, const std::vector<double>& roam) const {
  const Touchable &p = segments_[a], &q = segments_[b];
  const double near = nearest_points(x_[p.vertex[0]], x_[p.vertex[1]], x_[q.vertex[0]], x_[q.vertex[1]]).distance;
  return near <= p.radius + q.radius + std::max(p.reach, q.reach) + std::max(roam[p.vertex[0]], roam[p.vertex[1]]) +
                     std::max(roam[q.vertex[0]], roam[q.vertex[1]]);
}

void Candidates::find_pairs(ThreadTeam& team) {
  std::vector<Bounds> boxes(segments_.size());
  for (std::size_t s = 0; s < boxes.size(); ++s)
    boxes[s] = widened(hull(boxes_[segments_[s].vertex[0]], boxes_[segments_[s].vertex[1]]),
                       segments_[s].radius + segments_[s].reach);
  const std::vector<double> roam = roaming();
  broad_phase_.find_pairs(
      boxes, team, [&](int a, int b) { return !neighbours_.contains(a, b) && may_touch(a, b, roam); }, segment_pairs_);
  broad_phase_.find_pairs_between(boxes, solid_boxes_, team, solid_pairs_);
  std::erase_if(solid_pairs_, [this](const IndexPair& pair) {
    const int *i = segments_[pair.a].vertex, body = solids_[pair.b].body;
    return fastened_[i[0]] == body || fastened_[i[1]] == body;
  });
}

Pair Candidates::constants(const Touchable& a, const Touchable& b) const {
  Pair pair;
  for (int k = 0; k < 2; ++k) pair.vertex[k] = a.vertex[k], pair.vertex[2 + k] = b.vertex[k];
  pair.radius = a.radius + b.radius;
  const double stiffness = std::min(a.stiffness, b.stiffness);
  pair.barrier = barrier_of_curvature(std::min(a.reach, b.reach), stiffness);
  pair.grip = {stiffness, friction_of_pair(a.friction, b.friction)};
  return pair;
}

std::vector<Pair> Candidates::pairs() const {
  std::vector<Pair> pairs;
  pairs.reserve(segment_pairs_.size() + solid_pairs_.size());
  for (const IndexPair& p : segment_pairs_) {
    pairs.push_back(constants(segments_[p.a], segments_[p.b]));
    pairs.back().a = p.a, pairs.back().b = p.b;
  }
  for (const IndexPair& p : solid_pairs_) {
    Touchable solid = segments_[p.a];  // as stiff and as far-reaching as what touches it
    solid.vertex[0] = solid.vertex[1] = -1;
    solid.radius = solids_[p.b].radius, solid.friction = solid_friction_[p.b];
    pairs.push_back(constants(segments_[p.a], solid));
    pairs.back().a = p.a, pairs.back().b = p.b, pairs.back().body = solids_[p.b].body;
  }
  return pairs;
}

void Candidates::save(Writer& out) const { out.put(boxes_), out.put(solid_boxes_), out.put(x_); }

void Candidates::load(Reader& in, ThreadTeam& team) {
  in.get(boxes_), in.get(solid_boxes_), in.get(x_);
  if (boxes_.empty()) return;
  if (boxes_.size() != margin_.size() || x_.size() != margin_.size() || solid_boxes_.size() != solids_.size())
    throw std::runtime_error("the saved contacts belong to another scene");
  find_pairs(team);
}

}  // namespace tendril
