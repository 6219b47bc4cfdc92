#include <fmt/format.h>

#include <cmath>

#include "scene/deforming_mesh.h"
#include "scene/draft.h"
#include "scene/obj_mesh.h"

namespace tendril::scene {
namespace {

// a shape and the point that its own frame starts from
struct PlacedShape {
  Shape shape;
  Vec3d origin;
};

PlacedShape read_shape(const Table& t, const std::string& kind) {
  if (kind == "plane") {
    if (norm(t.vec3("normal")) < 1e-12) t.fail("normal", "the normal has no direction");
    return {Plane{{}, normalized(t.vec3("normal"))}, t.vec3("point")};
  }
  if (kind == "sphere") return {Sphere{{}, t.number("radius")}, t.vec3("center")};
  if (kind == "box") return {Box{{}, t.vec3("size"), quaternion_exp(t.vec3("rotation"))}, t.vec3("center")};
  if (kind == "mesh") {
    Mesh mesh = read_obj_mesh(t, t.text("path"), t.number("scale"));
    mesh.inside = t.boolean("inside");
    return {mesh, {}};
  }
  const Vec3d middle = 0.5 * (t.vec3("from") + t.vec3("to"));
  if (norm(t.vec3("to") - t.vec3("from")) < 1e-12) t.fail("to", "the two ends are the same point");
  if (kind == "capsule") return {Capsule{t.vec3("from") - middle, t.vec3("to") - middle, t.number("radius")}, middle};
  return {Cylinder{t.vec3("from") - middle, t.vec3("to") - middle, t.number("radius")}, middle};
}

// radius of the sphere whose inertia a body has when the scene gives none
double shape_radius(const Shape& shape, double otherwise) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius;
  if (const auto* b = std::get_if<Box>(&shape)) return 0.5 * std::cbrt(b->size.x * b->size.y * b->size.z);
  if (const auto* c = std::get_if<Capsule>(&shape)) return c->radius;
  if (const auto* c = std::get_if<Cylinder>(&shape)) return c->radius;
  return otherwise;
}

void add_dynamic_body(const Table& t, Draft& draft) {
  Body body;
  body.name = t.text("name");
  body.kind = BodyKind::dynamic;
  body.mass = t.number("mass");
  body.friction = t.has("friction") ? t.number("friction") : -1;
  Pose pose;
  double rod_radius = 0.01;
  if (t.has("rod")) {
    if (!t.has("at")) t.fail("rod", "a body on a rod also needs `at`");
    const DraftRod& rod = find_rod(draft, t);
    const std::vector<int> points = find_points(t, "at", rod);
    pose.x = draft.state.x[rod.first_point + points[0]];
    rod_radius = draft.model.segments[rod.first_segment].radius;
  }
  if (t.has("shape")) {
    const Table shape = t.table("shape");
    PlacedShape placed = read_shape(shape, shape.text("shape"));
    body.shape = placed.shape;
    if (!t.has("rod")) pose.x = placed.origin;
  }
  pose.x += t.vec3("offset");
  const double r = shape_radius(body.shape, rod_radius), sphere = 0.4 * body.mass * r * r;
  body.inertia = !t.has("inertia")        ? Vec3d{sphere, sphere, sphere}
                 : t.is_number("inertia") ? Vec3d{t.number("inertia"), t.number("inertia"), t.number("inertia")}
                                          : t.vec3("inertia");
  for (int k = 0; k < 3; ++k)
    if (!(body.inertia[k] > 0)) t.fail("inertia", "moments of inertia must be positive");
  add_body(draft, body, pose);
}

void add_obstacle(const Table& t, Draft& draft) {
  PlacedShape placed = read_shape(t, t.text("shape"));
  Body body;
  body.name = t.text("name");
  body.is_obstacle = true;
  const bool deforms = t.text("shape") == "mesh" && t.has("frames");
  if (!deforms) body.shape = std::move(placed.shape);  // else its faces have shapes of their own
  body.friction = t.has("friction") ? t.number("friction") : -1;
  add_body(draft, body, {placed.origin, {}});
}

struct HoldRequest {
  bool axes[3] = {true, true, true};
  std::string frame = "none";  // none, all, axis
  double from = 0, until = forever;
};

void check_not_held_twice(const Table& t, std::string_view key, const Draft& draft, int vertex,
                          const HoldRequest& request) {
  for (const Tie& tie : draft.ties_at(vertex)) {
    const Hold when = tie.hold >= 0 ? draft.model.holds[tie.hold] : Hold{};
    const bool together = request.from < when.until && when.from < request.until;
    for (int k = 0; k < 3; ++k)
      if (together && tie.held[k] && request.axes[k])
        t.fail(key,
               fmt::format("the {} of this vertex is already held (by a clamp, pin, hold, joint or body); hold it once",
                           "xyz"[k]));
  }
}

// holds one point of a rod: a kinematic body, a tie to it and, for its section, half bends
void hold_point(const Table& t, std::string_view key, Draft& draft, const DraftRod& rod, int point,
                const HoldRequest& request, int hold) {
  const int vertex = rod.vertex[point];
  if (hold >= 0) check_not_held_twice(t, key, draft, vertex, request);
  Body body;
  body.hold = hold;
  const int index = add_body(draft, body, {draft.state.x[vertex], initial_section_frame(rod, point)});
  Tie tie;
  tie.vertex = vertex;
  tie.body = index;
  tie.hold = hold;
  for (int k = 0; k < 3; ++k) tie.held[k] = request.axes[k];
  draft.add(tie);
  if (request.frame == "none") return;

  const Junction& junction = draft.junctions[draft.junction_of_point[rod.first_point + point]];
  if (junction.hub >= 0) t.fail(key, "the section here already belongs to a body; drive the body instead");
  for (int s : junction.segments) {
    Bend bend = half_bend(draft, index, s, vertex);
    bend.hold = hold;
    if (request.frame == "axis") {
      bend.EI1 = bend.EI2 = 0.5 * (bend.EI1 + bend.EI2);
      bend.GJ = 0;
    }
    draft.model.bends.push_back(bend);
  }
  auto& replaced = draft.model.holds[hold].replaced_bends;
  replaced.insert(replaced.end(), junction.bends.begin(), junction.bends.end());
  if (request.frame == "all") return;
  for (int b : junction.bends) {  // twist goes on through a held axis, bending does not
    Bend twist = draft.model.bends[b];
    twist.EI1 = twist.EI2 = 0;
    twist.hold = hold;
    if (twist.GJ > 0) draft.model.bends.push_back(twist);
  }
}

void hold_points(const Table& t, std::string_view key, Draft& draft, const Place& place, const HoldRequest& request) {
  const int hold = int(draft.model.holds.size());
  draft.model.holds.push_back({request.from, request.until, {}});
  for (int point : place.points) hold_point(t, key, draft, *place.rod, point, request, hold);
}

HoldRequest read_hold(const Table& t) {
  HoldRequest request;
  const std::string axes = t.text("position") == "none" ? "" : t.text("position");
  for (int k = 0; k < 3; ++k) request.axes[k] = axes.find("xyz"[k]) != std::string::npos;
  if (axes.find_first_not_of("xyz") != std::string::npos)
    t.fail("position", "expected the world axes to hold, some of \"xyz\", or \"none\"");
  request.frame = t.text("frame");
  request.from = t.number("from");
  if (t.has("until")) request.until = t.number("until");
  return request;
}

}  // namespace

