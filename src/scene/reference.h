#pragma once

#include <string>
#include <vector>

#include "scene/key.h"

namespace tendril::scene {

// docs/scene.md: every key of the scene file, from the same table that checks them
std::string scene_reference();

// a key with its whole path: rod.curve(helix).pitch, material.NAME.density
struct ListedKey {
  std::string path, type, range;  // "number", "at least 1"
  Key key;
};
std::vector<ListedKey> all_keys(const std::vector<Key::Variant>& solver_options);

// one line per key: path, type, unit, default, meaning
std::string scene_key_list(const std::vector<Key::Variant>& solver_options);

}  // namespace tendril::scene
