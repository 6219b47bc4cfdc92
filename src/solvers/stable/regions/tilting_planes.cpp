#include <algorithm>

#include "solvers/stable/regions/regions.h"
#include "solvers/stable/regions/tilt.h"

namespace tendril::solvers::stable {

// Planes that tilt on a substep.
//
// Where something is driven against a segment with a vertex that is held, the segment turns about it. A plane along the
// segment would not let that vertex fall behind, and the way would end with the gap. So the plane turns as well, see
// contact/lead.h: what is asked of the middle and of the last coefficient are two half spaces for where a vertex goes.

// Only free bodies do not know of such planes. A half space has one normal.
bool Regions::may_tilt(const Pair& pair) const {
  if (pair.body_a >= 0 || (pair.with_solid() && !movers_.is_driven(pair.body))) return false;
  if (pair.with_solid() && contact_->solids()[pair.b].core == Solid::Core::half_space) return false;
  const auto is_held = [&](int i) { return i >= 0 && !(movers_.free_axes[i] == Vec3d{1, 1, 1}); };
  return std::any_of(pair.vertex, pair.vertex + 4, is_held);
}

// the way of a side at least; a vertex that does not yield stands for both
MovingSegment Regions::least_way(const Pair& pair, int side) const {
  const int first = 2 * side, second = first + 1;
  const bool held[2] = {movers_.does_not_yield(pair.vertex[first], pair.normal),
                        movers_.does_not_yield(pair.vertex[second], pair.normal)};
  MovingSegment way;
  for (int k = 0; k < 2; ++k) {
    const int j = held[1 - k] && !held[k] ? first + 1 - k : first + k;
    way.x0[k] = contact_->waypoint(pair.vertex[j]), way.x1[k] = way.x0[k] + least_[movers_.of(pair, j)];
  }
  return way;
}

// such that what does not yield keeps apart from the other side, where that is driven or pushed to; zero if the plane
// need not tilt, or has no room to
Vec3d Regions::end_normal(const Pair& pair) const {
  const auto does_not_yield = [&](int i) { return movers_.does_not_yield(i, pair.normal); };
  if (std::none_of(pair.vertex, pair.vertex + 4, does_not_yield)) return {};
  const PlaneGap straight = plane_gap(pair);
  const auto of = [&](const auto& two) {
    if (two.lead(straight.normal, 1) >= straight.kept) return Vec3d{};
    const Vec3d farthest = two.nearest_normal(1);
    const double goal = std::min(straight.between, 0.5 * two.lead(farthest, 1));
    return goal < straight.kept ? Vec3d{} : tilted(two, straight.normal, farthest, goal);
  };
  if (!pair.with_solid()) return of(TwoSegments{least_way(pair, 0), least_way(pair, 1), pair.radius});
  const Solid& solid = contact_->solids()[pair.b];
  const double bulge = contact_->body_path(pair.body).bulge(next_ - reached_);
  const Pose &from = contact_->body_waypoint(pair.body), &to = contact_->body_end_of_substep(pair.body);
  return of(SegmentAndSolid{least_way(pair, 0), solid, from, to, pair.radius - solid.radius, bulge});
}

// of the middle coefficient, times two, and of the last
std::array<PlaneGap, 2> Regions::plane_gaps(const Tilt& tilt) const {
  const Pair& pair = contact_->pairs()[tilt.pair];
  const PlaneGap straight = plane_gap(pair);
  const Vec3d &n = straight.normal, &m = tilt.end_normal;
  const auto measure = [&](PlaneGap out, const Vec3d& along, double top, double radii) {
    double x[4] = {};
    for (int k = 0; k < 4; ++k)
      if (pair.vertex[k] >= 0) x[k] = dot(along, contact_->waypoint(pair.vertex[k]));
    const double near_a = std::min(x[0], x[1]), near_b = pair.with_solid() ? top : std::max(x[2], x[3]);
    out.between = near_a - near_b - radii;
    for (int k = 0; k < 2; ++k) out.beyond[k] = x[k] - near_a, out.beyond[k + 2] = near_b - x[k + 2];
    return out;
  };
  PlaneGap middle{n, 0, {}, 0}, last{m, 0, {}, straight.kept};
  double top = 0, top_m = 0, radius = pair.radius;
  if (pair.with_solid()) {
    const Solid& solid = contact_->solids()[pair.b];
    const Pose &from = contact_->body_waypoint(pair.body), &to = contact_->body_end_of_substep(pair.body);
    top = surface(solid, from, n), top_m = surface(solid, from, m), radius -= solid.radius;
    middle.advance = surface(solid, to, n) - top + 4 * contact_->body_path(pair.body).bulge(next_ - reached_);
    last.advance = surface(solid, to, m) - top_m;
  }
  return {measure(middle, n + m, top + top_m, 2 * radius), measure(last, m, top_m, radius)};
}

bool Regions::push_apart(Tilt& tilt, bool evenly) {
  const Pair& pair = contact_->pairs()[tilt.pair];
  tilt.end_normal = end_normal(pair);
  if (!tilt.tilts()) return push_apart(pair, plane_gap(pair), evenly);
  bool pushed = false;
  for (const PlaneGap& gap : plane_gaps(tilt)) pushed |= push_apart(pair, gap, evenly);
  return pushed;
}

void Regions::lay_planes(const Tilt& tilt) {
  const Pair& pair = contact_->pairs()[tilt.pair];
  const int* entry = &entries_.of_pair[4 * tilt.pair];
  const auto lay = [&](int number, const auto& half_space) {
    for (int k = 0; k < 4; ++k)
      if (const int i = pair.vertex[k]; i >= 0) half_spaces_[entry[k] + number] = half_space(k, i);
  };
  if (!tilt.tilts()) return lay(1, [&](int, int) { return HalfSpace{pair.normal, -Bounds::infinity}; });
  const auto both = plane_gaps(tilt);
  for (int number = 0; number < 2; ++number) {
    const PlaneRange least = plane_range(pair, both[number]);
    const double plane = 0.5 * (least.low + least.high);
    lay(number, [&](int k, int i) { return safe(side(pair, both[number], k, plane), contact_->waypoint(i)); });
  }
}

}  // namespace tendril::solvers::stable
