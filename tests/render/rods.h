#pragma once

#include <string>

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::render {

// hand-made things to look at
struct Drawing {
  Model model;
  State state;

  int add_vertex(const Vec3d& x, double radius) {
    model.vertices.push_back({1, radius});
    state.x.push_back(x);
    state.v.push_back({});
    return int(state.x.size()) - 1;
  }
  int add_rod(const std::string& name, const Vec3d& color = Rod{}.color) {
    Rod rod;
    rod.name = name;
    rod.color = color;
    model.rods.push_back(rod);
    return int(model.rods.size()) - 1;
  }
  int add_segment(int a, int b, double radius, int rod) {
    Segment segment;
    segment.vertex[0] = a, segment.vertex[1] = b;
    segment.rest_length = norm(state.x[b] - state.x[a]);
    segment.EA = 1;
    segment.radius = radius;
    segment.rod = rod;
    const Vec3d t = normalized(state.x[b] - state.x[a]);
    model.segments.push_back(segment);
    state.q.push_back(frame_from_tangent(t, any_perpendicular(t)));
    state.omega.push_back({});
    return int(model.segments.size()) - 1;
  }
  template <class Curve>
  void add_chain(int segments, double radius, const Vec3d& color, Curve curve) {
    const int rod = add_rod("rod", color);
    int last = add_vertex(curve(0.0), radius);
    for (int k = 1; k <= segments; ++k) {
      const int next = add_vertex(curve(double(k) / segments), radius);
      add_segment(last, next, radius, rod);
      last = next;
    }
  }
  void add_body(const Shape& shape, BodyKind kind = BodyKind::kinematic) {
    Body body;
    body.shape = shape;
    body.kind = kind;
    body.is_obstacle = kind == BodyKind::kinematic;
    model.bodies.push_back(body);
    state.body_x.push_back({});
    state.body_q.push_back({});
  }
};

inline const Vec3d red{0.8, 0.05, 0.05};

// a straight red rod from (-1, 0, 0) to (1, 0, 0)
inline Drawing red_bar(double radius = 0.1) {
  Drawing drawing;
  drawing.add_chain(8, radius, red, [](double t) { return Vec3d{2 * t - 1, 0, 0}; });
  return drawing;
}

}  // namespace tendril::render
