#include "contact/leg_check.h"

#include <algorithm>
#include <limits>

#include "contact/body_region.h"
#include "contact/ccd.h"
#include "contact/closest.h"

namespace tendril {
namespace {

// safe_fraction leaves a hundredth of the gap, so this many times end at the last digits
constexpr int most_rounds = 8, most_steps = 2000;

// goes as far as it is safe, looks again from there, until the end or until there is no way on
template <class SafeFraction, class Advance>
bool reaches_end(const SafeFraction& safe_fraction, const Advance& advance) {
  for (int round = 0; round < most_rounds; ++round) {
    const double fraction = safe_fraction();
    if (fraction >= 1) return true;
    if (fraction <= 0) return false;
    advance(fraction);
  }
  return false;
}

void advance_start(MovingSegment& a, double fraction) {
  for (int k = 0; k < 2; ++k) a.x0[k] += fraction * (a.x1[k] - a.x0[k]);
}

double least_along(const Vec3d& n, const Vec3d (&x)[2], const Vec3d& origin) {
  return std::min(dot(n, x[0] - origin), dot(n, x[1] - origin));
}

// in a frame whose origin is at `centre`
Solid seen_from(Solid solid, const Vec3d& centre) {
  const int points = solid.core == Solid::Core::half_space ? 1 : 3;
  for (int k = 0; k < points; ++k) solid.p[k] -= centre;
  return solid;
}

// how far its points leave the straight way while it turns about its origin, see BodyPath
double bulge_of(const Solid& solid, const Pose& from, const Pose& to) {
  if (from.q == to.q) return 0;
  if (solid.core == Solid::Core::half_space) return std::numeric_limits<double>::infinity();
  const double size =
      std::max({norm(solid.p[0]), norm(solid.p[1]), norm(solid.p[2])}) + norm(solid.breadth) + solid.radius;
  const double angle = angle_between(from.q, to.q);
  return angle * angle * size / 8;
}

Vec3d nearest_normal(const Vec3d (&x)[2], const Solid& solid, const Pose& pose) {
  const auto seen = [&](int k) { return rotate(conjugate(pose.q), x[k] - pose.x); };
  return rotate(pose.q, steady_nearest_points(solid, seen(0), seen(1), 0).normal);
}

// a body on a leg: its centre goes straight and it turns at a constant rate
struct MovingBody {
  Pose from, to;
  const BodyPath& path;

  MovingBody(int body, const Solids& solids, const Leg& leg)
      : from(leg.body_from[body]), to(leg.body_to[body]), path(solids.paths[body]) {}

