#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/candidates.h"
#include "math/thread_team.h"

namespace tendril::contact {

// a segment and another one, or a solid, as they lie at one instant
struct NearPair {
  int a = 0, b = 0;     // segment or edge; segment or solid
  int body_a = -1;      // whose edge a is; -1: a is a segment
  int body = -1;        // whose solid b is; -1: b is a segment
  double gap = 0;       // between the surfaces; negative: they overlap, by as much as a has to go along the normal [m]
  double reach = 0;     // of their barrier [m]
  Vec3d normal;         // unit, the way in which a leaves b
  double s = 0, t = 0;  // the nearest points, as fractions of a and of b if it is a segment

  bool overlaps() const { return gap <= 0; }
};

// Looks at pairs without any path between two instants: at the start of a scene, and at recorded states. Unlike Contact
// it takes what overlaps.
class NearPairs {
 public:
  NearPairs(const Model& model, const State& start, const ContactOptions& options);

  // the pairs closer than the reach of their barriers, those of two segments first, by number
  const std::vector<NearPair>& find(std::span<const Vec3d> x, std::span<const Pose> bodies);
  const std::vector<NearPair>& find(const State& state);

  const Solid& solid(int b) const { return candidates_.solids()[b]; }
  int grown_together() const { return candidates_.neighbours().overlapping_branches(); }  // pairs that never touch

 private:
  std::array<Vec3d, 2> ends_of_a(const Pair& pair, std::span<const Vec3d> x, std::span<const Pose> bodies) const;

  ThreadTeam alone_{1};
  Candidates candidates_;
  std::vector<Pair> pairs_;  // within the candidates' boxes
  std::vector<NearPair> near_;
};

// The way out of a solid for a capsule that reaches into its core: along the normal of a face, or square to an edge,
// the shortest of those.
struct WayOut {
  Vec3d normal;      // unit, in the frame of the body
  double depth = 0;  // how far the whole capsule has to go [m]
};
WayOut way_out(const Solid& solid, const Vec3d& a0, const Vec3d& a1, double radius);

}  // namespace tendril::contact
