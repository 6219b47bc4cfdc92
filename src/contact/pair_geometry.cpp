#include <algorithm>

#include "contact/candidates.h"
#include "contact/closest.h"
#include "contact/contact.h"
#include "math/quat.h"
#include "rod/energy.h"

namespace tendril {

// How the two of a pair lie to each other, and what follows from it for the forces.

namespace {

// how much farther than the true one the distance of the steady points may be: a share of the gap, so that the barrier
// feels it close, and at most of the barrier's reach
constexpr double steadiness = 0.3;
double slack_of(double gap, double reach) { return steadiness * std::clamp(gap, 0.0, reach); }

// beyond so many reaches nothing pushes soon, and the true points will do
constexpr double far = 2;

}  // namespace

void Contact::evaluate(std::size_t p, std::span<const Vec3d> x, std::span<const Pose> poses) {
  Pair& pair = pairs_[p];
  if (pair.with_solid()) return evaluate_solid(p, x, poses);
  const Vec3d &a0 = x[pair.vertex[0]], &a1 = x[pair.vertex[1]], &b0 = x[pair.vertex[2]], &b1 = x[pair.vertex[3]];
  const closest::Quadratic f(a0, a1, b0, b1);
  const Nearest true_points = closest::nearest(f);
  const double slack = slack_of(true_points.distance - pair.radius, pair.barrier.reach);
  Nearest nearest = true_points;
  Clearance& clearance = clearances_[p];
  const auto measure = [&] {
    const Vec3d& n = nearest.normal;
    const double a[2] = {dot(n, a0 - b0), dot(n, a1 - b0)}, b[2] = {0, dot(n, b1 - b0)};
    const double near_a = std::min(a[0], a[1]), near_b = std::max(b[0], b[1]);
    clearance.between = near_a - near_b - pair.radius;
    clearance.beyond[0] = a[0] - near_a, clearance.beyond[1] = a[1] - near_a;
    clearance.beyond[2] = near_b - b[0], clearance.beyond[3] = near_b - b[1];
  };
  const bool is_near = true_points.distance - pair.radius < far * pair.barrier.reach;
  if (is_near) nearest = closest::steady(f, true_points.distance, slack);
  measure();
  if (is_near && clearance.between < 0.5 * (nearest.distance - pair.radius)) nearest = true_points, measure();
  pair.normal = nearest.normal;
  pair.gap = nearest.distance - pair.radius;
  pair.weight[0] = 1 - nearest.s, pair.weight[1] = nearest.s;
  pair.weight[2] = nearest.t - 1, pair.weight[3] = -nearest.t;
  if (pair.gap < pair.barrier.reach) pair.turning = turning(f, nearest, slack);
}

void Contact::evaluate_solid(std::size_t p, std::span<const Vec3d> x, std::span<const Pose> poses) {
  Pair& pair = pairs_[p];
  const Solid& solid = candidates_->solids()[pair.b];
  const Pose& pose = poses[pair.body];
  const Quatd back = conjugate(pose.q);
  const Solid* edge = pair.body_a >= 0 ? &candidates_->edges()[pair.a] : nullptr;
  const auto end = [&](int k) {
    const Pose& of_a = poses[std::max(pair.body_a, 0)];
    return (edge ? of_a.x + rotate(of_a.q, edge->p[k]) : x[pair.vertex[k]]) - pose.x;
  };
  const Vec3d a0 = end(0), a1 = end(1);
  const Vec3d in_body[2] = {rotate(back, a0), rotate(back, a1)};
  NearestToSolid nearest;
  Clearance& clearance = clearances_[p];
  const auto measure = [&](double slack) {
    nearest = steady_nearest_points(solid, in_body[0], in_body[1], slack);
    pair.normal = rotate(pose.q, nearest.normal);
    pair.gap = nearest.distance - pair.radius;
    const double a[2] = {dot(pair.normal, a0), dot(pair.normal, a1)}, near_a = std::min(a[0], a[1]);
    clearance.between = near_a - (pair.radius - solid.radius) - support(solid, nearest.normal);
    if (!edge) clearance.beyond[0] = a[0] - near_a, clearance.beyond[1] = a[1] - near_a;
  };
  measure(0);
  const double slack = slack_of(pair.gap, pair.barrier.reach);
  if (pair.gap < far * pair.barrier.reach) measure(slack);
  if (clearance.between < 0.5 * pair.gap) measure(0);  // the true points separate best
  pair.weight[0] = 1 - nearest.s, pair.weight[1] = nearest.s;
  pair.core = nearest.point, pair.point = nearest.point + solid.radius * nearest.normal;
  if (!edge && pair.gap < pair.barrier.reach) pair.turning = turning(solid, in_body[0], in_body[1], nearest, slack);
  if (!edge) return;
  const Quatd into_a = conjugate(poses[pair.body_a].q);
  pair.core_a = edge->p[0] + nearest.s * (edge->p[1] - edge->p[0]);
  pair.point_a = pair.core_a - edge->radius * rotate(into_a, pair.normal);
}

// how far a body takes one of its points on this leg
Vec3d Contact::carried(int body, const Vec3d& point) const {
  if (body < 0 || !(bodies_[body].moves || bodies_[body].is_free)) return {};
  const Pose &from = pose_[body], &to = next_pose_[body];
  return to.x + rotate(to.q, point) - from.x - rotate(from.q, point);
}

// The arm from the axis to the surface is ∓ r n, and axis x arm is how far its end goes; what b's goes counts against.
Contact::Rolling Contact::rolling(const Pair& pair, int side) const {
  const bool is_segment = side == 0 ? pair.body_a < 0 : !pair.with_solid();
  const double radius = is_segment && !frames_.empty() ? candidates_->rolling_radius(side == 0 ? pair.a : pair.b) : 0;
  if (radius == 0) return {};
  const Vec3d axis = normalized(corner_[pair.vertex[2 * side + 1]] - corner_[pair.vertex[2 * side]]);
  return {axis, -radius * cross(axis, pair.normal)};
}

void Contact::add_forces(Forces& forces) const {
  const auto add = [&](int body, const Vec3d& point, const Vec3d& force) {
    if (body < 0 || !bodies_[body].is_free) return;
    forces.body_force[body] += force;
    forces.body_moment[body] += cross(rotate(pose_[body].q, point), force);
  };
  for (const Pair& pair : pairs_) {
    if (pair.gap >= pair.barrier.reach) continue;
    const Vec3d f = force_of(pair, {}).force;
    for (int side = 0; side < 2; ++side)
      if (const Rolling roll = rolling(pair, side); !(roll.way == Vec3d{}))
        forces.moment[side == 0 ? pair.a : pair.b] += dot(roll.way, f) * roll.axis;
    for (int k = 0; k < 4; ++k)
      if (pair.vertex[k] >= 0) forces.force[pair.vertex[k]] += pair.weight[k] * f;
    add(pair.body_a, pair.point_a, f), add(pair.body, pair.point, -f);
  }
}

}  // namespace tendril
