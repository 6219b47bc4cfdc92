#pragma once

#include <optional>
#include <span>

#include "contact/body_path.h"
#include "contact/moving_segment.h"
#include "contact/pair.h"
#include "contact/solid.h"
#include "math/thread_team.h"

namespace tendril {

// two things that met on a leg of the path
struct Crossing {
  int a = 0, b = 0;        // segment; segment or solid
  int body = -1;           // whose solid b is; -1: b is a segment
  bool lines_met = false;  // not their surfaces alone, by the exact test
};

// all that moves between two corners of a path
struct Leg {
  std::span<const Vec3d> from, to;           // (vertex) [m]
  std::span<const Pose> body_from, body_to;  // (body)
};

// what pairs are made of besides vertices
struct Solids {
  std::span<const Solid> solids;
  std::span<const BodyPath> paths;  // (body)
};

// the first pair, by number, whose surfaces do not stay apart on a leg
std::optional<Crossing> first_crossing(std::span<const Pair> pairs, const Solids& solids, const Leg& leg,
                                       ThreadTeam* team);

// Whether the surfaces of two capsules stay apart on a leg. `normal` is a guess, from b to a, of a direction along
// which they do: where it holds, as it does for almost every pair, nothing else is asked.
bool stay_apart(const MovingSegment& a, const MovingSegment& b, double radius_sum, const Vec3d& normal);

// the same for a capsule and a solid, see safe_fraction
bool stay_apart(const MovingSegment& a, const Solid& solid, const Pose& from, const Pose& to, double radius,
                const Vec3d& normal);

}  // namespace tendril
