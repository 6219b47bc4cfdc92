#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "math/quat.h"

namespace tendril::rod {

// solid shapes of obstacles and bodies, in their own frame [m]; driven obstacles move this frame
struct Plane {
  Vec3d point, normal{0, 0, 1};
};
struct Sphere {
  Vec3d center;
  double radius = 0;
};
struct Capsule {
  Vec3d from, to;
  double radius = 0;
};
struct Cylinder {
  Vec3d from, to;
  double radius = 0;
};
struct Box {
  Vec3d center, size;
  Quatd rotation;
};
struct Mesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  bool inside = false;  // rods live inside the surface (a tube)
  std::string path;
};

using Shape = std::variant<std::monostate, Plane, Sphere, Capsule, Cylinder, Box, Mesh>;

}  // namespace tendril::rod
