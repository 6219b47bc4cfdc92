#pragma once

#include "session/scene_text.h"

namespace tendril::session {

// The scene with one PATH=VALUE more: in the place of the value that is written in its text, with all else as it was,
// or where none is written there, on top of the text. Throws SceneError for a value that it cannot have.
SceneText with_value(const SceneText& scene, const std::string& path, const std::string& value);

}  // namespace tendril::session
