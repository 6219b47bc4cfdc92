#pragma once

#include <functional>
#include <span>

#include "math/bounds.h"
#include "rod/model.h"
#include "rod/state.h"

namespace tendril::render {

// a broken segment has lost its stiffness and is not drawn
inline bool is_broken(const Segment& segment) { return segment.EA == 0; }

// [m]; a segment without a section is drawn as its collision tube
inline double drawn_radius(const Model& model, const Segment& segment) {
  return segment.radius > 0 ? segment.radius : model.vertices[segment.vertex[0]].radius;
}

// a shape of a body as it stands in the world; a bob without a shape becomes a small ball
Shape placed_shape(const Model& model, const State& state, int body);

// balls whose union covers what a picture should contain: rods, bobs, and obstacles that do not dwarf the rods
using BallVisitor = std::function<void(const Vec3d& center, double radius)>;
void visit_balls(const Model& model, const State& state, const BallVisitor& visit);

Bounds bounds_of(const Model& model, std::span<const State> states);

// z of the lowest point of all that visit_balls covers, rods with flat ends [m]: where the ground of a movie lies
double lowest_point(const Model& model, std::span<const State> states);

}  // namespace tendril::render
