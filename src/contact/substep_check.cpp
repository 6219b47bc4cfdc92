#include "contact/substep_check.h"

#include <algorithm>
#include <limits>

#include "contact/ccd.h"
#include "contact/lead.h"
#include "contact/search_range.h"

namespace tendril::contact {
namespace {

constexpr int most_rounds = 8, most_steps = 2000, most_parts = 4000;

double least_along(const Vec3d& n, const Vec3d (&x)[2], const Vec3d& origin) {
  return std::min(dot(n, x[0] - origin), dot(n, x[1] - origin));
}

// how far points of a solid that turns about its origin leave the straight way, see BodyPath [m]
double bulge_of(const Solid& solid, const Pose& from, const Pose& to) {
  if (is_endless(solid)) return std::numeric_limits<double>::infinity();
  const double farthest = std::max({norm(solid.p[0]), norm(solid.p[1]), norm(solid.p[2])});
  const double angle = angle_between(from.q, to.q);
  return angle * angle * (farthest + norm(solid.breadth) + solid.radius) / 8;
}

// Whether they stay apart from one instant, at which they are along n, to another, at which they are along m. Where the
// normal does not turn so evenly its way is cut in halves.
template <class Two>
bool stay_apart(const Two& two, double t0, const Vec3d& n, double t1, const Vec3d& m, int& parts_left) {
  if (two.middle(n, t0, m, t1) >= 0) return true;
  if (--parts_left < 0) return false;
  const double t = 0.5 * (t0 + t1);
  const Vec3d between = two.nearest_normal(t);
  return two.lead(between, t) > 0 && stay_apart(two, t0, n, t, between, parts_left) &&
         stay_apart(two, t, between, t1, m, parts_left);
}

// First along the normal at the start: one that is not very wrong settles it.
template <class Two>
bool stay_apart(const Two& two, Vec3d normal) {
  if (two.lead(normal, 0) <= 0) normal = two.nearest_normal(0);
  if (two.lead(normal, 0) <= 0) return false;
  const Vec3d last = two.nearest_normal(1);
  int parts_left = most_parts;
  return two.lead(last, 1) > 0 && stay_apart(two, 0, normal, 1, last, parts_left);
}

// goes as far as it is safe, which leaves a hundredth of the gap, and looks again from there
bool reaches_end(MovingSegment a, const Solid& solid, Pose from, const Pose& to, double radius) {
  for (int round = 0; round < most_rounds; ++round) {
    const double fraction = safe_fraction(a, solid, from, to, radius, 0);
    if (fraction >= 1) return true;
    if (fraction <= 0) return false;
    for (int k = 0; k < 2; ++k) a.x0[k] = a.at(k, fraction);
    from = pose_between(from, to, fraction);
  }
  return false;
}

// a body on a substep: its centre goes straight and it turns at a constant rate
struct MovingBody {
  Pose from, to;
  const BodyPath& path;

  MovingBody(int body, const Solids& solids, const Substep& substep)
      : from(substep.body_from[body]), to(substep.body_to[body]), path(solids.paths[body]) {}

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
bool edge_keeps_apart(const Pair& pair, const Solids& solids, const Substep& substep) {
  const Solid &edge = solids.edges[pair.a], &solid = solids.solids[pair.b];
  const MovingBody a(pair.body_a, solids, substep), b(pair.body, solids, substep);
  const auto lead = [&](const Pose& at_a, const Pose& at_b) {
    const double low = support(edge, rotate(conjugate(at_a.q), -pair.normal));
    const double high = support(solid, rotate(conjugate(at_b.q), pair.normal));
    return dot(pair.normal, at_a.x - at_b.x) - low - high;
  };
  const double before = lead(a.from, b.from), after = lead(a.to, b.to);
  if (before > 0 && after > room_to_turn(a.bulge() + b.bulge(), before)) return true;

  const double far = norm(a.from.x - b.from.x) + norm(a.to.x - b.to.x) + a.path.size;
  const double speed = a.speed(a.path.size) + b.speed(is_endless(solid) ? far : b.path.size);
  double fraction = 0, first = 0;
  for (int step = 0; step < most_steps; ++step) {
    const Pose at_a = a.at(fraction), at_b = b.at(fraction);
    const auto seen = [&](int k) { return rotate(conjugate(at_b.q), at_a.x + rotate(at_a.q, edge.p[k]) - at_b.x); };
    const double gap = nearest_points(solid, seen(0), seen(1)).distance - edge.radius - solid.radius;
    if (step == 0) first = gap;
    if (gap <= 1e-3 * first) return false;
    if ((1 - fraction) * speed < gap) return true;
    fraction += gap / speed;
  }
  return false;
}

}  // namespace

bool keeps_apart(const Pair& pair, const Solids& solids, const Substep& substep) {
  if (pair.body_a >= 0) return edge_keeps_apart(pair, solids, substep);
  const auto way = [&](int i, int j) {
    return MovingSegment{{substep.from[i], substep.from[j]}, {substep.to[i], substep.to[j]}};
  };
  const MovingSegment a = way(pair.vertex[0], pair.vertex[1]);
  if (!pair.with_solid()) return stay_apart(a, way(pair.vertex[2], pair.vertex[3]), pair.radius, pair.normal);
  const Solid& solid = solids.solids[pair.b];
  const BodyPath& path = solids.paths[pair.body];
  const double radius = pair.radius - solid.radius;
  const Pose &from = substep.body_from[pair.body], &to = substep.body_to[pair.body];
  if (!path.moves && !path.is_free) return stay_apart(a, solid, from, from, radius, pair.normal);
  const Vec3d& centre = path.centre;  // goes straight
  return stay_apart(a, seen_from(solid, centre), {from.x + rotate(from.q, centre), from.q},
                    {to.x + rotate(to.q, centre), to.q}, radius, pair.normal);
}

// Along a fixed normal the lead of a over b is the least of four linear functions of time: concave, so that it is above
// zero on the whole substep when it is at both ends.
bool stay_apart(const MovingSegment& a, const MovingSegment& b, double radius_sum, const Vec3d& normal) {
  const auto lead = [&](const Vec3d(&xa)[2], const Vec3d(&xb)[2]) {
    return least_along(normal, xa, xb[0]) + std::min(0.0, dot(normal, xb[0] - xb[1])) - radius_sum;
  };
  if (lead(a.x0, b.x0) > 0 && lead(a.x1, b.x1) > 0) return true;
  return stay_apart(TwoSegments{a, b, radius_sum}, normal);
}

bool stay_apart(const MovingSegment& a, const Solid& solid, const Pose& from, const Pose& to, double radius,
                const Vec3d& normal) {
  const bool turns = !(from.q == to.q);
  const auto top = [&](const Pose& at) { return support(solid, rotate(conjugate(at.q), normal)) + radius; };
  const double top_from = top(from), top_to = turns ? top(to) : top_from;
  const double before = least_along(normal, a.x0, from.x) - top_from;
  const double after = least_along(normal, a.x1, to.x) - top_to;
  const double bulge = turns ? bulge_of(solid, from, to) : 0;
  if (before > 0 && after > (turns ? room_to_turn(bulge, before) : 0)) return true;
  if (turns && is_endless(solid)) return reaches_end(a, solid, from, to, radius);
  return stay_apart(SegmentAndSolid{a, solid, from, to, radius, bulge}, normal);
}

}  // namespace tendril::contact
