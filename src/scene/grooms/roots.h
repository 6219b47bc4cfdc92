#pragma once

#include <cstdint>
#include <vector>

#include "scene/grooms/surface.h"

namespace tendril::scene {

// where strands may grow: not at all, or more on one part of a mesh than on another
struct RootDensity {
  std::vector<double> at_vertex;  // relative, at least 0, linear between vertices (vertex)
  std::vector<char> grows;        // whether any do (triangle)
};

// ∫ of the relative density over the mesh [m²]
double weighted_area(const GroomSurface& surface, const RootDensity& density);

// `count` roots, drawn at random with that density and no nearer to each other than they need to be: of several places
// each takes the first that has room, or else the one with most
std::vector<SurfacePoint> sample_roots(const GroomSurface& surface, const RootDensity& density, int count,
                                       std::uint64_t seed);

}  // namespace tendril::scene
