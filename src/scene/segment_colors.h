#pragma once

#include <optional>
#include <vector>

#include "math/vec3.h"
#include "scene/scene.h"

namespace tendril::scene {

// linear RGB of the segments of a scene's Model whose material has a colour of its own, or, where their rod has none,
// whose strand has one in its file; empty when none has
std::vector<std::optional<Vec3f>> segment_colors(const Scene& scene);

}  // namespace tendril::scene
