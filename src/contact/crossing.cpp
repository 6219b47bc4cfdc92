#include "contact/crossing.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

// Time is cut in halves until one of three things is certain of every part of it:
//   - a plane separates the two things at both ends of the part. Each point is linear in time, so it does in between.
//   - their four points are not coplanar. Six times the volume that they span is a cubic in time; it has no root where
//     its Bernstein coefficients are all of one sign.
//   - in its middle they meet.
// Planes settle motions in one plane, along a common line and of parallel segments, where the cubic is zero throughout;
// the cubic settles things that turn about each other at hardly any distance, where many planes would be needed. In
// long double (64 bits) a part of 2^-60 of the time is far shorter than what the meeting distance allows, so a part
// that small without a meeting holds none.

namespace tendril::contact {
namespace {

using Real = long double;
using Vec3r = Vec3<Real>;

// one: a point, two: a segment, three: a triangle
struct Points {
  int count = 0;
  Vec3r p[3];

  const Vec3r* begin() const { return p; }
  const Vec3r* end() const { return p + count; }
  const Vec3r& operator[](int i) const { return p[i]; }
};

constexpr Real shortest_part = 0x1p-60L;
constexpr Real meeting = 1e-16L;         // distance, over the size of things and motion
constexpr Real rounding = 1e-18L;        // of a coordinate, over the same size
constexpr Real cubic_rounding = 1e-17L;  // of a volume, over the size cubed

Vec3r nearest_on_segment(const Vec3r& a, const Vec3r& b, const Vec3r& p) {
  const Vec3r along = b - a;
  const Real squared = dot(along, along);
  if (squared == 0) return a;
  return a + std::clamp(dot(p - a, along) / squared, Real(0), Real(1)) * along;
}

// the shorter of two vectors
void keep_shorter(Vec3r& best, const Vec3r& other) {
  if (norm_squared(other) < norm_squared(best)) best = other;
}

// from b to a, between the nearest points of two segments: of an end, or of two lines that cross when seen along both
Vec3r between_segments(const Points& a, const Points& b) {
  Vec3r best = a[0] - nearest_on_segment(b[0], b[1], a[0]);
  keep_shorter(best, a[1] - nearest_on_segment(b[0], b[1], a[1]));
  keep_shorter(best, nearest_on_segment(a[0], a[1], b[0]) - b[0]);
  keep_shorter(best, nearest_on_segment(a[0], a[1], b[1]) - b[1]);
  const Vec3r u = a[1] - a[0], v = b[1] - b[0], w = b[0] - a[0], normal = cross(u, v);
  const Real squared = dot(normal, normal);
  const Real s = dot(cross(w, v), normal), t = dot(cross(w, u), normal);
  if (squared > 0 && s >= 0 && s <= squared && t >= 0 && t <= squared)
    keep_shorter(best, (-dot(w, normal) / squared) * normal);
  return best;
}

// from a triangle to a point: of an edge, or of the face when the point is above it
Vec3r between_point_and_triangle(const Vec3r& p, const Points& b) {
  const Vec3r normal = cross(b[1] - b[0], b[2] - b[0]);
  Vec3r best = p - b[0];
  bool above = true;
  for (int k = 0; k < 3; ++k) {
    const Vec3r &from = b[k], &to = b[(k + 1) % 3];
    keep_shorter(best, p - nearest_on_segment(from, to, p));
    above = above && dot(cross(to - from, p - from), normal) > 0;
  }
  if (above) keep_shorter(best, (dot(p - b[0], normal) / dot(normal, normal)) * normal);
  return best;
}

Real volume(const Vec3r& a, const Vec3r& b, const Vec3r& c) { return dot(a, cross(b, c)); }

// two things that move straight
class Encounter {
 public:
  Encounter(std::initializer_list<MovingPoint> a, std::initializer_list<MovingPoint> b) : origin_(a.begin()->x0) {
    for (const MovingPoint& p : a) add(p, a0_, a1_);
    for (const MovingPoint& p : b) add(p, b0_, b1_);
  }

  bool meets() const { return meets(0, 1); }

 private:
  void add(const MovingPoint& p, Points& start, Points& end) {
    const auto seen = [&](const Vec3d& x) { return cast<Real>(x) - cast<Real>(origin_); };
    start.p[start.count++] = seen(p.x0), end.p[end.count++] = seen(p.x1);
    size_ = std::max({size_, norm(seen(p.x0)), norm(seen(p.x1))});
  }

