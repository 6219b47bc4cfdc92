#include "contact/solid.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "contact/closest.h"
#include "contact/gap_curvature.h"

namespace tendril::contact {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- from shapes to solids

struct Parts {
  int body;
  std::vector<Solid> solids;

  Solid& add(Solid::Core core, double radius) {
    Solid& solid = solids.emplace_back();
    solid.core = core, solid.radius = radius, solid.body = body;
    return solid;
  }
  void operator()(const std::monostate&) {}
  void operator()(const Plane& plane) {
    Solid& solid = add(Solid::Core::half_space, 0);
    solid.p[0] = plane.point, solid.p[1] = normalized(plane.normal);
  }
  void operator()(const Sphere& sphere) { add(Solid::Core::point, sphere.radius).p[0] = sphere.center; }
  void operator()(const Capsule& capsule) {
    Solid& solid = add(Solid::Core::segment, capsule.radius);
    solid.p[0] = capsule.from, solid.p[1] = capsule.to;
  }
  void operator()(const Cylinder& cylinder) {
    if (cylinder.from == cylinder.to) return;
    Solid& solid = add(Solid::Core::cylinder, 0);
    solid.p[0] = cylinder.from, solid.p[1] = cylinder.to, solid.breadth.x = cylinder.radius;
  }
  void operator()(const Box& box) {
    Solid& solid = add(Solid::Core::box, 0);
    solid.p[0] = box.center, solid.breadth = 0.5 * box.size, solid.rotation = box.rotation;
  }
  void operator()(const Mesh& mesh) {
    for (const auto& [i, j, k] : mesh.triangles) add_triangle(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
  }
  void add_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double longest = std::max({norm_squared(b - a), norm_squared(c - b), norm_squared(a - c)});
    if (norm(cross(b - a, c - a)) <= 1e-12 * longest) return;  // its edges belong to its neighbours too
    Solid& solid = add(Solid::Core::triangle, 0);
    solid.p[0] = a, solid.p[1] = b, solid.p[2] = c;
  }
};

// ---- nearest points of the cores

Vec3d nearest_in_segment(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
  const Vec3d along = b - a;
  const double length_squared = dot(along, along);
  if (length_squared == 0) return a;
  return a + std::clamp(dot(p - a, along) / length_squared, 0.0, 1.0) * along;
}

// by the regions of the plane: the three corners, the three edges, the face
Vec3d nearest_in_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
  const Vec3d ab = b - a, ac = c - a;
  const double ab_a = dot(ab, p - a), ac_a = dot(ac, p - a);
  if (ab_a <= 0 && ac_a <= 0) return a;
  const double ab_b = dot(ab, p - b), ac_b = dot(ac, p - b);
  if (ab_b >= 0 && ac_b <= ab_b) return b;
  const double ab_c = dot(ab, p - c), ac_c = dot(ac, p - c);
  if (ac_c >= 0 && ab_c <= ac_c) return c;

  // twice the areas that the projection of p spans with the edges, times that of the triangle
  const double area_c = ab_a * ac_b - ab_b * ac_a;
  if (area_c <= 0 && ab_a >= 0 && ab_b <= 0) return a + (ab_a / (ab_a - ab_b)) * ab;
  const double area_b = ab_c * ac_a - ab_a * ac_c;
  if (area_b <= 0 && ac_a >= 0 && ac_c <= 0) return a + (ac_a / (ac_a - ac_c)) * ac;
  const double area_a = ab_b * ac_c - ab_c * ac_b;
  const double to_c = ac_b - ab_b, to_b = ab_c - ac_c;
  if (area_a <= 0 && to_c >= 0 && to_b >= 0) return b + (to_c / (to_c + to_b)) * (c - b);
  const double whole = area_a + area_b + area_c;
  return a + (area_b / whole) * ab + (area_c / whole) * ac;
}

Vec3d nearest_in_half_space(const Vec3d& origin, const Vec3d& normal, const Vec3d& p) {
  return p - std::max(dot(p - origin, normal), 0.0) * normal;
}

Vec3d nearest_in_cylinder(const Vec3d& from, const Vec3d& to, double radius, const Vec3d& p) {
  const Vec3d along = to - from;
  const double fraction = dot(p - from, along) / dot(along, along);
  const Vec3d on_axis = from + fraction * along, outward = p - on_axis;
  const double far = norm(outward);
  if (far <= radius && fraction >= 0 && fraction <= 1) return p;
  return from + std::clamp(fraction, 0.0, 1.0) * along + (far > radius ? radius / far : 1.0) * outward;
}

// in the frame of the box, from its middle
Vec3d nearest_in_box(const Vec3d& half, const Vec3d& p) {
  return {std::clamp(p.x, -half.x, half.x), std::clamp(p.y, -half.y, half.y), std::clamp(p.z, -half.z, half.z)};
}

// ---- the segment and the core

// the point at s
template <class NearestInCore>
NearestToSolid seen_from(const Vec3d& p, double s, const NearestInCore& nearest) {
  const Vec3d point = nearest(p), between = p - point;
  const double distance = norm(between);
  return {s, point, (distance > 0 ? 1 / distance : 0.0) * between, distance};
}

