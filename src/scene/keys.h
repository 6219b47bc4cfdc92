#pragma once

#include <string>
#include <vector>

#include "scene/key.h"

namespace tendril::scene {

// the whole scene file seen as one table; `solver_options` gives each solver's name, summary and options
Key scene_key(const std::vector<Key::Variant>& solver_options);

// its parts, one function per table of the file
std::vector<Key> simulation_keys(const std::vector<std::string>& solver_names);  // keys.cpp
std::vector<Key> material_keys();                                                // rod_keys.cpp
Key curl_key(const std::string& meaning);
std::vector<Key> rod_keys();
std::vector<Key> groom_keys();  // groom_keys.cpp
std::vector<Key> hold_keys();   // action_keys.cpp
std::vector<Key> drive_keys();
std::vector<Key> load_keys();
std::vector<Key> body_keys();  // world_keys.cpp
std::vector<Key> joint_keys();
Key obstacle_key();
Key field_key();
std::vector<Key> contact_keys();
std::vector<Key> output_keys();  // keys.cpp
std::vector<Key> expect_keys(const std::vector<std::string>& solver_names);

}  // namespace tendril::scene
