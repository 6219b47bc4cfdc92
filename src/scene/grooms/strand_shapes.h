#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scene/grooms/surface.h"
#include "scene/material.h"

namespace tendril::scene {

// how the strands of a groom are shaped
struct StrandStyle {
  int segments = 0;
  std::vector<std::vector<double>> lengths;  // [[fraction of the strands, length], …] [m]
  std::optional<Curl> curl;
  double noise = 0, noise_length = 0;  // how far strands stray, and over which length along them [m]
  int clumps = 0;                      // how many strands draw others to them; 0: none
  double clumping = 0;                 // share of the way to its clump that the tip of a strand goes
  Vec3d direction;                     // added to the unit normal, where a strand leaves the skin
  double root_height = 0;              // of the roots above the skin [m]
  double clearance = 0;                // of all other vertices [m]
};

// points of a strand, root first, equal lengths apart
using StrandShape = std::vector<Vec3d>;

// One strand from each root. A strand goes straight from the skin, winds about that line as its curl has it, strays by
// its noise and leans to its clump; where it would enter the mesh it goes along it.
std::vector<StrandShape> grow_strands(const GroomSurface& surface, const std::vector<SurfacePoint>& roots,
                                      const StrandStyle& style, std::uint64_t seed);

// Strands that read from a file: moved out of the mesh, each as a whole, until its root is at this height at least
void lift_roots(const GroomSurface& surface, double height, std::vector<StrandShape>& strands);

}  // namespace tendril::scene