  bool meets(Real begin, Real end) const {
    const Real middle = (begin + end) / 2;
    const Vec3r apart = between(at(a0_, a1_, middle), at(b0_, b1_, middle));
    const Real distance = norm(apart);
    if (distance <= meeting * size_) return true;
    if (end - begin < shortest_part) return false;
    if (separates(apart / distance, begin) && separates(apart / distance, end)) return false;
    if (never_coplanar(begin, end)) return false;
    return meets(begin, middle) || meets(middle, end);
  }

  static Points at(const Points& start, const Points& end, Real time) {
    Points points = start;
    for (int i = 0; i < start.count; ++i) points.p[i] += time * (end[i] - start[i]);
    return points;
  }

  static Vec3r between(const Points& a, const Points& b) {
    return a.count == 1 ? between_point_and_triangle(a[0], b) : between_segments(a, b);
  }

  bool separates(const Vec3r& normal, Real time) const {
    const Points a = at(a0_, a1_, time), b = at(b0_, b1_, time);
    return std::ranges::all_of(a, [&](const Vec3r& p) {
      return std::ranges::all_of(b, [&](const Vec3r& q) { return dot(normal, p - q) > rounding * size_; });
    });
  }

  // three edges of the four points span their volume
  struct Edges {
    Vec3r u, v, w;
  };
  Edges edges(Real time) const {
    const Points a = at(a0_, a1_, time), b = at(b0_, b1_, time);
    if (a.count == 1) return {b[1] - b[0], b[2] - b[0], a[0] - b[0]};
    return {a[1] - a[0], b[1] - b[0], a[0] - b[0]};
  }

  // the Bernstein coefficients of the cubic over this part: products of the edges at its two ends
  bool never_coplanar(Real begin, Real end) const {
    const auto [u0, v0, w0] = edges(begin);
    const auto [u1, v1, w1] = edges(end);
    const Real coefficients[] = {volume(u0, v0, w0), (volume(u1, v0, w0) + volume(u0, v1, w0) + volume(u0, v0, w1)) / 3,
                                 (volume(u0, v1, w1) + volume(u1, v0, w1) + volume(u1, v1, w0)) / 3,
                                 volume(u1, v1, w1)};
    const Real zero = cubic_rounding * size_ * size_ * size_;
    return std::ranges::all_of(coefficients, [&](Real c) { return c > zero; }) ||
           std::ranges::all_of(coefficients, [&](Real c) { return c < -zero; });
  }

  Vec3d origin_;  // positions are taken from here: where the things are costs no digits
  Real size_ = 0;
  Points a0_, a1_, b0_, b1_;
};

// whether the line of a segment, at the start, has the triangle's edges all on one side and the ends of the segment are
// on both sides of the triangle
bool pierces_at_start(const MovingSegment& a, const MovingTriangle& triangle) {
  const Vec3r from = cast<Real>(a.x0[0]), along = cast<Real>(a.x0[1]) - from;
  const Vec3r b[3] = {cast<Real>(triangle.x0[0]) - from, cast<Real>(triangle.x0[1]) - from,
                      cast<Real>(triangle.x0[2]) - from};
  int left = 0, right = 0;
  for (int k = 0; k < 3; ++k) {
    const Real side = volume(along, b[k], b[(k + 1) % 3]);
    left += side >= 0, right += side <= 0;
  }
  const Vec3r normal = cross(b[1] - b[0], b[2] - b[0]);
  return (left == 3 || right == 3) && dot(-b[0], normal) * dot(along - b[0], normal) < 0;
}

}  // namespace

bool cross(const MovingSegment& a, const MovingSegment& b) {
  return Encounter({{a.x0[0], a.x1[0]}, {a.x0[1], a.x1[1]}}, {{b.x0[0], b.x1[0]}, {b.x0[1], b.x1[1]}}).meets();
}

bool crosses_triangle(const MovingPoint& a, const MovingTriangle& triangle) {
  const auto& [x0, x1] = triangle;
  return Encounter({a}, {{x0[0], x1[0]}, {x0[1], x1[1]}, {x0[2], x1[2]}}).meets();
}

bool crosses_triangle(const MovingSegment& a, const MovingTriangle& triangle) {
  if (pierces_at_start(a, triangle)) return true;
  for (int k = 0; k < 2; ++k)
    if (crosses_triangle(MovingPoint{a.x0[k], a.x1[k]}, triangle)) return true;
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (cross(a, {{triangle.x0[k], triangle.x0[next]}, {triangle.x1[k], triangle.x1[next]}})) return true;
  }
  return false;
}

}  // namespace tendril::contact
