#include "contact/ccd.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/closest.h"

// Conservative advancement in the manner of additive CCD [li2021]: from a safe instant go on by a time in which the gap
// cannot fall to the goal, look again, until little is left to gain. Where [li2021] divides the gap by the largest
// relative speed, we hold the normal of the nearest points and ask how long both things stay apart along it: never a
// shorter time, and a much longer one for things that slide past each other. Each step rests on the separation along
// the normal alone, so an imprecise normal costs speed, not safety.

namespace tendril::contact {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_steps = 1000;  // a few do for most pairs; a pair that slides round each other may need hundreds

// what the gap may fall to, and where the search has come near enough to it
struct Goal {
  double least, near;

  Goal(double gap, double share, double margin) : least(share * gap + margin), near(least + 0.01 * (1 - share) * gap) {}
};

// how long  height + rate τ - ½ bend τ²  stays above zero
double time_above_zero(double height, double rate, double bend) {
  if (height <= 0) return 0;
  const double root = std::sqrt(rate * rate + 2 * bend * height);
  if (rate < 0) return 2 * height / (root - rate);
  return bend > 0 ? (root + rate) / bend : infinity;
}

double largest_coordinate(const MovingSegment& a) {
  double largest = 0;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k) largest = std::max({largest, std::abs(a.x0[i][k]), std::abs(a.x1[i][k])});
  return largest;
}

// more than the rounding of positions of this size, of their turns and differences, and of products with a normal
double rounding(double size) { return 1e-14 * size; }

// the largest |ω x r| on the straight way of r from now to the end of the motion
double largest_speed(const Vec3d& omega, const Vec3d& now, const Vec3d& at_end) {
  return std::max(norm(cross(omega, now)), norm(cross(omega, at_end)));
}

// a segment seen from the origin of a moving body, in the world's axes
struct SeenFromBody {
  const Solid& solid;
  Pose from, to;
  Vec3d omega;             // turn of the body over the whole motion [rad]
  Vec3d start[2], end[2];  // of the vertices, at fraction 0 and 1
  double radii, margin;

  SeenFromBody(const MovingSegment& a, const Solid& solid, const Pose& from, const Pose& to, double radius)
      : solid(solid), from(from), to(to), omega(turn_between(from.q, to.q)), radii(radius + solid.radius) {
    for (int i = 0; i < 2; ++i) start[i] = a.x0[i] - from.x, end[i] = a.x1[i] - to.x;
    const double reach = norm(solid.p[0]) + norm(solid.p[1]) + norm(solid.p[2]) + norm(solid.breadth) + radii;
    margin = rounding(largest_coordinate(a) + norm(from.x) + norm(to.x) + reach);
  }

  // whether the motion is so small that the distance of the segment's middle settles it
  bool hardly_moves(double share) const {
    const Vec3d middle = rotate(conjugate(from.q), 0.5 * (start[0] + start[1]));
    const double from_middle = norm(middle - nearest_in_core(solid, middle)) - radii;
    double way = 0;
    for (int i = 0; i < 2; ++i) way = std::max(way, norm(end[i] - start[i]) + largest_speed(omega, start[i], end[i]));
    return from_middle - 0.5 * norm(start[1] - start[0]) - way - margin > share * from_middle;
  }

  NearestToSolid nearest(double time, const Quatd& q) const {
    const Quatd back = conjugate(q);
    return nearest_points(solid, rotate(back, place(0, time)), rotate(back, place(1, time)));
  }
  Vec3d place(int i, double time) const { return start[i] + time * (end[i] - start[i]); }

  // The plane of the normal n turns with the body, so that the solid stays behind it. A vertex is above it by
  //   f(τ) = n(τ)·r(τ) - const,   n' = ω x n,   f' = (ω x n)·r + n·v,   |f''| <= |ω x n| (|ω x r| + 2 |v|)
  double time_apart(double time, const Quatd& q, const Vec3d& normal, double least) const {
    const Vec3d n = rotate(q, normal), turning = cross(omega, n);
    const double top = support(solid, normal) + (radii - solid.radius) + least;
    double shortest = infinity;
    for (int i = 0; i < 2; ++i) {
      const Vec3d v = end[i] - start[i], r = place(i, time);
      const double bend = norm(turning) * (largest_speed(omega, r, end[i]) + 2 * norm(v));
      shortest = std::min(shortest, time_above_zero(dot(n, r) - top, dot(turning, r) + dot(n, v), bend));
    }
    return shortest;
  }
};

}  // namespace

double safe_fraction(const MovingSegment& a, const MovingSegment& b, double radius_sum, double share) {
  const Vec3d da[2] = {a.x1[0] - a.x0[0], a.x1[1] - a.x0[1]}, db[2] = {b.x1[0] - b.x0[0], b.x1[1] - b.x0[1]};
  const double margin = rounding(std::max(largest_coordinate(a), largest_coordinate(b)));
  Vec3d pa[2] = {a.x0[0], a.x0[1]}, pb[2] = {b.x0[0], b.x0[1]};
  Nearest nearest = nearest_points(pa[0], pa[1], pb[0], pb[1]);
  const Goal goal(nearest.distance - radius_sum, share, margin);
  double time = 0;
  for (int step = 0; step < most_steps && nearest.distance - radius_sum > goal.near; ++step) {
    double further = infinity;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const double apart = dot(nearest.normal, pa[i] - pb[j]) - radius_sum - goal.least;
        further = std::min(further, time_above_zero(apart, dot(nearest.normal, da[i] - db[j]), 0));
      }
    if (further == 0) break;
    time += further;
    if (time >= 1) return 1;
    for (int i = 0; i < 2; ++i) pa[i] = a.x0[i] + time * da[i], pb[i] = b.x0[i] + time * db[i];
    nearest = nearest_points(pa[0], pa[1], pb[0], pb[1]);
  }
  return time;
}

double safe_fraction(const MovingSegment& a, const Solid& solid, const Pose& from, const Pose& to, double radius,
                     double share) {
  const SeenFromBody seen(a, solid, from, to, radius);
  if (seen.hardly_moves(share)) return 1;
  Quatd q = from.q;
  NearestToSolid nearest = seen.nearest(0, q);
  const Goal goal(nearest.distance - seen.radii, share, seen.margin);
  double time = 0;
  for (int step = 0; step < most_steps && nearest.distance - seen.radii > goal.near; ++step) {
    const double further = seen.time_apart(time, q, nearest.normal, goal.least);
    if (further == 0) break;
    time += further;
    if (time >= 1) return 1;
    q = pose_between(from, to, time).q;
    nearest = seen.nearest(time, q);
  }
  return time;
}

Pose pose_between(const Pose& from, const Pose& to, double fraction) {
  return {from.x + fraction * (to.x - from.x),
          normalized(quaternion_exp(fraction * turn_between(from.q, to.q)) * from.q)};
}

}  // namespace tendril::contact
