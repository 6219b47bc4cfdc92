#pragma once

#include <vector>

#include "contact/body_path.h"
#include "contact/search_range.h"
#include "contact/solid.h"
#include "solvers/stable/regions/vertex_region.h"

namespace tendril::solvers::stable {

// one of a body's solids, or an edge of one, may come up to here
struct BodyPlane {
  const Solid* solid = nullptr;
  Vec3d outward;     // unit, towards what is on the other side
  double limit = 0;  // of outward·x over the solid [m]
  double clear = 0;  // its part of what is between the two at the waypoint [m]
};

// Where a body that moves freely may be at the end of a substep, such that on its way there, straight and at a constant
// rate of turning, each of its solids stays behind its planes. For each way to be turned it is a convex set of shifts.
class BodyRegion {
 public:
  struct Follower {  // a vertex that the body carries
    Vec3d offset, waypoint;
    VertexRegion region;
  };
  std::vector<BodyPlane> planes;
  std::vector<Follower> followers;
  Pose from;  // at the waypoint
  Vec3d centre;
  double size = 0;  // see BodyPath
  SearchRange range;

  bool contains(const Pose& pose) const;

  // shifts the pose inside, as it is turned; false if no place is found
  bool shift_in(Pose& pose) const;

  // the same, or else nearer to the waypoint
  bool pull_in(Pose& pose) const;

  // the part of a shift from a pose of the region that lies in it
  double share(const Pose& pose, const Vec3d& way) const;

 private:
  std::vector<HalfSpace> shifts(const Quatd& q) const;
};

}  // namespace tendril::solvers::stable
