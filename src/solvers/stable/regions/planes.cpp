#include <algorithm>

#include "contact/for_all.h"
#include "solvers/stable/regions/regions.h"

namespace tendril::solvers::stable {

// Where the planes between pairs stand on a substep, and the half spaces that follow for vertices and bodies.

void Regions::lay_all_planes() {
  for_all(team_, plane_.size(), [&](std::size_t p) { lay_plane(p); });
  for (const Tilt& tilt : tilts_) lay_planes(tilt);
}

[[gnu::flatten]] void Regions::lay_plane(std::size_t p) {
  const Pair& pair = contact_->pairs()[p];
  const PlaneGap gap = plane_gap(pair);
  plane_[p] = 0;
  if (!movers_.meets_driven(pair)) {
    plane_[p] = plane_between(gap.between, wanted_along(pair, gap.normal, true), wanted_along(pair, gap.normal, false));
    if (!least_.empty()) {
      const PlaneRange least = plane_range(pair, gap);
      const double middle = 0.5 * (least.low + least.high), half = 0.499 * std::max(0.0, least.high - least.low);
      plane_[p] = std::clamp(plane_[p], middle - half, middle + half);
    }
  }
  for (int k = 0; k < 4; ++k)
    if (const int i = pair.vertex[k]; i >= 0)
      half_spaces_[entries_.of_pair[4 * p + k]] = safe(side(pair, gap, k, plane_[p]), contact_->waypoint(i));
}

// how far a side wants its nearest surface to move along the normal
double Regions::wanted_along(const Pair& pair, const Vec3d& normal, bool of_a) const {
  const int k = of_a ? 0 : 2, body = of_a ? pair.body_a : pair.body;
  const auto motion = [&](int j) { return std::abs(pair.weight[j]) * dot(normal, wanted_[pair.vertex[j]]); };
  if (pair.vertex[k] >= 0) return motion(k) + motion(k + 1);
  const Solid& solid = of_a ? contact_->edges()[pair.a] : contact_->solids()[pair.b];
  const double sign = of_a ? -1 : 1;
  const Vec3d outward = sign * normal;
  return sign * (surface(solid, wanted_pose_[body], outward) - surface(solid, contact_->body_waypoint(body), outward));
}

BodyPlane Regions::body_plane(std::size_t p, bool of_a) const {
  const Pair& pair = contact_->pairs()[p];
  const Pose& pose = contact_->body_waypoint(of_a ? pair.body_a : pair.body);
  const Solid& solid = of_a ? contact_->edges()[pair.a] : contact_->solids()[pair.b];
  const HalfSpace half = safe(side(pair, plane_gap(pair), of_a ? 0 : 2, plane_[p]), pose.x);
  const double clear = 0.5 * plane_gap_at_waypoint(*contact_, pair).between;
  return {&solid, -half.normal, surface(solid, pose, -half.normal) - half.bound, clear};
}

}  // namespace tendril::solvers::stable
