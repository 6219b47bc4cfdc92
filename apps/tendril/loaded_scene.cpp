#include "loaded_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "scene/suggest.h"

namespace tendril::app {

namespace fs = std::filesystem;

std::string home_directory() {
  const char* home = std::getenv("TENDRIL_HOME");
  return home ? home : TENDRIL_SOURCE_DIR;
}

std::vector<std::string> scene_files() {
  std::vector<std::string> files;
  const fs::path folder = fs::path(home_directory()) / "scenes";
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string find_scene_file(const std::string& name) {
  if (fs::exists(name)) return name;
  std::vector<std::string> names;
  for (const std::string& file : scene_files()) {
    names.push_back(fs::path(file).stem().string());
    if (names.back() == name || names.back() + ".toml" == name) return file;
  }
  throw SceneError(
      fmt::format("{}: there is no such file, nor a scene of this name{}; `tendril list scenes` shows them", name,
                  suggestion(name, names)));
}

LoadedScene load_scene(const std::string& name, const std::vector<std::string>& sets, const std::string& solver) {
  return open_scene(find_scene_file(name), {.sets = sets, .solver = solver});
}

LoadedScene load_scene_text(const std::string& text, const std::string& name, const std::vector<std::string>& sets,
                            const std::string& solver) {
  return open_scene_text(text, name, {.sets = sets, .solver = solver});
}

}  // namespace tendril::app