  Pose at(double fraction) const {
    const Vec3d start = from.x + rotate(from.q, path.centre), end = to.x + rotate(to.q, path.centre);
    const Quatd q = pose_between(from, to, fraction).q;
    return {start + fraction * (end - start) - rotate(q, path.centre), q};
  }
  double angle() const { return angle_between(from.q, to.q); }
  double bulge() const { return angle() * angle() * path.size / 8; }  // see BodyPath
  double speed(double size) const {                                   // of any point within `size` of its centre
    return norm(to.x + rotate(to.q, path.centre) - from.x - rotate(from.q, path.centre)) + angle() * size;
  }
};

// First along the normal, as for rods. Else from instant to instant: the gap closes at most as fast as the two move.
bool edge_keeps_apart(const Pair& pair, const Solids& solids, const Leg& leg) {
  const Solid &edge = solids.edges[pair.a], &solid = solids.solids[pair.b];
  const MovingBody a(pair.body_a, solids, leg), b(pair.body, solids, leg);
  const auto lead = [&](const Pose& at_a, const Pose& at_b) {
    const double low = support(edge, rotate(conjugate(at_a.q), -pair.normal));
    const double high = support(solid, rotate(conjugate(at_b.q), pair.normal));
    return dot(pair.normal, at_a.x - at_b.x) - low - high;
  };
  const double before = lead(a.from, b.from), after = lead(a.to, b.to);
  if (before > 0 && after > room_to_turn(a.bulge() + b.bulge(), before)) return true;

  const bool endless = solid.core == Solid::Core::half_space;
  const double far = norm(a.from.x - b.from.x) + norm(a.to.x - b.to.x) + a.path.size;
  const double speed = a.speed(a.path.size) + b.speed(endless ? far : b.path.size);
  double fraction = 0, first = 0;
  for (int step = 0; step < most_steps; ++step) {
    const Pose at_a = a.at(fraction), at_b = b.at(fraction);
    const auto seen = [&](int k) { return rotate(conjugate(at_b.q), at_a.x + rotate(at_a.q, edge.p[k]) - at_b.x); };
    const double gap = steady_nearest_points(solid, seen(0), seen(1), 0).distance - edge.radius - solid.radius;
    if (step == 0) first = gap;
    if (gap <= 1e-3 * first) return false;
    if ((1 - fraction) * speed < gap) return true;
    fraction += gap / speed;
  }
  return false;
}

}  // namespace

bool keeps_apart(const Pair& pair, const Solids& solids, const Leg& leg) {
  if (pair.body_a >= 0) return edge_keeps_apart(pair, solids, leg);
  const auto way = [&](int i, int j) { return MovingSegment{{leg.from[i], leg.from[j]}, {leg.to[i], leg.to[j]}}; };
  const MovingSegment a = way(pair.vertex[0], pair.vertex[1]);
  if (!pair.with_solid()) return stay_apart(a, way(pair.vertex[2], pair.vertex[3]), pair.radius, pair.normal);
  const Solid& solid = solids.solids[pair.b];
  const BodyPath& path = solids.paths[pair.body];
  const double radius = pair.radius - solid.radius;
  const Pose &from = leg.body_from[pair.body], &to = leg.body_to[pair.body];
  if (!path.moves && !path.is_free) return stay_apart(a, solid, from, from, radius, pair.normal);
  const Vec3d& centre = path.centre;  // goes straight
  return stay_apart(a, seen_from(solid, centre), {from.x + rotate(from.q, centre), from.q},
                    {to.x + rotate(to.q, centre), to.q}, radius, pair.normal);
}

// Along a fixed normal the lead of a over b is the least of four linear functions of time: concave, so that it is above
// zero on the whole leg when it is at both ends. Else along one that turns, see tilting_planes.cpp.
bool stay_apart(const MovingSegment& a, const MovingSegment& b, double radius_sum, const Vec3d& normal) {
  const auto lead = [&](const Vec3d& n, const Vec3d(&xa)[2], const Vec3d(&xb)[2]) {
    return least_along(n, xa, xb[0]) + std::min(0.0, dot(n, xb[0] - xb[1])) - radius_sum;
  };
  const double before = lead(normal, a.x0, b.x0);
  if (before > 0 && lead(normal, a.x1, b.x1) > 0) return true;
  const Vec3d last = nearest_points(a.x1[0], a.x1[1], b.x1[0], b.x1[1]).normal;
  const auto middle = [&](int i, int j) { return dot(normal, a.x1[i] - b.x1[j]) + dot(last, a.x0[i] - b.x0[j]); };
  const double least = std::min({middle(0, 0), middle(0, 1), middle(1, 0), middle(1, 1)});
  if (before > 0 && least > 2 * radius_sum && lead(last, a.x1, b.x1) > 0) return true;

  MovingSegment rest_a = a, rest_b = b;
  return reaches_end([&] { return safe_fraction(rest_a, rest_b, radius_sum, 0); },
                     [&](double fraction) { advance_start(rest_a, fraction), advance_start(rest_b, fraction); });
}

bool stay_apart(const MovingSegment& a, const Solid& solid, const Pose& from, const Pose& to, double radius,
                const Vec3d& normal) {
  const auto lead = [&](const Vec3d& n, const Vec3d& x, const Pose& pose) {
    return dot(n, x - pose.x) - support(solid, rotate(conjugate(pose.q), n)) - radius;
  };
  const auto least = [](double x, double y) { return std::min(x, y); };
  const double before = least(lead(normal, a.x0[0], from), lead(normal, a.x0[1], from));
  const double after = least(lead(normal, a.x1[0], to), lead(normal, a.x1[1], to));
  const double bulge = bulge_of(solid, from, to);
  if (before > 0 && after > room_to_turn(bulge, before)) return true;
  const Vec3d last = nearest_normal(a.x1, solid, to);
  const auto middle = [&](int i) { return lead(normal, a.x1[i], to) + lead(last, a.x0[i], from); };
  if (before > 0 && least(middle(0), middle(1)) > 4 * bulge &&
      least(lead(last, a.x1[0], to), lead(last, a.x1[1], to)) > 0)
    return true;

  MovingSegment rest = a;
  Pose start = from;
  return reaches_end([&] { return safe_fraction(rest, solid, start, to, radius, 0); },
                     [&](double fraction) {
                       advance_start(rest, fraction);
                       start = pose_between(start, to, fraction);
                     });
}

}  // namespace tendril
