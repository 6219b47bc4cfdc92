#pragma once

#include <nlohmann/json.hpp>

#include "scene/scene.h"

namespace tendril::session {

// the numbers of a scene that are worth a slider: those that are written in its materials, obstacles, fields and the
// table of its solver, each with the range of a slider, and the time step
nlohmann::json sliders(const Scene& scene);

}  // namespace tendril::session
