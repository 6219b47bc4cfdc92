#include "solvers/stable/regions/body_region.h"

#include <algorithm>
#include <cmath>

namespace tendril::solvers::stable {
namespace {

const Bounds everywhere{{-Bounds::infinity, -Bounds::infinity, -Bounds::infinity},
                        {Bounds::infinity, Bounds::infinity, Bounds::infinity}};

VertexRegion region_of(const std::vector<HalfSpace>& half_spaces) { return {half_spaces, everywhere, {1, 1, 1}}; }

// d within a box, for a shift that takes it from `at` on
void add_box(std::vector<HalfSpace>& half_spaces, const Bounds& box, const Vec3d& at) {
  for (int k = 0; k < 3; ++k) {
    Vec3d axis;
    axis[k] = 1;
    half_spaces.push_back({axis, box.low[k] - at[k]});
    half_spaces.push_back({-axis, at[k] - box.high[k]});
  }
}

}  // namespace

// the shifts from the waypoint that are allowed to a body that ends up turned like this
std::vector<HalfSpace> BodyRegion::shifts(const Quatd& q) const {
  std::vector<HalfSpace> out;
  const double angle = angle_between(from.q, q), bulge = angle * angle * size / 8;
  const Quatd back = conjugate(q);
  for (const BodyPlane& plane : planes) {
    const double ahead = dot(plane.outward, from.x) + support(*plane.solid, rotate(back, plane.outward));
    out.push_back({-plane.outward, ahead + room_to_turn(bulge, plane.clear) - plane.limit});
  }
  for (const Follower& follower : followers) {
    const Vec3d moved = from.x + rotate(q, follower.offset) - follower.waypoint;
    for (const HalfSpace& half : follower.region.half_spaces)
      out.push_back({half.normal, half.bound - dot(half.normal, moved)});
    add_box(out, follower.region.box, moved);
  }
  const double reach = range.reach - angle_between(range.q, q) * size;
  const Vec3d way = from.x + rotate(q, centre) - range.centre, wall{reach, reach, reach};
  add_box(out, {-wall, wall}, way);
  return out;
}

bool BodyRegion::contains(const Pose& pose) const { return region_of(shifts(pose.q)).contains(pose.x - from.x); }

bool BodyRegion::shift_in(Pose& pose) const {
  if (contains(pose)) return true;
  std::vector<HalfSpace> allowed = shifts(pose.q);
  const double digits = 1e-15 * (std::abs(from.x.x) + std::abs(from.x.y) + std::abs(from.x.z));
  for (HalfSpace& half : allowed) half.bound += digits;
  Pose found = pose;
  Vec3d shift = pose.x - from.x;
  if (!region_of(allowed).pull_in(shift)) return false;
  found.x = from.x + shift;
  if (!contains(found)) return false;
  pose = found;
  return true;
}

bool BodyRegion::pull_in(Pose& pose) const {
  for (const Pose& aim : {pose, Pose{from.x, pose.q}, Pose{pose.x, from.q}, from}) {
    Pose found = aim;
    if (!shift_in(found)) continue;
    pose = found;
    return true;
  }
  return false;
}

double BodyRegion::share(const Pose& pose, const Vec3d& way) const {
  return region_of(shifts(pose.q)).share(pose.x - from.x, way);
}

}  // namespace tendril::solvers::stable
