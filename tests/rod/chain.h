#pragma once

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::rod {

// a chain along x made by hand, for tests of what needs a Model and a State only
struct Chain {
  Model model;
  State state;
};

struct ChainOptions {
  int segments = 8;
  double length = 1;                           // [m]
  double EA = 1e3, GA = 8e2;                   // [N]
  double EI1 = 1.0, EI2 = 1.0, GJ = 1.0;       // [N m²]
  double linear_density = 0.5, radius = 0.02;  // [kg/m], [m]
  double damping = 0, internal_damping = 0;    // [1/s], [s]
  bool clamped = false;                        // the first vertex, by hold 0
};

// adds a kinematic body that holds the section at a vertex, with a half bend to each segment in `segments`
inline int add_clamp(Chain& chain, int vertex, const std::vector<int>& segments, int hold) {
  const int body = int(chain.model.bodies.size());
  chain.model.bodies.push_back({});
  chain.model.bodies.back().hold = hold;
  chain.state.body_x.push_back(chain.state.x[vertex]);
  chain.state.body_q.push_back(segments.empty() ? Quatd{} : chain.state.q[segments[0]]);
  chain.state.body_v.push_back({});
  chain.state.body_omega.push_back({});
  Tie tie;
  tie.vertex = vertex, tie.body = body, tie.hold = hold;
  chain.model.ties.push_back(tie);
  for (int s : segments) {
    const Segment& segment = chain.model.segments[s];
    Bend bend;
    bend.a = {s, false}, bend.b = {body, true}, bend.hold = hold;
    bend.length = 0.5 * segment.rest_length;
    bend.EI1 = segment.EI1, bend.EI2 = segment.EI2, bend.GJ = segment.GJ;
    bend.internal_damping = segment.internal_damping;
    chain.model.bends.push_back(bend);
  }
  return body;
}

inline Chain make_chain(const ChainOptions& o) {
  Chain c;
  const double l = o.length / o.segments;
  const Quatd along_x = frame_from_tangent({1, 0, 0}, {0, 1, 0});
  for (int i = 0; i <= o.segments; ++i) {
    const bool end = i == 0 || i == o.segments;
    c.model.vertices.push_back({o.linear_density * l * (end ? 0.5 : 1), o.radius});
    c.state.x.push_back({i * l, 0, 0});
  }
  for (int s = 0; s < o.segments; ++s) {
    Segment segment;
    segment.vertex[0] = s, segment.vertex[1] = s + 1;
    segment.rest_length = l;
    segment.EA = o.EA, segment.GA = o.GA, segment.EI1 = o.EI1, segment.EI2 = o.EI2, segment.GJ = o.GJ;
    segment.linear_density = o.linear_density, segment.radius = o.radius;
    segment.linear_inertia = o.linear_density * o.radius * o.radius * Vec3d{0.25, 0.25, 0.5};
    segment.damping = o.damping, segment.internal_damping = o.internal_damping;
    c.model.segments.push_back(segment);
    c.state.q.push_back(along_x);
  }
  for (int b = 0; b + 1 < o.segments; ++b) {
    Bend bend;
    bend.a = {b, false}, bend.b = {b + 1, false};
    bend.length = l, bend.EI1 = o.EI1, bend.EI2 = o.EI2, bend.GJ = o.GJ, bend.internal_damping = o.internal_damping;
    c.model.bends.push_back(bend);
  }
  Rod rod;
  rod.name = "beam";
  for (int i = 0; i <= o.segments; ++i) rod.vertices.push_back(i);
  rod.segment_count = o.segments;
  c.model.rods.push_back(rod);
  c.state.v.resize(c.state.x.size());
  c.state.omega.resize(c.state.q.size());
  if (o.clamped) {
    c.model.holds.push_back({});
    add_clamp(c, 0, {0}, 0);
  }
  return c;
}

}  // namespace tendril::rod
