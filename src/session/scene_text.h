#pragma once

#include <string>
#include <vector>

#include "engine/open_scene.h"

namespace tendril::session {

// a scene that is edited while it runs
struct SceneText {
  std::string file;  // it counts as the text of this file: messages name it, relative paths start in its folder
  std::string text;
  std::vector<std::string> sets = {};  // PATH=VALUE on top of it, in order
  std::string solver = {};             // empty: the scene's own
};

SceneText read_scene_text(const std::string& file);  // throws SceneError
LoadedScene open_scene_text(const SceneText& text);  // throws SceneError

// Throws SceneError for a text of the scene that, as a path, leads out of the folder of its file; what the scene's own
// file says is allowed. So an edited scene reads nothing else of the machine.
void refuse_paths_outside(const SceneText& edited, const SceneText& own);

// one line of what a SceneError says
struct SceneProblem {
  int line = 0, column = 0;  // 0: nowhere in the text
  std::string message;
};
std::vector<SceneProblem> problems_of(const SceneError& error, const std::string& file);

// PATH=VALUE in place of an earlier one of the same PATH
void put_set(std::vector<std::string>& sets, const std::string& path, const std::string& value);
void remove_set(std::vector<std::string>& sets, const std::string& path);

}  // namespace tendril::session
