#pragma once

#include "rod/chain.h"

namespace tendril::contact {

// straight rods of ten segments over one another, each across the one below; rod k lies at height z[k] and is named
// "rod k"
inline Chain stacked_rods(const std::vector<double>& z, double radius = 0.02) {
  Chain c;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const Chain one = make_chain({.segments = 10, .radius = radius});
    const int vertices = int(c.model.vertices.size()), segments = int(c.model.segments.size());
    const Quatd turn = k % 2 == 0 ? Quatd{} : rotation_between({1, 0, 0}, {0, 1, 0});
    for (std::size_t i = 0; i < one.state.x.size(); ++i) {
      c.model.vertices.push_back(one.model.vertices[i]);
      c.state.x.push_back(rotate(turn, one.state.x[i] - Vec3d{0.55, 0, 0}) + Vec3d{0, 0, z[k]});
    }
    for (Segment s : one.model.segments) {
      for (int& i : s.vertex) i += vertices;
      s.rod = int(k);
      c.model.segments.push_back(s);
      c.state.q.push_back(turn * one.state.q[0]);
    }
    for (Bend b : one.model.bends) {
      b.a.index += segments, b.b.index += segments;
      c.model.bends.push_back(b);
    }
    Rod rod = one.model.rods[0];
    rod.name = "rod " + std::to_string(k);
    for (int& i : rod.vertices) i += vertices;
    rod.first_segment = segments;
    c.model.rods.push_back(rod);
  }
  c.state.v.resize(c.state.x.size()), c.state.omega.resize(c.state.q.size());
  return c;
}

inline void add_obstacle(Chain& c, const Shape& shape, const std::string& name) {
  Body body;
  body.shape = shape, body.name = name, body.is_obstacle = true;
  c.model.bodies.push_back(body);
  c.state.body_x.push_back({}), c.state.body_q.push_back({});
  c.state.body_v.push_back({}), c.state.body_omega.push_back({});
}

}  // namespace tendril::contact
