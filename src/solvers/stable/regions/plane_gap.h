#pragma once

#include "contact/contact.h"
#include "solvers/stable/regions/vertex_region.h"

namespace tendril::solvers::stable {

// How the two of a pair lie along the normal of a plane between them, and what the plane asks of the end of a substep.
//
//        a0 ----- a1        beyond: how far a vertex is from the one that is nearest to the other side
//   - - - - - - - - - -     between: from surface to surface; the plane stands somewhere in it
//        b0 --- b1          kept: what is left of it at the end of the substep
struct PlaneGap {
  Vec3d normal;           // unit, from b to a
  double between = 0;     // along the normal [m]
  double beyond[4] = {};  // as the vertices of the pair [m]
  double kept = 0;        // of what is between [m]
  double advance = 0;     // of the surface of a driven solid, on which the plane lies [m]
};

// at the waypoint
PlaneGap plane_gap_at_waypoint(const Contact& contact, const Pair& pair);

// at the end of a substep on which what is driven goes a share of the whole step's way: planes on driven solids go with
// them
PlaneGap plane_gap_at_end(const Contact& contact, const Pair& pair, double share);

// Where the plane between two that can be pushed stands at the end of the substep, measured from b's surface at the
// waypoint along the normal, if the two want to move by so much along it [m].
double plane_between(double clearance, double motion_a, double motion_b);

// where vertex k of a pair, or a body as it is turned at the waypoint, may go if the plane stands there
HalfSpace side_of_plane(const PlaneGap& gap, int k, double plane);
HalfSpace side_of_driven(const PlaneGap& gap, int k);  // if the plane lies on a driven solid

}  // namespace tendril::solvers::stable
