#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "math/bounds.h"
#include "render/coloring.h"
#include "rod/followers.h"
#include "session/scene_text.h"

namespace tendril::session {

// what somebody wants to see
struct Look {
  Coloring color = Coloring::rod;
  bool stripes = false;  // of the first director, which show twist
  float limit = 0;       // end of the colour scale; 0: that of what is shown
  bool operator==(const Look&) const = default;
};

// a moment to be drawn
struct DrawnMoment {
  State state;                       // of the whole scene
  std::vector<int> broken;           // segments
  std::vector<float> contacts = {};  // in which a segment takes part, for Coloring::contact; empty: none
  std::uint32_t frame = 0;           // of a recorded run
};

// A scene as the binary messages of web/PROTOCOL.md: once its layout, which does not change, and for each moment a
// frame. Followers are points and segments like any other, behind those of the Model.
class Drawing {
 public:
  Drawing(const LoadedScene& scene, std::uint32_t number);

  std::uint32_t number() const { return number_; }
  const Vec3d& origin() const { return origin_; }  // of all positions that are sent [m]
  const Bounds& bounds() const { return bounds_; }
  const Model& model() const { return all_.model; }  // with followers
  int segment_of(int drawn) const;                   // its own, or that of its guide; throws std::out_of_range
  int strands_of(int rod) const { return strands_[rod]; }
  const std::vector<Vec3f>& colors() const { return rod_colors_; }

  std::vector<char> layout(int side) const;
  std::vector<char> frame(int side, std::uint32_t sequence, const DrawnMoment& moment, const Look& look);

  // where the vertices and triangles of a body's mesh stand among all, in the layout; counts are 0 without a mesh
  struct MeshRange {
    int first_vertex = 0, vertex_count = 0, first_triangle = 0, triangle_count = 0;
  };
  const std::vector<MeshRange>& meshes() const { return meshes_; }

 private:
  void find_bounds(const State& state);
  void find_neighbours(const State& state);
  void find_colors(const Scene& scene);
  void number_meshes();

  std::uint32_t number_ = 0;
  Followers followers_;
  FollowedModel all_;
  Vec3d origin_;
  Bounds bounds_;
  std::vector<std::int32_t> neighbours_;  // before and after each segment along its strand; -1: none
  std::vector<int> strands_;              // of each rod
  std::vector<Vec3f> rod_colors_;
  std::vector<std::uint8_t> colors_;  // sRGB and 255 of each segment
  std::vector<MeshRange> meshes_;
  float limit_ = 0;  // the highest so far of what is shown, so that colours do not flicker
  Coloring limited_ = Coloring::rod;
};

}  // namespace tendril::session
