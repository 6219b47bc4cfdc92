#pragma once

#include "engine/open_scene.h"
#include "sim/overlap.h"

namespace tendril {

ContactOptions contact_options(const Settings& settings);

// throws SceneError when things overlap at the start of a scene with contact: which ones, how deep, what to do
void refuse_overlaps(const LoadedScene& loaded);
void refuse_overlaps(const LoadedScene& loaded, const Overlaps& overlaps);

// pushes apart what overlaps at the start and notes what moved, and how far; throws SceneError when it does not succeed
void untangle_start(LoadedScene& loaded);

// settle = "rest": the rest shape whose equilibrium is the start; throws SceneError when there is none
void choose_rest(LoadedScene& loaded);

}  // namespace tendril