// where slope(s), which is that of what has one minimum, changes its sign, or an end. False position seeks it; it
// halves the value of an end that it keeps twice (Illinois) and bisects when it is slow.
template <class Slope>
void minimise_along(double flat, const Slope& slope_at) {
  double low = 0, slope_low = slope_at(low);
  if (slope_low >= 0) return;
  double high = 1, slope_high = slope_at(high);
  if (slope_high <= 0) return;
  int kept = 0;      // the end that the last step did not move: -1 low, 1 high
  double width = 1;  // three steps ago
  for (int step = 1; high - low > 1e-12; ++step) {
    const bool bisect = step % 3 == 0 && high - low > 0.25 * width;
    if (step % 3 == 0) width = high - low;
    const double between = (low * slope_high - high * slope_low) / (slope_high - slope_low);
    const double s = std::clamp(bisect ? 0.5 * (low + high) : between, low, high), slope = slope_at(s);
    if (std::abs(slope) <= flat) return;
    if (slope < 0) {
      low = s, slope_low = slope;
      if (kept == 1) slope_high *= 0.5;
      kept = 1;
    } else {
      high = s, slope_high = slope;
      if (kept == -1) slope_low *= 0.5;
      kept = -1;
    }
  }
}

// the distance from a convex set is convex along a line
template <class NearestInCore>
NearestToSolid nearest_along(const Vec3d& a0, const Vec3d& a1, const NearestInCore& nearest) {
  const Vec3d along = a1 - a0;
  NearestToSolid best;
  minimise_along(1e-13 * norm(along), [&](double s) {
    best = seen_from(a0 + s * along, s, nearest);
    return dot(best.normal, along);
  });
  return best;
}

SteadyToSolid counted(const NearestToSolid& at, double radius) {
  SteadyToSolid out{at};
  out.slope = 1 + steadiness * (at.s - 0.5) * (at.s - 0.5);
  out.gap = out.slope * (at.distance - radius);
  return out;
}

template <class NearestInCore>
SteadyToSolid steady_along(const Vec3d& a0, const Vec3d& a1, double radius, const NearestInCore& nearest) {
  const Vec3d along = a1 - a0;
  SteadyToSolid best;
  minimise_along(1e-13 * norm(along), [&](double s) {
    best = counted(seen_from(a0 + s * along, s, nearest), radius);
    return best.slope * dot(best.normal, along) + 2 * steadiness * (best.distance - radius) * (s - 0.5);
  });
  return best;
}

// a point or a segment, which is as between two segments
bool is_segment(const Solid& solid) { return solid.core == Solid::Core::point || solid.core == Solid::Core::segment; }
const Vec3d& end_of(const Solid& solid) { return solid.p[solid.core == Solid::Core::segment ? 1 : 0]; }
closest::Quadratic to_segment(const Solid& solid, const Vec3d& a0, const Vec3d& a1) {
  return {a0, a1, solid.p[0], end_of(solid)};
}
NearestToSolid seen_from(const Solid& solid, const Nearest& at) {
  return {at.s, solid.p[0] + at.t * (end_of(solid) - solid.p[0]), at.normal, at.distance};
}

// the height above a plane is linear, h + climb (s - ½): its least, and that of (height - radius) m, which is where
//   3 c climb σ² + 2 c (h - radius) σ + climb = 0,  σ = s - ½
double lowest(double climb) { return climb == 0 ? 0.5 : climb > 0 ? 0 : 1; }
double lowest(double climb, double gap) {
  const double c = steadiness, root = c * c * gap * gap - 3 * c * climb * climb;
  if (!(root >= 0 && gap > 0)) return lowest(climb);
  return std::clamp(0.5 - climb / (c * gap + std::sqrt(root)), 0.0, 1.0);
}

// in the frame of a box
struct FromBox {
  const Solid& box;
  Vec3d a0, a1;
  FromBox(const Solid& box, const Vec3d& from, const Vec3d& to) : box(box) {
    const Quatd back = conjugate(box.rotation);
    a0 = rotate(back, from - box.p[0]), a1 = rotate(back, to - box.p[0]);
  }
  Vec3d operator()(const Vec3d& p) const { return nearest_in_box(box.breadth, p); }
  template <class At>
  At back(At at) const {
    at.point = box.p[0] + rotate(box.rotation, at.point), at.normal = rotate(box.rotation, at.normal);
    return at;
  }
};

}  // namespace

std::vector<Solid> solids_of(const Shape& shape, int body) {
  Parts parts{body, {}};
  std::visit(parts, shape);
  return std::move(parts.solids);
}

