#include "solvers/stable/regions/plane_gap.h"

#include <algorithm>

#include "contact/closest.h"
#include "contact/solid.h"
#include "math/quat.h"

namespace tendril::solvers::stable {

namespace {

// What is left of a clearance when both sides have come as near as they may in a substep: a tenth; nearly all of it
// once it is a tiny part of the barrier's reach, where the barrier is stiff enough for anything.
double kept_of(double clearance, double reach) {
  return std::max(0.1 * clearance, std::min(0.9 * clearance, 1e-4 * reach));
}

// where the two ends of a are, seen from `origin`
struct Ends {
  Vec3d at[2];
};
Ends ends_of_a(const Contact& contact, const Pair& pair, const Vec3d& origin) {
  if (pair.body_a < 0) return {{contact.waypoint(pair.vertex[0]) - origin, contact.waypoint(pair.vertex[1]) - origin}};
  const Solid& edge = contact.edges()[pair.a];
  const Pose& pose = contact.body_waypoint(pair.body_a);
  return {{pose.x + rotate(pose.q, edge.p[0]) - origin, pose.x + rotate(pose.q, edge.p[1]) - origin}};
}

PlaneGap between_segments(const Contact& contact, const Pair& pair, const Vec3d& n) {
  const Vec3d& b0 = contact.waypoint(pair.vertex[2]);
  const Vec3d &a0 = contact.waypoint(pair.vertex[0]), &a1 = contact.waypoint(pair.vertex[1]);
  const double a[2] = {dot(n, a0 - b0), dot(n, a1 - b0)}, b[2] = {0, dot(n, contact.waypoint(pair.vertex[3]) - b0)};
  const double near_a = std::min(a[0], a[1]), near_b = std::max(b[0], b[1]);
  return {n, near_a - near_b - pair.radius, {a[0] - near_a, a[1] - near_a, near_b - b[0], near_b - b[1]}};
}

PlaneGap before_solid(const Contact& contact, const Pair& pair, const Vec3d& n) {
  const Solid& solid = contact.solids()[pair.b];
  const Pose& pose = contact.body_waypoint(pair.body);
  const Ends ends = ends_of_a(contact, pair, pose.x);
  const double a[2] = {dot(n, ends.at[0]), dot(n, ends.at[1])}, near_a = std::min(a[0], a[1]);
  const double top = support(solid, rotate(conjugate(pose.q), n));
  PlaneGap out{n, near_a - (pair.radius - solid.radius) - top, {}};
  if (pair.body_a < 0) out.beyond[0] = a[0] - near_a, out.beyond[1] = a[1] - near_a;
  return out;
}

PlaneGap along(const Contact& contact, const Pair& pair, const Vec3d& n) {
  return pair.with_solid() ? before_solid(contact, pair, n) : between_segments(contact, pair, n);
}

// of the true nearest points
Vec3d true_normal(const Contact& contact, const Pair& pair) {
  if (!pair.with_solid()) {
    const auto x = [&](int k) { return contact.waypoint(pair.vertex[k]); };
    return nearest_points(x(0), x(1), x(2), x(3)).normal;
  }
  const Pose& pose = contact.body_waypoint(pair.body);
  const Ends ends = ends_of_a(contact, pair, pose.x);
  const Quatd back = conjugate(pose.q);
  const Solid& solid = contact.solids()[pair.b];
  return rotate(pose.q, nearest_points(solid, rotate(back, ends.at[0]), rotate(back, ends.at[1])).normal);
}

// the plane lies on a driven solid, which is b (1) or a (-1), and goes with it
void go_with(const Contact& contact, int body, const Solid& solid, double sign, const Pair& pair, double share,
             PlaneGap& gap) {
  const Pose &from = contact.body_waypoint(body), &to = contact.body_end_of_substep(body);
  if (solid.core == Solid::Core::half_space) {  // one that turns is met with the normal that it has in the end
    gap.normal = rotate(to.q, solid.p[1]);
    const double floor = dot(gap.normal, to.x + rotate(to.q, solid.p[0]));
    const auto height = [&](int k) {
      if (pair.vertex[k] >= 0) return dot(gap.normal, contact.waypoint(pair.vertex[k])) - pair.radius - floor;
      return -surface(contact.edges()[pair.a], contact.body_waypoint(pair.body_a), -gap.normal) - floor;
    };
    const double heights[2] = {height(0), height(1)};
    gap.between = std::min(heights[0], heights[1]);
    for (int k = 0; k < 2; ++k) gap.beyond[k] = heights[k] - gap.between;
    return;
  }
  const Vec3d outward = sign * gap.normal;
  gap.advance = surface(solid, to, outward) - surface(solid, from, outward) +
                room_to_turn(contact.body_path(body).bulge(share), 0.5 * gap.between);
}

}  // namespace

// The normal of the smooth gap separates nearly as well as the true one; where it does not, the true one takes its
// place.
PlaneGap plane_gap_at_waypoint(const Contact& contact, const Pair& pair) {
  PlaneGap out = along(contact, pair, pair.normal);
  if (out.between < 0.5 * pair.true_gap) out = along(contact, pair, true_normal(contact, pair));
  out.kept = kept_of(out.between, pair.barrier.reach);
  return out;
}

PlaneGap plane_gap_at_end(const Contact& contact, const Pair& pair, double share) {
  PlaneGap out = plane_gap_at_waypoint(contact, pair);
  const auto moves = [&](int body) { return body >= 0 && contact.body_path(body).moves; };
  if (moves(pair.body)) go_with(contact, pair.body, contact.solids()[pair.b], 1, pair, share, out);
  if (moves(pair.body_a)) go_with(contact, pair.body_a, contact.edges()[pair.a], -1, pair, share, out);
  return out;
}

// What both want to move together the plane moves too; of what they want to come nearer beyond that each gets its part
// of the clearance.
double plane_between(double clearance, double motion_a, double motion_b) {
  double together = 0;
  if (motion_a > 0 && motion_b > 0) together = std::min(motion_a, motion_b);
  if (motion_a < 0 && motion_b < 0) together = std::max(motion_a, motion_b);
  const double approach_b = motion_b - together, approach = motion_b - motion_a;
  if (approach < clearance) return together + approach_b + 0.5 * (clearance - approach);
  return together + clearance * approach_b / approach;
}

HalfSpace side_of_plane(const PlaneGap& gap, int k, double plane) {
  const double margin = 0.5 * gap.kept;
  if (k < 2) return {gap.normal, plane + margin - gap.between - gap.beyond[k]};
  return {-gap.normal, margin - plane - gap.beyond[k]};
}

HalfSpace side_of_driven(const PlaneGap& gap, int k) {
  return {k < 2 ? gap.normal : -gap.normal, gap.advance + gap.kept - gap.between - gap.beyond[k]};
}

}  // namespace tendril::solvers::stable
