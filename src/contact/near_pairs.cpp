#include "contact/near_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/closest.h"

namespace tendril::contact {
namespace {

// across both directions; across the first alone when they are parallel
Vec3d square_to(const Vec3d& u, const Vec3d& v) {
  const Vec3d across = cross(u, v);
  const double size = norm(u) * norm(v);
  if (norm(across) > 1e-12 * size) return normalized(across);
  return norm(u) > 0 ? any_perpendicular(normalized(u)) : Vec3d{0, 0, 1};
}

// of the lines through the core along which a capsule may leave it
std::vector<Vec3d> exits(const Solid& solid, const Vec3d& a0, const Vec3d& a1) {
  const Vec3d along = a1 - a0;
  switch (solid.core) {
    case Solid::Core::point:
      return {square_to(along, solid.p[0] - 0.5 * (a0 + a1))};
    case Solid::Core::segment:
      return {square_to(along, solid.p[1] - solid.p[0])};
    case Solid::Core::triangle:
      return {square_to(solid.p[1] - solid.p[0], solid.p[2] - solid.p[0])};
    case Solid::Core::half_space:
      return {solid.p[1]};
    case Solid::Core::cylinder: {
      const Vec3d axis = normalized(solid.p[1] - solid.p[0]), middle = 0.5 * (a0 + a1) - solid.p[0];
      const Vec3d outward = middle - dot(middle, axis) * axis;
      const double far = norm(outward);
      return {axis, square_to(axis, along), far > 1e-12 * solid.breadth.x ? outward / far : square_to(axis, along)};
    }
    case Solid::Core::box:
      break;
  }
  return {rotate(solid.rotation, Vec3d{1, 0, 0}), rotate(solid.rotation, Vec3d{0, 1, 0}),
          rotate(solid.rotation, Vec3d{0, 0, 1})};
}

NearPair measured(const Pair& pair) {
  NearPair near;
  near.a = pair.a, near.b = pair.b, near.body_a = pair.body_a, near.body = pair.body, near.reach = pair.barrier.reach;
  return near;
}

NearPair between_segments(const Pair& pair, std::span<const Vec3d> x) {
  const Vec3d &a0 = x[pair.vertex[0]], &a1 = x[pair.vertex[1]], &b0 = x[pair.vertex[2]], &b1 = x[pair.vertex[3]];
  const Nearest nearest = nearest_points(a0, a1, b0, b1);
  NearPair near = measured(pair);
  near.gap = nearest.distance - pair.radius;
  near.normal = nearest.distance > 0 ? nearest.normal : square_to(a1 - a0, b1 - b0);
  near.s = nearest.s, near.t = nearest.t;
  return near;
}

// `ends` are those of a's core
NearPair to_solid(const Pair& pair, const Solid& solid, const Pose& pose, const std::array<Vec3d, 2>& ends) {
  const Quatd back = conjugate(pose.q);
  const Vec3d a0 = rotate(back, ends[0] - pose.x), a1 = rotate(back, ends[1] - pose.x);
  const NearestToSolid nearest = nearest_points(solid, a0, a1);
  NearPair near = measured(pair);
  near.gap = nearest.distance - pair.radius;
  near.normal = nearest.normal;
  near.s = nearest.s;
  if (nearest.distance == 0) {
    const WayOut out = way_out(solid, a0, a1, pair.radius - solid.radius);
    near.normal = out.normal, near.gap = -out.depth;
  }
  near.normal = rotate(pose.q, near.normal);
  return near;
}

}  // namespace

WayOut way_out(const Solid& solid, const Vec3d& a0, const Vec3d& a1, double radius) {
  WayOut best{{}, Bounds::infinity};
  for (const Vec3d& line : exits(solid, a0, a1))
    for (const Vec3d& normal : {line, -line}) {
      const double depth = support(solid, normal) + radius - std::min(dot(normal, a0), dot(normal, a1));
      if (depth < best.depth) best = {normal, depth};
    }
  return best;
}

NearPairs::NearPairs(const Model& model, const State& start, const ContactOptions& options) {
  candidates_.reset(model, start, options);
}

std::array<Vec3d, 2> NearPairs::ends_of_a(const Pair& pair, std::span<const Vec3d> x,
                                          std::span<const Pose> bodies) const {
  if (pair.body_a < 0) return {x[pair.vertex[0]], x[pair.vertex[1]]};
  const Solid& edge = candidates_.edges()[pair.a];
  const Pose& pose = bodies[pair.body_a];
  return {pose.x + rotate(pose.q, edge.p[0]), pose.x + rotate(pose.q, edge.p[1])};
}

const std::vector<NearPair>& NearPairs::find(std::span<const Vec3d> x, std::span<const Pose> bodies) {
  std::vector<Bounds> solid_boxes;
  for (const Solid& solid : candidates_.solids()) solid_boxes.push_back(bounds(solid, bodies[solid.body]));
  const std::vector<Vec3d> still(x.size());
  if (!candidates_.cover(x, still, solid_boxes, nullptr)) {
    candidates_.search(x, still, solid_boxes, 1, alone_);
    pairs_.clear();
    for (std::size_t p = 0; p < candidates_.pair_count(); ++p) pairs_.push_back(candidates_.pair(p));
  }
  near_.clear();
  for (const Pair& pair : pairs_) {
    const NearPair near =
        pair.with_solid() ? to_solid(pair, candidates_.solids()[pair.b], bodies[pair.body], ends_of_a(pair, x, bodies))
                          : between_segments(pair, x);
    if (near.gap < near.reach) near_.push_back(near);
  }
  return near_;
}

const std::vector<NearPair>& NearPairs::find(const State& state) {
  std::vector<Pose> bodies;
  for (std::size_t b = 0; b < state.body_x.size(); ++b) bodies.push_back({state.body_x[b], state.body_q[b]});
  return find(state.x, bodies);
}

}  // namespace tendril::contact
