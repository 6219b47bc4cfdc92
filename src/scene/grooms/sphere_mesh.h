#pragma once

#include "rod/shape.h"

namespace tendril::scene {

// a sphere of triangles of nearly one size: an octahedron, cut in quarters some times
Mesh sphere_mesh(const Sphere& sphere);

}  // namespace tendril::scene
