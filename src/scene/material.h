#pragma once

#include <map>
#include <optional>
#include <string>

#include "rod/section.h"
#include "scene/table.h"

namespace tendril::scene {

// the helix that a strand is without load
struct Curl {
  double radius = 0, pitch = 0;  // [m]
};

// [material.NAME]
struct Material {
  RodProperties properties;     // at its own radius
  double damping = 0;           // [1/s]
  double internal_damping = 0;  // [s]
  double strain_limit;          // infinite: never breaks [-]
  double friction = -1;         // negative: unset
  std::optional<Vec3d> color;   // linear RGB; unset: the rod's
  std::optional<Curl> curl;     // of the strands of a groom
};

Material read_material(const Table& table);
std::map<std::string, Material> read_materials(const Table& materials);

}  // namespace tendril::scene
