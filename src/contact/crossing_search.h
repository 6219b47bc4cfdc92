#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "contact/broad_phase.h"
#include "contact/neighbourhood.h"
#include "contact/substep_check.h"
#include "rod/model.h"

namespace tendril::contact {

// Judges substeps by the exact test of contact/crossing.h on every pair of segments, and every segment and triangle of
// a mesh, whose boxes around the whole substep overlap: it asks neither the solver nor the list of pairs. Thin lines
// count, not surfaces, and a triangle's corners go straight. Much slower than the simulation itself.
class CrossingSearch {
 public:
  CrossingSearch(const Model& model, const std::vector<Vec3d>& start, bool rods_collide = true);

  // the one with the lowest numbers; b of a pair with a body is a triangle of its mesh
  std::optional<Crossing> on_substep(const Substep& substep, ThreadTeam& team);

 private:
  struct Triangle {
    std::array<Vec3d, 3> corner;  // in the frame of the body [m]
    int body, number;
  };
  struct Line {  // a segment
    int vertex[2];
    int fastened[2];  // the body with a mesh that each end is tied to, -1: none
  };
  MovingSegment moving(int segment, const Substep& substep) const;
  std::optional<Crossing> of_lines(std::span<const Bounds> boxes, const Substep& substep, ThreadTeam& team);

  const bool rods_collide_;  // with rods
  std::vector<Line> lines_;
  std::vector<Triangle> triangles_;
  Neighbourhood neighbours_;
  BroadPhase broad_phase_;
  std::vector<IndexPair> pairs_;
};

}  // namespace tendril::contact