int add_body(Draft& draft, const Body& body, const Pose& pose) {
  const int index = int(draft.model.bodies.size());
  draft.model.bodies.push_back(body);
  draft.state.body_x.push_back(pose.x);
  draft.state.body_q.push_back(pose.q);
  draft.state.body_v.push_back({});
  draft.state.body_omega.push_back({});
  if (!body.name.empty()) draft.body_by_name.try_emplace(body.name, index);  // faces have the name of their obstacle
  return index;
}

void add_bodies(const Table& root, Draft& draft) {
  for (const Table& t : root.tables("obstacle")) add_obstacle(t, draft);
  for (const Table& t : root.tables("body")) add_dynamic_body(t, draft);
  add_faces(root, draft);
}

void add_holds(const Table& root, Draft& draft) {
  for (const DraftRod& rod : draft.rods) {
    const Table& t = rod.table;
    if (rod.carrier < 0 && !rod.roots.empty())
      hold_points(t, "mesh", draft, {&rod, rod.roots}, {{true, true, true}, "all"});
    if (t.has("clamp"))
      hold_points(t, "clamp", draft, {&rod, find_points(t, "clamp", rod)}, {{true, true, true}, "all"});
    if (t.has("pin")) hold_points(t, "pin", draft, {&rod, find_points(t, "pin", rod)}, {});
  }
  for (const Table& t : root.tables("hold"))
    for (const Place& place : find_places(draft, t)) hold_points(t, "at", draft, place, read_hold(t));
}

}  // namespace tendril::scene
