#include <algorithm>
#include <array>

#include "contact/candidates.h"
#include "contact/ccd.h"
#include "contact/closest.h"
#include "contact/contact.h"
#include "math/quat.h"
#include "rod/energy.h"

namespace tendril::contact {

// How the two of a pair lie to each other, and what follows from it for the forces.

namespace {

// beyond so many reaches nothing pushes soon, and the true points will do
constexpr double far = 2;

}  // namespace

void Contact::measure(Pair& pair, std::span<const Vec3d> x, std::span<const Pose> poses) const {
  if (pair.with_solid()) return measure_solid(pair, x, poses);
  const closest::Quadratic f(x[pair.vertex[0]], x[pair.vertex[1]], x[pair.vertex[2]], x[pair.vertex[3]]);
  Steady at{closest::nearest(f)};
  pair.true_gap = at.gap = at.distance - pair.radius;
  if (pair.true_gap < far * pair.barrier.reach) at = closest::steady(f, pair.radius);
  pair.normal = at.normal;
  pair.gap = at.gap, pair.slope = at.slope, pair.apart = at.distance - pair.radius;
  pair.weight[0] = 1 - at.s, pair.weight[1] = at.s;
  pair.weight[2] = at.t - 1, pair.weight[3] = -at.t;
}

// the ends of a
std::pair<Vec3d, Vec3d> Contact::in_frame_of_solid(const Pair& pair, std::span<const Vec3d> x,
                                                   std::span<const Pose> poses) const {
  const Pose& of_b = poses[pair.body];
  const auto seen = [&](const Vec3d& p) { return rotate(conjugate(of_b.q), p - of_b.x); };
  if (pair.body_a < 0) return {seen(x[pair.vertex[0]]), seen(x[pair.vertex[1]])};
  const Solid& edge = candidates_->edges()[pair.a];
  const Pose& of_a = poses[pair.body_a];
  return {seen(of_a.x + rotate(of_a.q, edge.p[0])), seen(of_a.x + rotate(of_a.q, edge.p[1]))};
}

void Contact::measure_solid(Pair& pair, std::span<const Vec3d> x, std::span<const Pose> poses) const {
  const Solid& solid = candidates_->solids()[pair.b];
  const auto [a0, a1] = in_frame_of_solid(pair, x, poses);
  SteadyToSolid at{nearest_points(solid, a0, a1)};
  pair.true_gap = at.gap = at.distance - pair.radius;
  if (pair.true_gap < far * pair.barrier.reach) at = steady_nearest_points(solid, a0, a1, pair.radius);
  pair.normal = rotate(poses[pair.body].q, at.normal);
  pair.gap = at.gap, pair.slope = at.slope, pair.apart = at.distance - pair.radius;
  pair.weight[0] = 1 - at.s, pair.weight[1] = at.s;
  pair.core = at.point, pair.point = at.point + solid.radius * at.normal;
  if (pair.body_a < 0) return;
  const Solid& edge = candidates_->edges()[pair.a];
  pair.core_a = edge.p[0] + at.s * (edge.p[1] - edge.p[0]);
  pair.point_a = pair.core_a - edge.radius * rotate(conjugate(poses[pair.body_a].q), pair.normal);
}

Pair Contact::pair_at(const Pair& pair, const State& there) const {
  Pair out = pair;
  measure(out, there.x, next_pose_);
  return out;
}

Pair Contact::on_its_way(const Pair& pair, const State& there, double fraction) const {
  Pair out = pair;
  std::array<Vec3d, 4> x;
  for (int k = 0; k < 4; ++k)
    if (const int i = pair.vertex[k]; i >= 0) x[k] = waypoint_[i] + fraction * (there.x[i] - waypoint_[i]);
  std::array<Pose, 2> poses;
  if (pair.body_a >= 0) poses[0] = pose_between(pose_[pair.body_a], next_pose_[pair.body_a], fraction), out.body_a = 0;
  if (pair.with_solid()) poses[1] = pose_between(pose_[pair.body], next_pose_[pair.body], fraction), out.body = 1;
  for (int k = 0; k < 4; ++k) out.vertex[k] = k;
  measure(out, x, poses);
  std::copy(pair.vertex, pair.vertex + 4, out.vertex), out.body_a = pair.body_a, out.body = pair.body;
  out.gap = gap_along(out, waypoint_, pose_);
  return out;
}

double Contact::gap_along(const Pair& pair, std::span<const Vec3d> x, std::span<const Pose> poses) const {
  const auto place = [&](int body, const Vec3d& point) { return poses[body].x + rotate(poses[body].q, point); };
  Vec3d apart = pair.relative([&](int i) { return x[i]; });
  if (pair.body_a >= 0) apart += place(pair.body_a, pair.core_a);
  if (pair.with_solid()) apart -= place(pair.body, pair.core);
  return pair.slope * (dot(pair.normal, apart) - pair.radius);
}

double Contact::gap_at(const Pair& pair, std::span<const Vec3d> x, std::span<const Pose> poses) const {
  if (!pair.with_solid()) {
    const closest::Quadratic f(x[pair.vertex[0]], x[pair.vertex[1]], x[pair.vertex[2]], x[pair.vertex[3]]);
    return closest::steady(f, pair.radius).gap;
  }
  const auto [a0, a1] = in_frame_of_solid(pair, x, poses);
  return steady_nearest_points(candidates_->solids()[pair.b], a0, a1, pair.radius).gap;
}

GapCurvature Contact::curvature(const Pair& pair) const {
  if (!pair.with_solid()) {
    const closest::Quadratic f(waypoint_[pair.vertex[0]], waypoint_[pair.vertex[1]], waypoint_[pair.vertex[2]],
                               waypoint_[pair.vertex[3]]);
    return gap_curvature(f, closest::steady(f, pair.radius));
  }
  const auto [a0, a1] = in_frame_of_solid(pair, waypoint_, pose_);
  GapCurvature out = gap_curvature(candidates_->solids()[pair.b], a0, a1, pair.radius);
  const Mat3d R = rotation_matrix(pose_[pair.body].q);
  out.slide = R * out.slide * transpose(R);
  out.a = R * out.a, out.b = R * out.b;
  return out;
}

// of a capsule its axis; the faces of others do not bend the gap, and their edges are those of their own pairs
Vec3d Contact::edge(const Pair& pair, int side) const {
  const Solid& solid = side == 0 ? candidates_->edges()[pair.a] : candidates_->solids()[pair.b];
  return solid.core == Solid::Core::segment ? solid.p[1] - solid.p[0] : Vec3d{};
}

// how far a body takes one of its points on this substep
Vec3d Contact::carried(int body, const Vec3d& point) const {
  if (body < 0 || !(bodies_[body].moves || bodies_[body].is_free)) return {};
  const Pose &from = pose_[body], &to = next_pose_[body];
  return to.x + rotate(to.q, point) - from.x - rotate(from.q, point);
}

Vec3d Contact::driven(const Pair& pair) const {
  const auto way = [&](int body, const Vec3d& point) {
    return body >= 0 && !bodies_[body].is_free ? carried(body, point) : Vec3d{};
  };
  return pair.with_solid() ? way(pair.body, pair.point) - way(pair.body_a, pair.point_a) : Vec3d{};
}

bool Contact::turns(const Pair& pair, int side) const {
  const bool is_segment = side == 0 ? pair.body_a < 0 : !pair.with_solid();
  return is_segment && !frames_.empty() && candidates_->rolling_radius(side == 0 ? pair.a : pair.b) > 0;
}

double Contact::rolling_radius(const Pair& pair) const {
  return turns(pair, 0) ? candidates_->rolling_radius(pair.a) : 0;
}

// Forces at two points that are apart would turn what is free: where both sides can move, the arms of their forces end
// at one point, in the middle between two rods, on the surface of a body. What b's goes counts against, so that its arm
// has a's sign. An obstacle takes any moment: a rod rolls on it with the radius of its surface, and what pulls along
// the rod acts at its centreline, where tension does, so that a rope slips around a drum by exp(mu theta), thick or
// thin.
Mat3d Contact::lever(const Pair& pair, int side) const {
  if (!turns(pair, side)) return {};
  const double radius = candidates_->rolling_radius(side == 0 ? pair.a : pair.b);
  if (pair.with_solid() && !bodies_[pair.body].is_free) {
    const Vec3d axis = normalized(waypoint_[pair.vertex[1]] - waypoint_[pair.vertex[0]]);
    return outer(cross(axis, -radius * pair.normal), axis);
  }
  return skew((radius + (pair.with_solid() ? 1 : 0.5) * pair.apart) * pair.normal);
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
      if (turns(pair, side)) forces.moment[side == 0 ? pair.a : pair.b] += transpose(lever(pair, side)) * f;
    for (int k = 0; k < 4; ++k)
      if (pair.vertex[k] >= 0) forces.force[pair.vertex[k]] += pair.weight[k] * f;
    add(pair.body_a, pair.point_a, f), add(pair.body, pair.point, -f);
  }
}

}  // namespace tendril::contact
