#include "solvers/block/gap_in_lanes.h"

#include "contact/closest.h"
#include "math/quat_pack.h"

namespace tendril::solvers::block {
namespace {

using T = StrandLanes;
using Mask = T::Mask;

constexpr double far_away = 1e12;  // [m]
// for the point of a segment that counts: Newton's method doubles its digits each time, once it is on the right part of
// the core's surface
constexpr int most_searches = 16;
constexpr double tiny = 1e-300;

[[gnu::always_inline]] inline T clamped(T s) { return min(max(s, T(0)), T(1)); }

// The nearest point of a core. It slides along `edge`, a unit vector, when the other point moves along that; along the
// whole face where it lies in one; not at all at a corner, where `edge` is zero.
struct NearestInCore {
  Vec3<T> point, edge;
  Mask in_face;
};

[[gnu::always_inline]] inline NearestInCore nearest_in_point(const CoreInLanes& core) {
  return {core.p[0], {T(0), T(0), T(0)}, T(1) < T(0)};
}

[[gnu::always_inline]] inline NearestInCore nearest_in_segment(const Vec3<T>& from, const Vec3<T>& to,
                                                               const Vec3<T>& a) {
  const T none(0), one(1);
  const Vec3<T> along = to - from;
  const T per_length2 = T(1) / max(norm_squared(along), T(tiny)), t = dot(a - from, along) * per_length2;
  const Mask inner = (t > none) & (t < one);
  return {from + clamped(t) * along, select(inner, sqrt(per_length2), none) * along, one < none};
}

// the face where a projects into it, else the nearest of the edges
[[gnu::always_inline]] inline NearestInCore nearest_in_triangle(const CoreInLanes& core, const Vec3<T>& a) {
  const T none(0);
  NearestInCore best = nearest_in_segment(core.p[0], core.p[1], a);
  T least = norm_squared(a - best.point);
  Mask in_face = none < T(1);
  const T turn = dot(cross(core.p[1] - core.p[0], core.p[2] - core.p[0]), core.up);  // its sign: which way round
  for (int k = 0; k < 3; ++k) {
    const Vec3<T>&from = core.p[k], &to = core.p[(k + 1) % 3];
    in_face = in_face & (none <= flip_where_negative(dot(cross(core.up, to - from), a - from), turn));
    if (k == 0) continue;
    const NearestInCore other = nearest_in_segment(from, to, a);
    const T distance2 = norm_squared(a - other.point);
    const Mask nearer = distance2 < least;
    best.point = select(nearer, other.point, best.point), best.edge = select(nearer, other.edge, best.edge);
    least = min(least, distance2);
  }
  const Vec3<T> on_face = a - dot(a - core.p[0], core.up) * core.up;
  return {select(in_face, on_face, best.point), best.edge, in_face};
}

template <Solid::Core kind>
[[gnu::always_inline]] inline NearestInCore nearest_in(const CoreInLanes& core, const Vec3<T>& a) {
  if constexpr (kind == Solid::Core::point) return nearest_in_point(core);
  if constexpr (kind == Solid::Core::triangle) return nearest_in_triangle(core, a);
}

// one point of the segment, and how (d - r) m changes along it, m = 1 + c (s - ½)²; where surfaces overlap, d < r, the
// nearest point counts, m = 1
struct At {
  NearestInCore nearest;
  Vec3<T> normal;
  T d, slope, rise;  // m and its derivative
  T rate, bend;      // derivatives by s
};
template <Solid::Core kind>
[[gnu::always_inline]] inline At at(const CoreInLanes& core, const Vec3<T>& x0, const Vec3<T>& u, T s) {
  const T c(steadiness), one(1), none(0), off = s - T(0.5);
  At here;
  const Vec3<T> a = x0 + s * u;
  here.nearest = nearest_in<kind>(core, a);
  const Vec3<T> between = a - here.nearest.point;
  const T d2 = max(norm_squared(between), T(tiny)), per_d = reciprocal_root(d2);
  here.normal = per_d * between, here.d = d2 * per_d;
  const T g = here.d - core.radius;
  const Mask outside = g > none;
  here.slope = select(outside, one + c * off * off, one);
  here.rise = select(outside, T(2) * c * off, none);
  const T nu = dot(here.normal, u), tu = dot(here.nearest.edge, u);
  const T across2 = select(here.nearest.in_face, none, norm_squared(u) - nu * nu - tu * tu);
  here.rate = here.slope * nu + here.rise * g;
  here.bend = here.slope * across2 * per_d + T(2) * here.rise * nu + T(2) * c * max(g, none);
  return here;
}

// The least of (d - r) m along the segment, whose derivative changes its sign once: by Newton's method between bounds.
template <Solid::Core kind>
At least_along(const CoreInLanes& core, const Vec3<T>& x0, const Vec3<T>& u, T& s) {
  const T none(0), one(1), flat = T(1e-9) * sqrt(norm_squared(u));
  T low = none, high = one;
  Mask was_low = one < none, was_high = one < none;  // known as a bound, not only as an end
  for (int n = 0;; ++n) {
    const At here = at<kind>(core, x0, u, s);
    const Mask falls = here.rate < none;
    const Mask is_there = (abs(here.rate) <= flat) | (falls & (one <= s)) | (~falls & (s <= none));
    if (n == most_searches || !any(~is_there)) return here;
    low = select(falls, s, low), high = select(falls, high, s);
    was_low = was_low | falls, was_high = was_high | ~falls;
    const T newton = s - here.rate / max(here.bend, T(tiny)), middle = T(0.5) * (low + high);
    const T by_bounds = select(falls, select(was_high, middle, high), select(was_low, middle, low));
    const T next = select((newton > low) & (newton < high), newton, by_bounds);
    s = select(is_there, s, next);
  }
}

// see gap_curvature.h, with the second derivative (1 - n nᵀ - e eᵀ)/d of the distance, or none over a face
GapInLanes with_bend(const At& here, const CoreInLanes& core, const Vec3<T>& u, T s) {
  const T none(0), one(1), c(steadiness), g = here.d - core.radius;
  GapInLanes out;
  out.normal = here.normal, out.s = s, out.slope = here.slope, out.gap = here.slope * g;
  const T nu = dot(here.normal, u), tu = dot(here.nearest.edge, u);
  const T per_d = select(here.nearest.in_face, none, here.slope / here.d);
  const Vec3<T> across = u - nu * here.normal - tu * here.nearest.edge, by = per_d * across + here.rise * here.normal;
  const T A = per_d * norm_squared(across) + T(2) * here.rise * nu + T(2) * c * max(g, none);
  const Mask slides = (s > none) & (s < one) & (A > none);
  const T ss = select(slides, one / select(slides, A, one), none);
  out.bend.slide = square(ss, by) + square(per_d, here.normal) + square(per_d, here.nearest.edge);
  out.bend.slide += -per_d;
  out.bend.a = (out.slope * ss) * by, out.bend.aa = out.slope * out.slope * ss;
  return out;
}

template <Solid::Core kind>
GapInLanes gap_of_convex(const CoreInLanes& core, const Vec3<T>& x0, const Vec3<T>& x1, T s) {
  const Vec3<T> u = x1 - x0;
  s = clamped(s);
  const At here = least_along<kind>(core, x0, u, s);
  return with_bend(here, core, u, s);
}

// The height of a segment above a plane is linear along it, h + climb σ with σ = s - ½, and (height - r) m is least
// where
//   3 c climb σ² + 2 c (h - r) σ + climb = 0
GapInLanes gap_of_half_space(const CoreInLanes& core, const Vec3<T>& x0, const Vec3<T>& x1) {
  const T c(steadiness), one(1), half(0.5), none(0);
  const Vec3<T> u = x1 - x0;
  const T climb = dot(core.up, u), middle = dot(core.up, T(0.5) * (x0 + x1) - core.p[0]) - core.radius;
  const T root = c * c * middle * middle - T(3) * c * climb * climb;
  const Mask has_root = (root > none) & (middle > none);
  const T inner = clamped(half - climb / (c * middle + sqrt(max(root, none))));
  const T end = select(climb > none, none, select(climb < none, one, half));
  T s = select(has_root, inner, end);
  const Mask outside = middle + climb * (s - half) > none;
  s = select(outside, s, end);
  const T off = s - half, height = middle + climb * off, rise = select(outside, T(2) * c * off, none);
  GapInLanes out;
  out.normal = core.up, out.s = s;
  out.slope = select(outside, one + c * off * off, one);
  out.gap = out.slope * height;
  const T A = T(2) * rise * climb + T(2) * c * max(height, none);
  const Mask slides = (s > none) & (s < one) & (A > none);
  const T ss = select(slides, one / select(slides, A, one), none);
  out.bend.slide = square(ss * rise * rise, core.up);
  out.bend.a = (out.slope * ss * rise) * core.up, out.bend.aa = out.slope * out.slope * ss;
  return out;
}

// Where the segment is below the surface over a triangle, or closer than their radii, its lowest point over the
// triangle counts, and the way out is up; what is below its plane beside it is for its neighbours.
GapInLanes gap_of_triangle(const CoreInLanes& core, const Vec3<T>& x0, const Vec3<T>& x1, T near) {
  const T none(0), one(1);
  const Vec3<T> u = x1 - x0;
  const T turn = dot(cross(core.p[1] - core.p[0], core.p[2] - core.p[0]), core.up);
  T from = none, to = one;  // of the segment, what is over the triangle
  for (int k = 0; k < 3; ++k) {
    const Vec3<T> inwards = cross(core.up, core.p[(k + 1) % 3] - core.p[k]);
    const T a = flip_where_negative(dot(inwards, x0 - core.p[k]), turn),
            rate = flip_where_negative(dot(inwards, u), turn);
    const T crossing = -a / select(abs(rate) > T(tiny), rate, one);
    from = select(rate > T(tiny), max(from, crossing), from);
    to = select(rate < T(-tiny), min(to, crossing), to);
    to = select((abs(rate) <= T(tiny)) & (a < none), T(-1), to);
  }
  const T climb = dot(core.up, u), height = dot(core.up, x0 - core.p[0]);
  const T lowest = select(climb > none, from, to), least = height + lowest * climb - core.radius;
  const Mask overlaps = core.knows_side & (from <= to) & (least < none);

  GapInLanes out = gap_of_convex<Solid::Core::triangle>(core, x0, x1, near);
  const Mask below = height + out.s * climb < none;
  out.gap = select(below, T(far_away), out.gap);
  if (!any(overlaps)) return out;
  out.normal = select(overlaps, core.up, out.normal);
  out.s = select(overlaps, lowest, out.s), out.slope = select(overlaps, one, out.slope);
  out.gap = select(overlaps, least, out.gap);
  const T keeps = select(overlaps, none, one);
  out.bend.slide = keeps * out.bend.slide, out.bend.a = keeps * out.bend.a, out.bend.aa = keeps * out.bend.aa;
  return out;
}

}  // namespace

GapInLanes gap_of(const CoreInLanes& core, const Vec3<T>& x0, const Vec3<T>& x1, T near) {
  switch (core.kind) {
    case Solid::Core::half_space:
      return gap_of_half_space(core, x0, x1);
    case Solid::Core::triangle:
      return gap_of_triangle(core, x0, x1, near);
    default:
      return gap_of_convex<Solid::Core::point>(core, x0, x1, near);
  }
}

GapInLanes distant_gap(const CoreInLanes& core, const Vec3<T>& x0, const Vec3<T>& x1) {
  const Vec3<T> between = T(0.5) * (x0 + x1) - core.middle;
  const T d2 = max(norm_squared(between), T(tiny)), per_d = reciprocal_root(d2);
  GapInLanes out;
  out.normal = per_d * between;
  out.gap = d2 * per_d - core.extent - core.radius - T(0.5) * sqrt(norm_squared(x1 - x0));
  return out;
}

}  // namespace tendril::solvers::block
