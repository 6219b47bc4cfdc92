#pragma once

#include "contact/moving_segment.h"

namespace tendril::contact {

// An exact test whether thin things meet on their way, to judge the rest of this folder; it shares no code with it and
// takes its time. Radii play no part. Things nearer than 1e-16 of their size and motion count as meeting.

struct MovingPoint {
  Vec3d x0, x1;  // at fraction 0 and 1 of a straight motion [m]
};

struct MovingTriangle {
  Vec3d x0[3], x1[3];
};

// whether the centrelines of two segments meet at some instant of [0, 1]; segments that share a vertex always do
bool cross(const MovingSegment& a, const MovingSegment& b);

// whether a point meets a triangle at some instant
bool crosses_triangle(const MovingPoint& a, const MovingTriangle& triangle);

// whether a segment meets a triangle: it pierces it at the start, or one of its ends meets the triangle, or it meets an
// edge
bool crosses_triangle(const MovingSegment& a, const MovingTriangle& triangle);

}  // namespace tendril::contact
