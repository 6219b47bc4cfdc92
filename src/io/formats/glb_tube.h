#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/quat.h"

namespace tendril::io {

// unit tangents of a polyline at its points, along the chord between the neighbours; where there is none, the one
// before
std::vector<Vec3d> tangents_of(std::span<const Vec3d> points, bool closed);

// frames (d3 along the tangent) that turn as little as can be from one point to the next; around a loop what is left at
// its end is spread evenly
std::vector<Quatd> twist_free_frames(std::span<const Vec3d> tangents, bool closed);

// a tube of triangles around a polyline: a ring of vertices at every point, flat caps at open ends
struct TubeMesh {
  std::vector<Vec3f> position, normal;
  std::vector<int> ring;  // (vertex) the point it surrounds
  std::vector<std::uint32_t> triangles;
};
TubeMesh make_tube(std::span<const Vec3d> points, std::span<const double> radii, bool closed, int sides);

// how many vertices and triangle corners make_tube gives
struct TubeSize {
  std::uint64_t vertices = 0, corners = 0;
};
TubeSize tube_size(int points, bool closed, int sides);

}  // namespace tendril::io
