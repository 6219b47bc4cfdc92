#pragma once

#include <vector>

#include "math/bounds.h"
#include "rod/shape.h"
#include "rod/state.h"

namespace tendril::contact {

// a convex part of an obstacle or of a body: all points within `radius` of a core, in the frame of its body [m]
struct Solid {
  enum class Core {
    point,       // p[0]
    segment,     // from p[0] to p[1]
    triangle,    // p[0], p[1], p[2]
    half_space,  // below the plane through p[0] with the unit normal p[1]
    cylinder,    // flat-ended, axis from p[0] to p[1], breadth.x its radius
    box          // middle p[0], half sizes `breadth` along the axes of `rotation`
  };
  Core core = Core::point;
  Vec3d p[3];
  Vec3d breadth;
  Quatd rotation;
  double radius = 0;
  int body = -1;
};

// the convex parts of a shape: one, or for a mesh one per triangle; what has no extent is left out
std::vector<Solid> solids_of(const Shape& shape, int body);

// the point of the core nearest to p: p itself when inside; in the frame of the body
Vec3d nearest_in_core(const Solid& solid, const Vec3d& p);

// the largest direction·x over the solid, its radius included; the direction is of length one, in the frame of the
// body. A half space ends only along its normal, to 1e-12.
double support(const Solid& solid, const Vec3d& direction);

// where its surface is along a direction, in the world [m]
double surface(const Solid& solid, const Pose& pose, const Vec3d& direction);

// a box of the world that holds the solid; infinite for a half space
Bounds bounds(const Solid& solid, const Pose& pose);

// a segment a(s) = a0 + s (a1 - a0) and the core of a solid, in the frame of the body
struct NearestToSolid {
  double s = 0;         // in [0, 1]
  Vec3d point;          // of the core
  Vec3d normal;         // unit, from the core to the segment; zero when they meet
  double distance = 0;  // from core to centreline: less the two radii it is the gap [m]
};
NearestToSolid nearest_points(const Solid& solid, const Vec3d& a0, const Vec3d& a1);

// the points that count, of surfaces at a sum of radii around the core and the segment, see Steady
struct SteadyToSolid : NearestToSolid {
  double gap = 0, slope = 1;
};
SteadyToSolid steady_nearest_points(const Solid& solid, const Vec3d& a0, const Vec3d& a1, double radius);

// its second derivatives, see gap_curvature.h
struct GapCurvature;
GapCurvature gap_curvature(const Solid& solid, const Vec3d& a0, const Vec3d& a1, double radius);

inline bool is_endless(const Solid& solid) { return solid.core == Solid::Core::half_space; }

// in a frame whose origin is at `centre`
Solid seen_from(Solid solid, const Vec3d& centre);

}  // namespace tendril::contact
