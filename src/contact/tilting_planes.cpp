#include <algorithm>

#include "contact/candidates.h"
#include "contact/closest.h"
#include "contact/contact.h"

namespace tendril {

// Planes that tilt on a leg.
//
// Where something is driven against a segment with a vertex that is held, the segment turns about it. A plane along the
// segment would not let that vertex fall behind, and the way would end with the gap. So the plane turns as well, from
// n to m, with the normal (1 - t) n + t m. All go straight from x to x + d, solids but for a bulge B. Along the normal
// a vertex of a then leads all of b by at least a quadratic in t, whose Bernstein coefficients are, r the radii,
//   n·(x_a - x_b) - r,   ½ [n·(x_a + d_a - x_b - d_b) + m·(x_a - x_b)] - r - 2 B,   m·(x_a + d_a - x_b - d_b) - r
// They are apart on the whole leg if the outer two are positive and the middle one is not negative: the first is what
// is between them at the corner, the others are two half spaces for d_a and d_b.

// Only free bodies do not know of such planes. A half space has one normal.
bool Contact::may_tilt(const Pair& pair) const {
  if (pair.body_a >= 0 || (pair.with_solid() && !is_driven(pair.body))) return false;
  if (pair.with_solid() && candidates_->solids()[pair.b].core == Solid::Core::half_space) return false;
  return std::any_of(pair.vertex, pair.vertex + 4, [&](int i) { return i >= 0 && !(free_axes_[i] == Vec3d{1, 1, 1}); });
}

bool Contact::does_not_yield(int i, const Vec3d& normal) const {
  return i >= 0 && mover_[i] == i && norm_squared(scale(free_axes_[i], normal)) < 1e-3;
}

// The least tilt after which what does not yield is apart from the other side, where that is driven or pushed to; zero
// if the plane need not tilt, or may not.
Vec3d Contact::end_normal(std::size_t p) const {
  const Pair& pair = pairs_[p];
  const auto ends = [&](int k) {  // of a side; if one does not yield it stands for both
    const auto end = [&](int j) { return corner_[pair.vertex[j]] + least_[mover(pair, j)]; };
    const bool first = does_not_yield(pair.vertex[k], pair.normal),
               second = does_not_yield(pair.vertex[k + 1], pair.normal);
    return std::array{end(second && !first ? k + 1 : k), end(first && !second ? k : k + 1)};
  };
  const Solid* solid = pair.with_solid() ? &candidates_->solids()[pair.b] : nullptr;
  const Pose to = solid ? next_pose_[pair.body] : Pose{};
  const auto a = ends(0), b = solid ? a : ends(2);
  const auto lead = [&](const Vec3d& n) {
    const double low = std::min(dot(n, a[0]), dot(n, a[1])) - pair.radius;
    return low - (solid ? surface(*solid, to, n) - solid->radius : std::max(dot(n, b[0]), dot(n, b[1])));
  };
  const bool yields = std::none_of(pair.vertex, pair.vertex + 4, [&](int i) { return does_not_yield(i, pair.normal); });
  const Facing straight = facing(p);
  const double needed = lead(pair.normal);
  if (yields || needed >= straight.kept) return {};

  // between here and where the lead is largest it is a concave function of the normal: chords end before its zero
  const auto seen = [&](const Vec3d& x) { return rotate(conjugate(to.q), x - to.x); };
  const Vec3d farthest = solid ? rotate(to.q, steady_nearest_points(*solid, seen(a[0]), seen(a[1]), 0).normal)
                               : nearest_points(a[0], a[1], b[0], b[1]).normal;
  const double largest = lead(farthest), goal = std::min(straight.between, 0.5 * largest);
  if (goal < straight.kept) return {};
  constexpr int chords = 4;
  const double missing = goal - needed;
  double share = 1, surplus = largest - goal;
  Vec3d normal;
  for (int chord = 0; chord < chords; ++chord) {
    share *= missing / (missing + surplus);
    const Vec3d between = pair.normal + share * (farthest - pair.normal);
    normal = normalized(between);
    surplus = norm(between) * (lead(normal) - goal);
  }
  return normal;
}

// of the middle coefficient, times two, and of the last
std::array<Contact::Facing, 2> Contact::facings(const Tilt& tilt) const {
  const Pair& pair = pairs_[tilt.pair];
  const Vec3d &n = pair.normal, &m = tilt.end_normal;
  const Facing straight = facing(tilt.pair);
  const auto measure = [&](Facing out, const Vec3d& along, double top, double radii) {
    double x[4] = {};
    for (int k = 0; k < 4; ++k)
      if (pair.vertex[k] >= 0) x[k] = dot(along, corner_[pair.vertex[k]]);
    const double near_a = std::min(x[0], x[1]), near_b = pair.with_solid() ? top : std::max(x[2], x[3]);
    out.between = near_a - near_b - radii;
    for (int k = 0; k < 2; ++k) out.beyond[k] = x[k] - near_a, out.beyond[k + 2] = near_b - x[k + 2];
    return out;
  };
  Facing middle{n, 0, {}, 0}, last{m, 0, {}, straight.kept};
  double top = 0, top_m = 0, radius = pair.radius;
  if (pair.with_solid()) {
    const Solid& solid = candidates_->solids()[pair.b];
    const Pose &from = pose_[pair.body], &to = next_pose_[pair.body];
    top = surface(solid, from, n), top_m = surface(solid, from, m), radius -= solid.radius;
    middle.advance = surface(solid, to, n) - top + 4 * bodies_[pair.body].bulge(next_ - reached_);
    last.advance = surface(solid, to, m) - top_m;
  }
  return {measure(middle, n + m, top + top_m, 2 * radius), measure(last, m, top_m, radius)};
}

bool Contact::push_apart(Tilt& tilt, bool evenly) {
  const Pair& pair = pairs_[tilt.pair];
  tilt.end_normal = end_normal(tilt.pair);
  if (!tilt.tilts()) return push_apart(pair, facing(tilt.pair), evenly);
  bool pushed = false;
  for (const Facing& facing : facings(tilt)) pushed |= push_apart(pair, facing, evenly);
  return pushed;
}

void Contact::lay_planes(const Tilt& tilt) {
  const Pair& pair = pairs_[tilt.pair];
  const auto lay = [&](int number, const auto& half_space) {
    for (int k = 0; k < 4; ++k)
      if (const int i = pair.vertex[k]; i >= 0) half_spaces_[entry_[4 * tilt.pair + k] + number] = half_space(k, i);
  };
  if (!tilt.tilts()) return lay(1, [&](int, int) { return HalfSpace{pair.normal, -Bounds::infinity}; });
  const auto both = facings(tilt);
  for (int number = 0; number < 2; ++number) {
    const Stand least = stand(pair, both[number], false);
    const double plane = 0.5 * (least.low + least.high);
    lay(number, [&](int k, int i) { return safe(side(pair, both[number], k, plane), corner_[i]); });
  }
}

}  // namespace tendril
