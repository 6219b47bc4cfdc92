#pragma once

#include <cstdint>
#include <vector>

#include "io/formats/glb_tube.h"
#include "io/formats/polylines.h"

namespace tendril::io {

// Where everything stands in a .glb file, known before its first byte is written: the sizes of its parts follow from
// the strands alone. A take of one moment is a mesh per strand; one that moves has a skin per strand with a joint per
// point.
struct GlbPlan {
  explicit GlbPlan(const Take& take);

  bool moves() const { return moments.size() > 1; }
  bool closed(int strand) const { return take->strands.strands[strand].closed; }
  TubeMesh tube(int strand) const;  // in the pose of the first moment
  TubeSize size(int strand) const { return tube_size(lines.count(strand), closed(strand), sides); }
  bool has_length(const std::vector<Vec3d>& x, int strand) const;  // of the take's points: it is more than a point
  int joint_count() const { return lines.place_count(); }

  // bytes of one vertex: position and normal, with joints and weights when it moves
  std::uint64_t vertex_bytes() const { return moves() ? 36 : 24; }

  const Take* take = nullptr;
  Parts parts;
  Polylines lines;
  int sides = 0;                   // of a tube
  std::vector<int> moments;        // those that are written
  std::vector<float> times;        // (moment) since the first of them [s]
  std::vector<Vec3d> start;        // (place) positions at the first moment
  std::vector<Quatd> start_frame;  // (place) when it moves: of the joints at the first moment
  std::vector<double> radius;      // (place)
  std::vector<Vec3d> materials;    // distinct colours
  std::vector<int> material;       // (strand)
  std::vector<int> collapsing;     // strands that have no length at some moment: they are scaled to nothing then

  // parts of the binary chunk, one behind the other; the last five only when it moves
  enum View { vertices, triangles, inverse_binds, time, translations, rotations, scales, view_count };
  std::uint64_t view_bytes[view_count] = {};
  std::uint64_t view_offset(int view) const;

 private:
  void find_collapsing();
};

}  // namespace tendril::io
