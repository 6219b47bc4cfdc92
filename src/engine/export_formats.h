#pragma once

#include <vector>

#include "io/formats.h"
#include "scene/scene.h"

namespace tendril::engine {

// the formats of a scene's `[output] export`, "usda" or ".usda"; throws SceneError on one that is not written
std::vector<const Format*> export_formats(const Scene& scene);

}  // namespace tendril::engine
