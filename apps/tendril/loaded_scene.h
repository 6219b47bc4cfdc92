#pragma once

#include <string>
#include <vector>

#include "engine/open_scene.h"
#include "engine/solver_keys.h"

namespace tendril::app {

// `name` is a file, or the name of a scene in scenes/; `solver` overrides the scene's own when not empty.
// Throws SceneError, also when the scene needs what the solver lacks.
LoadedScene load_scene(const std::string& name, const std::vector<std::string>& sets = {},
                       const std::string& solver = "");
LoadedScene load_scene_text(const std::string& text, const std::string& name, const std::vector<std::string>& sets = {},
                            const std::string& solver = "");

// the file of a scene given by path or by name; throws SceneError with the nearest name
std::string find_scene_file(const std::string& name);
std::vector<std::string> scene_files();  // of scenes/, sorted
std::string home_directory();            // of the repository: TENDRIL_HOME, or where the program was built

}  // namespace tendril::app
