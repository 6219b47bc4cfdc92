#pragma once

#include <span>

#include "contact/body_path.h"
#include "contact/moving_segment.h"
#include "contact/pair.h"
#include "contact/solid.h"

namespace tendril::contact {

// two things that met on a substep of the path
struct Crossing {
  int a = 0, b = 0;        // segment or edge; segment or solid
  int body = -1;           // whose solid b is; -1: b is a segment
  bool lines_met = false;  // not their surfaces alone, by the exact test
  int body_a = -1;         // whose edge a is; -1: a is a segment
};

// all that moves between two waypoints of a path
struct Substep {
  std::span<const Vec3d> from, to;           // (vertex) [m]
  std::span<const Pose> body_from, body_to;  // (body)
  std::span<const char> meets_bodies = {};  // others have gone, or go, another share of the way (vertex); empty: all do
};

// what pairs are made of besides vertices
struct Solids {
  std::span<const Solid> solids, edges;
  std::span<const BodyPath> paths;  // (body)
};

// whether the surfaces of a pair stay apart on a substep
bool keeps_apart(const Pair& pair, const Solids& solids, const Substep& substep);

// Whether the surfaces of two capsules stay apart on a substep. `normal` is a guess, from b to a, of a direction along
// which they do: where it holds, as it does for almost every pair, nothing else is asked.
bool stay_apart(const MovingSegment& a, const MovingSegment& b, double radius_sum, const Vec3d& normal);

// the same for a capsule and a solid, see safe_fraction
bool stay_apart(const MovingSegment& a, const Solid& solid, const Pose& from, const Pose& to, double radius,
                const Vec3d& normal);

}  // namespace tendril::contact
