#include "sim/loose_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "math/union_find.h"
#include "sim/balance.h"

namespace tendril::sim {
namespace {

struct Part {
  int first = 0;                   // its first vertex, or the number of a body after those of the vertices
  Vec3d force, moment;             // net load [N], [N m]
  double forces = 0, moments = 0;  // sums of their sizes
  double length = 0;               // of its segments [m]
  Vec3d held;                      // vertices held along each axis
  std::vector<Vec3d> pins;         // where vertices are held along all axes
  bool is_guided = false;          // a vertex is held along some axes, or a frame is held

  bool stays_along(int axis) const { return held[axis] > 0 || !(std::abs(force[axis]) > 1e-9 * forces); }

  // the moment about axes through the pins
  Vec3d free_moment() const {
    Vec3d axis;
    for (const Vec3d& pin : pins)
      if (const Vec3d d = pin - pins[0]; norm(d) > norm(axis)) axis = d;
    if (norm(axis) == 0) return moment;
    axis = normalized(axis);
    for (const Vec3d& pin : pins)
      if (norm(cross(axis, pin - pins[0])) > 1e-9 * length) return {};
    return dot(axis, moment) * axis;
  }
  // whatever shape it takes, its forces have no longer levers than this
  bool stays_upright() const {
    constexpr double most_stretch = 10;
    return is_guided || !(norm(free_moment()) > std::max(1e-9 * moments, most_stretch * length * forces));
  }
};

bool is_dynamic(const Model& model, int body) { return model.bodies[body].kind == BodyKind::dynamic; }

// vertices, then bodies
UnionFind joined(const Model& model) {
  const int vertices = int(model.vertices.size());
  UnionFind sets(vertices + int(model.bodies.size()));
  for (const Segment& segment : model.segments) sets.unite(segment.vertex[0], segment.vertex[1]);
  for (const Tie& tie : model.ties)
    if (is_dynamic(model, tie.body)) sets.unite(vertices + tie.body, tie.vertex);
  return sets;
}

std::map<int, Part> parts_of(const Model& model, const State& state, const Instant& loads) {
  const int vertices = int(model.vertices.size());
  UnionFind sets = joined(model);
  std::map<int, Part> parts;
  const auto add_force = [&](int member, const Vec3d& force) -> Part& {
    const auto [found, is_new] = parts.try_emplace(sets.find(member));
    Part& part = found->second;
    if (is_new) part.first = member;
    part.force += force, part.forces += norm(force);
    return part;
  };
  const auto add_moment = [&](Part& part, const Vec3d& moment) { part.moment += moment, part.moments += norm(moment); };
  const std::vector<Vec3d> held = held_axes(model);
  for (int i = 0; i < vertices; ++i) {
    Part& part = add_force(i, loads.force[i]);
    part.held += held[i];
    const double axes = held[i].x + held[i].y + held[i].z;
    if (axes == 3) part.pins.push_back(state.x[i]);
    part.is_guided |= axes == 1 || axes == 2;
  }
  for (int b = 0; b < int(model.bodies.size()); ++b)
    if (is_dynamic(model, b)) add_moment(add_force(vertices + b, loads.body_force[b]), loads.body_moment[b]);
  const auto part_of = [&](int segment) -> Part& { return parts[sets.find(model.segments[segment].vertex[0])]; };
  for (int s = 0; s < int(model.segments.size()); ++s) {
    part_of(s).length += model.segments[s].rest_length;
    if (!loads.moment.empty()) add_moment(part_of(s), loads.moment[s]);
  }
  for (const Bend& bend : model.bends)
    for (const auto& [frame, other] : {std::pair(bend.a, bend.b), std::pair(bend.b, bend.a)})
      if (!frame.is_body && other.is_body && !is_dynamic(model, other.index)) part_of(frame.index).is_guided = true;
  return parts;
}

std::string name_of(const Model& model, const Part& part) {
  for (const Rod& rod : model.rods)
    if (std::find(rod.vertices.begin(), rod.vertices.end(), part.first) != rod.vertices.end())
      return fmt::format("rod \"{}\"", rod.name);
  return "a body";
}

}  // namespace

std::string loose_part(const Model& model, const State& state, const Instant& loads) {
  for (const auto& [number, part] : parts_of(model, state, loads)) {
    for (int k = 0; k < 3; ++k)
      if (!part.stays_along(k))
        return fmt::format("{} is pulled by {:.3g} N along {} and nothing holds it", name_of(model, part),
                           part.force[k], "xyz"[k]);
    if (const Vec3d m = part.free_moment(); !part.stays_upright())
      return fmt::format("{} is turned by {:.3g} N m about [{:.3g}, {:.3g}, {:.3g}] and nothing holds it",
                         name_of(model, part), norm(m), m.x / norm(m), m.y / norm(m), m.z / norm(m));
  }
  return {};
}

int part_count(const Model& model) {
  UnionFind sets = joined(model);
  int count = 0;
  for (int i = 0; i < int(model.vertices.size()); ++i) count += sets.find(i) == i;
  return count;
}

}  // namespace tendril::sim
