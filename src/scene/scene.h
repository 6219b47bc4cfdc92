#pragma once

#include <string>
#include <vector>

#include "scene/table.h"

namespace tendril::scene {

// a scene file that has been read and checked
struct Scene {
  Table root;
  std::string file;
};

// reads a file, applies `sets` (PATH=VALUE, in order) and checks everything; `solver_options` lists each solver's keys
Scene read_scene(const std::string& path, const std::vector<std::string>& sets,
                 const std::vector<Key::Variant>& solver_options);

// the same from text; `name` stands for the file in messages
Scene parse_scene(const std::string& text, const std::string& name, const std::vector<std::string>& sets = {},
                  const std::vector<Key::Variant>& solver_options = {});

// the scene as it runs: --set applied, plain defaults written out, paths absolute; reads back to the same scene
std::string resolved_toml(const Scene& scene);

}  // namespace tendril::scene