Vec3d nearest_in_core(const Solid& solid, const Vec3d& p) {
  switch (solid.core) {
    case Solid::Core::point:
      return solid.p[0];
    case Solid::Core::segment:
      return nearest_in_segment(solid.p[0], solid.p[1], p);
    case Solid::Core::triangle:
      return nearest_in_triangle(solid.p[0], solid.p[1], solid.p[2], p);
    case Solid::Core::half_space:
      return nearest_in_half_space(solid.p[0], solid.p[1], p);
    case Solid::Core::cylinder:
      return nearest_in_cylinder(solid.p[0], solid.p[1], solid.breadth.x, p);
    case Solid::Core::box:
      break;
  }
  const Vec3d inner = rotate(conjugate(solid.rotation), p - solid.p[0]);
  const Vec3d nearest = nearest_in_box(solid.breadth, inner);
  return nearest == inner ? p : solid.p[0] + rotate(solid.rotation, nearest);
}

double support(const Solid& solid, const Vec3d& direction) {
  const auto along = [&](int k) { return dot(direction, solid.p[k]); };
  double core = 0;
  switch (solid.core) {
    case Solid::Core::point:
      core = along(0);
      break;
    case Solid::Core::segment:
      core = std::max(along(0), along(1));
      break;
    case Solid::Core::triangle:
      core = std::max({along(0), along(1), along(2)});
      break;
    case Solid::Core::half_space:
      core = norm(direction - solid.p[1]) <= 1e-12 ? along(0) : infinity;
      break;
    case Solid::Core::cylinder: {
      const Vec3d axis = normalized(solid.p[1] - solid.p[0]);
      core = std::max(along(0), along(1)) + solid.breadth.x * norm(cross(direction, axis));
      break;
    }
    case Solid::Core::box: {
      const Vec3d inner = rotate(conjugate(solid.rotation), direction);
      for (int k = 0; k < 3; ++k) core += solid.breadth[k] * std::abs(inner[k]);
      core += along(0);
    }
  }
  return core + solid.radius;
}

double surface(const Solid& solid, const Pose& pose, const Vec3d& direction) {
  return dot(direction, pose.x) + support(solid, rotate(conjugate(pose.q), direction));
}

Bounds bounds(const Solid& solid, const Pose& pose) {
  if (solid.core == Solid::Core::half_space) return {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
  // the rounding of turns and sums stays well below this margin
  const double farthest = norm(solid.p[0]) + norm(solid.p[1]) + norm(solid.p[2]) + norm(solid.breadth) + solid.radius;
  const double margin = 1e-14 * (norm(pose.x) + farthest);
  const Quatd back = conjugate(pose.q);
  Bounds box;
  for (int k = 0; k < 3; ++k) {
    Vec3d axis;
    axis[k] = 1;
    const Vec3d direction = rotate(back, axis);
    box.low[k] = pose.x[k] - support(solid, -direction) - margin;
    box.high[k] = pose.x[k] + support(solid, direction) + margin;
  }
  return box;
}

NearestToSolid nearest_points(const Solid& solid, const Vec3d& a0, const Vec3d& a1) {
  const auto nearest = [&](const Vec3d& p) { return nearest_in_core(solid, p); };
  if (is_segment(solid)) return seen_from(solid, closest::nearest(to_segment(solid, a0, a1)));
  if (solid.core == Solid::Core::half_space) {
    const double s = lowest(dot(solid.p[1], a1 - a0));
    return seen_from(a0 + s * (a1 - a0), s, nearest);
  }
  if (solid.core != Solid::Core::box) return nearest_along(a0, a1, nearest);
  const FromBox from(solid, a0, a1);
  return from.back(nearest_along(from.a0, from.a1, from));
}

SteadyToSolid steady_nearest_points(const Solid& solid, const Vec3d& a0, const Vec3d& a1, double radius) {
  const auto nearest = [&](const Vec3d& p) { return nearest_in_core(solid, p); };
  if (is_segment(solid)) {
    const Steady at = closest::steady(to_segment(solid, a0, a1), radius);
    SteadyToSolid out{seen_from(solid, at)};
    return out.gap = at.gap, out.slope = at.slope, out;
  }
  if (solid.core == Solid::Core::half_space) {
    const Vec3d& up = solid.p[1];
    const double s = lowest(dot(up, a1 - a0), dot(up, 0.5 * (a0 + a1) - solid.p[0]) - radius);
    return counted(seen_from(a0 + s * (a1 - a0), s, nearest), radius);
  }
  if (solid.core != Solid::Core::box) return steady_along(a0, a1, radius, nearest);
  const FromBox from(solid, a0, a1);
  return from.back(steady_along(from.a0, from.a1, radius, from));
}

GapCurvature gap_curvature(const Solid& solid, const Vec3d& a0, const Vec3d& a1, double radius) {
  if (!is_segment(solid)) return gap_curvature(solid, a0, a1, steady_nearest_points(solid, a0, a1, radius));
  const closest::Quadratic f = to_segment(solid, a0, a1);
  return gap_curvature(f, closest::steady(f, radius));
}

Solid seen_from(Solid solid, const Vec3d& centre) {
  const int points = is_endless(solid) ? 1 : 3;
  for (int k = 0; k < points; ++k) solid.p[k] -= centre;
  return solid;
}

}  // namespace tendril::contact
