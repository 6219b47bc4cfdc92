#pragma once

#include "rod/shape.h"

namespace tendril::render {

// closed surfaces as triangles that look outwards
Mesh tessellate(const Box& box);
Mesh tessellate(const Cylinder& cylinder);

// three normals per triangle: faces that meet at less than the crease angle [rad] share a smooth one
std::vector<Vec3d> corner_normals(const Mesh& mesh, double crease);

}  // namespace tendril::render
