#include "render/bounds.h"

#include <algorithm>
#include <cmath>

namespace tendril::render {

namespace {

// moves a shape from the frame of its body into the world
struct Place {
  Pose pose;

  Vec3d point(const Vec3d& p) const { return pose.x + rotate(pose.q, p); }
  Shape operator()(std::monostate) const { return {}; }
  Shape operator()(const Plane& s) const { return Plane{point(s.point), rotate(pose.q, s.normal)}; }
  Shape operator()(const Sphere& s) const { return Sphere{point(s.center), s.radius}; }
  Shape operator()(const Capsule& s) const { return Capsule{point(s.from), point(s.to), s.radius}; }
  Shape operator()(const Cylinder& s) const { return Cylinder{point(s.from), point(s.to), s.radius}; }
  Shape operator()(const Box& s) const { return Box{point(s.center), s.size, pose.q * s.rotation}; }
  Shape operator()(const Mesh& s) const {
    Mesh mesh = s;
    for (Vec3d& vertex : mesh.vertices) vertex = point(vertex);
    return mesh;
  }
};

struct VisitShape {
  const BallVisitor& visit;

  void operator()(std::monostate) const {}
  void operator()(const Plane&) const {}  // without end: never decides what a picture contains
  void operator()(const Sphere& s) const { visit(s.center, s.radius); }
  void operator()(const Capsule& s) const { visit(s.from, s.radius), visit(s.to, s.radius); }
  void operator()(const Cylinder& s) const { visit(s.from, s.radius), visit(s.to, s.radius); }
  void operator()(const Box& s) const {
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3d sign{corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5};
      visit(s.center + rotate(s.rotation, scale(sign, s.size)), 0);
    }
  }
  void operator()(const Mesh& s) const {
    for (const Vec3d& vertex : s.vertices) visit(vertex, 0);
  }
};

void visit_rods(const Model& model, const State& state, const BallVisitor& visit) {
  for (const Segment& segment : model.segments) {
    if (is_broken(segment)) continue;
    const double radius = drawn_radius(model, segment);
    for (const int vertex : segment.vertex) visit(state.x[vertex], radius);
  }
}

// large enough to be seen beside the rod that it hangs on
double bob_radius(const Model& model, int body) {
  double radius = 0;
  for (const Tie& tie : model.ties)
    if (tie.body == body) radius = std::max(radius, 2.5 * model.vertices[tie.vertex].radius);
  return radius;
}

constexpr double largest_share = 4;  // of obstacles over rods, beyond which one would not see the rods any more

// bobs, and obstacles that do not dwarf the rods
void visit_bodies(const Model& model, const State& state, const BallVisitor& visit) {
  Bounds rods;
  visit_rods(model, state, [&](const Vec3d& center, double radius) { rods.include(center, radius); });
  for (int body = 0; body < int(model.bodies.size()); ++body) {
    const Shape shape = placed_shape(model, state, body);
    Bounds around;
    const BallVisitor include = [&](const Vec3d& center, double radius) { around.include(center, radius); };
    std::visit(VisitShape{include}, shape);
    const bool dwarfs = !rods.empty() && !around.empty() && around.radius() > largest_share * rods.radius();
    if (!(model.bodies[body].is_obstacle && dwarfs)) std::visit(VisitShape{visit}, shape);
  }
}

// a circle of the radius across t reaches down by radius sqrt(1 - t_z²)
double lowest_point(const Model& model, const State& state, const Segment& segment) {
  const Vec3d &x0 = state.x[segment.vertex[0]], &x1 = state.x[segment.vertex[1]];
  const double length = norm(x1 - x0);
  const double slope = length > 0 ? (x1.z - x0.z) / length : 0;
  return std::min(x0.z, x1.z) - drawn_radius(model, segment) * std::sqrt(std::max(0.0, 1 - slope * slope));
}

}  // namespace

Shape placed_shape(const Model& model, const State& state, int body) {
  const Body& b = model.bodies[body];
  if (b.kind == BodyKind::dynamic && std::holds_alternative<std::monostate>(b.shape))
    return Sphere{state.body_x[body], bob_radius(model, body)};
  return std::visit(Place{{state.body_x[body], state.body_q[body]}}, b.shape);
}

void visit_balls(const Model& model, const State& state, const BallVisitor& visit) {
  visit_rods(model, state, visit);
  visit_bodies(model, state, visit);
}

Bounds bounds_of(const Model& model, std::span<const State> states) {
  Bounds bounds;
  for (const State& state : states)
    visit_balls(model, state, [&](const Vec3d& center, double radius) { bounds.include(center, radius); });
  return bounds;
}

double lowest_point(const Model& model, std::span<const State> states) {
  double lowest = forever;
  for (const State& state : states) {
    for (const Segment& segment : model.segments)
      if (!is_broken(segment)) lowest = std::min(lowest, lowest_point(model, state, segment));
    visit_bodies(model, state,
                 [&](const Vec3d& center, double radius) { lowest = std::min(lowest, center.z - radius); });
  }
  return lowest;
}

}  // namespace tendril::render
