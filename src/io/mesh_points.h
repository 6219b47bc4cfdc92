#pragma once

#include <filesystem>
#include <vector>

#include "math/vec3.h"

namespace tendril::io {

// where the vertices of a mesh are over time
struct MeshPoints {
  std::vector<double> times;          // they grow [s]
  std::vector<std::vector<Vec3d>> x;  // (time, vertex) [m]
};

// of the first mesh in an .abc (PolyMesh; axes and unit as in the file) or a .usda file (Mesh; in metres, z up); throws
// FileError or ResourceError
MeshPoints read_mesh_points(const std::filesystem::path& path);

}  // namespace tendril::io
