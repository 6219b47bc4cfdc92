#pragma once

#include <vector>

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::sim {

// which holds act and which segments are broken: what makes the Model of this step out of that of the scene
struct Activity {
  std::vector<char> hold_is_on;         // (hold)
  std::vector<char> segment_is_broken;  // (segment of the scene)
  bool operator==(const Activity&) const = default;
};

// the part of the scene's Model that acts now: vertices and bodies keep their numbers, segments are renumbered
struct ActiveModel {
  Model model;
  std::vector<int> segment;  // its number in the scene's Model (active segment)
  std::vector<int> bend;     // likewise (active bend)
};

// Bends and ties of a hold exist while it is on, and the bends that it replaces while it is off. A broken segment is
// gone with its bends and line loads; its mass stays with its vertices.
ActiveModel active_model(const Model& whole, const Activity& activity);

// whether a hold acts in the step that begins at `time`
bool acts(const Hold& hold, double time);

// the frames of the active segments from those of the scene, and back
State active_state(const State& whole, const std::vector<int>& segment);
void scatter(const State& active, const std::vector<int>& segment, State& whole);

// The segments that give way: tensile strain above the limit. Of neighbours above it in the same step only the one that
// is furthest above gives way, for the others lose their tension with it.
std::vector<int> overstrained_segments(const Model& model, const State& state);

// the pose of the section that a hold takes when it begins: at its vertex, turned so that its half bends are at rest
Pose held_section(const Model& whole, const State& state, int body, const std::vector<int>& segment);

}  // namespace tendril::sim
