#include "contact/crossing_search.h"

#include <atomic>

#include "contact/crossing.h"

namespace tendril::contact {
namespace {

State at(const std::vector<Vec3d>& x) {
  State state;
  state.x = x;
  return state;
}

// the lowest number below `count` of which `found` is true; `count` if there is none
template <class Found>
int first_of(int count, ThreadTeam& team, const Found& found) {
  std::atomic<int> first = count;
  team.run(team.size(), [&](int begin, int) {
    for (int k = begin; k < first; k += team.size()) {
      if (!found(k)) continue;
      for (int known = first; k < known && !first.compare_exchange_weak(known, k);) {
      }
    }
  });
  return first;
}

}  // namespace

CrossingSearch::CrossingSearch(const Model& model, const std::vector<Vec3d>& start, bool rods_collide)
    : rods_collide_(rods_collide), neighbours_(rods_collide ? Neighbourhood(model, at(start)) : Neighbourhood()) {
  std::vector<int> fastened(model.vertices.size(), -1);
  for (const Tie& tie : model.ties)
    if (std::holds_alternative<Mesh>(model.bodies[tie.body].shape)) fastened[tie.vertex] = tie.body;
  for (const Segment& s : model.segments)
    lines_.push_back({{s.vertex[0], s.vertex[1]}, {fastened[s.vertex[0]], fastened[s.vertex[1]]}});
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Mesh* mesh = std::get_if<Mesh>(&model.bodies[b].shape);
    if (!mesh || model.bodies[b].kind != BodyKind::kinematic) continue;
    for (std::size_t k = 0; k < mesh->triangles.size(); ++k) {
      const auto& [p, q, r] = mesh->triangles[k];
      triangles_.push_back({{mesh->vertices[p], mesh->vertices[q], mesh->vertices[r]}, int(b), int(k)});
    }
  }
}

MovingSegment CrossingSearch::moving(int segment, const Substep& substep) const {
  const auto [i, j] = lines_[segment].vertex;
  return {{substep.from[i], substep.from[j]}, {substep.to[i], substep.to[j]}};
}

std::optional<Crossing> CrossingSearch::of_lines(std::span<const Bounds> boxes, const Substep& substep,
                                                 ThreadTeam& team) {
  broad_phase_.find_pairs(
      boxes, team, [this](int a, int b) { return !neighbours_.contains(a, b); }, pairs_);
  const auto lines_cross = [&](int k) { return cross(moving(pairs_[k].a, substep), moving(pairs_[k].b, substep)); };
  const int k = first_of(int(pairs_.size()), team, lines_cross);
  return k < int(pairs_.size()) ? std::optional(Crossing{pairs_[k].a, pairs_[k].b, -1, true}) : std::nullopt;
}

std::optional<Crossing> CrossingSearch::on_substep(const Substep& substep, ThreadTeam& team) {
  std::vector<Bounds> boxes;
  for (std::size_t s = 0; s < lines_.size(); ++s) {
    const MovingSegment line = moving(int(s), substep);
    boxes.push_back(hull(hull(line.x0[0], line.x0[1]), hull(line.x1[0], line.x1[1])));
  }
  if (rods_collide_)
    if (const auto crossing = of_lines(boxes, substep, team)) return crossing;

  std::vector<MovingTriangle> ways;
  std::vector<Bounds> ways_boxes;
  for (const Triangle& triangle : triangles_) {
    const Pose &from = substep.body_from[triangle.body], &to = substep.body_to[triangle.body];
    MovingTriangle& way = ways.emplace_back();
    Bounds& box = ways_boxes.emplace_back();
    for (int k = 0; k < 3; ++k) {
      way.x0[k] = from.x + rotate(from.q, triangle.corner[k]), way.x1[k] = to.x + rotate(to.q, triangle.corner[k]);
      box.take(way.x0[k]), box.take(way.x1[k]);
    }
  }
  broad_phase_.find_pairs_between(boxes, ways_boxes, team, pairs_);
  const auto pierces = [&](int k) {
    const int* fastened = lines_[pairs_[k].a].fastened;
    const int body = triangles_[pairs_[k].b].body;
    if (!substep.meets_bodies.empty() && !substep.meets_bodies[lines_[pairs_[k].a].vertex[0]]) return false;
    return fastened[0] != body && fastened[1] != body &&
           crosses_triangle(moving(pairs_[k].a, substep), ways[pairs_[k].b]);
  };
  if (const int k = first_of(int(pairs_.size()), team, pierces); k < int(pairs_.size()))
    return Crossing{pairs_[k].a, triangles_[pairs_[k].b].number, triangles_[pairs_[k].b].body, true};
  return std::nullopt;
}

}  // namespace tendril::contact
