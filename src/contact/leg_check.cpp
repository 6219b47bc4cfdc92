#include "contact/leg_check.h"

#include <algorithm>
#include <atomic>

#include "contact/ccd.h"
#include "contact/for_all.h"

namespace tendril {
namespace {

// safe_fraction leaves a hundredth of the gap, so this many times end at the last digits
constexpr int most_rounds = 8;

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

bool keeps_apart(const Pair& pair, const Solids& solids, const Leg& leg) {
  const auto way = [&](int i, int j) { return MovingSegment{{leg.from[i], leg.from[j]}, {leg.to[i], leg.to[j]}}; };
  const MovingSegment a = way(pair.vertex[0], pair.vertex[1]);
  if (!pair.with_solid()) return stay_apart(a, way(pair.vertex[2], pair.vertex[3]), pair.radius, pair.normal);
  const Solid& solid = solids.solids[pair.b];
  const BodyPath& path = solids.paths[pair.body];
  const double radius = pair.radius - solid.radius;
  const Pose &from = leg.body_from[pair.body], &to = leg.body_to[pair.body];
  if (!path.moves) return stay_apart(a, solid, from, from, radius, pair.normal);
  const Vec3d& centre = path.centre;  // goes straight
  return stay_apart(a, seen_from(solid, centre), {from.x + rotate(from.q, centre), from.q},
                    {to.x + rotate(to.q, centre), to.q}, radius, pair.normal);
}

}  // namespace

std::optional<Crossing> first_crossing(std::span<const Pair> pairs, const Solids& solids, const Leg& leg,
                                       ThreadTeam* team) {
  std::atomic<std::size_t> first = pairs.size();
  for_all(team, pairs.size(), [&](std::size_t p) {
    if (keeps_apart(pairs[p], solids, leg)) return;
    for (std::size_t known = first; p < known && !first.compare_exchange_weak(known, p);) {
    }
  });
  if (first == pairs.size()) return {};
  return Crossing{pairs[first].a, pairs[first].b, pairs[first].body};
}

// Along a fixed normal the lead of a over b is the least of four linear functions of time: concave, so that it is above
// zero on the whole leg when it is at both ends.
bool stay_apart(const MovingSegment& a, const MovingSegment& b, double radius_sum, const Vec3d& normal) {
  const auto lead = [&](const Vec3d(&xa)[2], const Vec3d(&xb)[2]) {
    return least_along(normal, xa, xb[0]) + std::min(0.0, dot(normal, xb[0] - xb[1])) - radius_sum;
  };
  if (lead(a.x0, b.x0) > 0 && lead(a.x1, b.x1) > 0) return true;
  MovingSegment rest_a = a, rest_b = b;
  return reaches_end([&] { return safe_fraction(rest_a, rest_b, radius_sum, 0); },
                     [&](double fraction) { advance_start(rest_a, fraction), advance_start(rest_b, fraction); });
}

bool stay_apart(const MovingSegment& a, const Solid& solid, const Pose& from, const Pose& to, double radius,
                const Vec3d& normal) {
  if (from.x == to.x && from.q == to.q) {
    const double top = support(solid, rotate(conjugate(from.q), normal)) + radius;
    if (least_along(normal, a.x0, from.x) > top && least_along(normal, a.x1, from.x) > top) return true;
  }
  MovingSegment rest = a;
  Pose start = from;
  return reaches_end([&] { return safe_fraction(rest, solid, start, to, radius, 0); },
                     [&](double fraction) {
                       advance_start(rest, fraction);
                       start = pose_between(start, to, fraction);
                     });
}

}  // namespace tendril
