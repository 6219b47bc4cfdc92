#pragma once

#include <optional>
#include <string>

#include "contact/volume/options.h"
#include "engine/open_scene.h"
#include "sim/overlap.h"

namespace tendril::engine {

ContactOptions contact_options(const Settings& settings);
std::optional<VolumeOptions> volume_options(const Settings& settings);  // [contact] model = "grid"

// what a time step that is too long for the duration, or for the frame rate that was asked for, means; empty: it is not
std::string schedule_warning(const LoadedScene& loaded);

// throws SceneError when things overlap at the start of a scene with contact: which ones, how deep, what to do
void refuse_overlaps(const LoadedScene& loaded);
void refuse_overlaps(const LoadedScene& loaded, const Overlaps& overlaps);

// pushes apart what overlaps at the start and notes what moved, and how far; throws SceneError when it does not succeed
void untangle_start(LoadedScene& loaded);

// settle = "rest": the rest shape whose equilibrium is the start; throws SceneError when there is none
void choose_rest(LoadedScene& loaded);

}  // namespace tendril::engine
