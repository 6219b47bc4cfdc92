#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene/scene.h"

namespace tendril::scene {

// the smallest scene of the manual; tests change lines of it
inline const std::string beam_scene = R"(title = "A beam bends under its tip load"
[simulation]
solver = "stable"
time_step = 0.01
duration = 20.0
gravity = [0, 0, 0]
[material.wood]
stiffness = { EA = 1e9, GA = 1e9, EI1 = 4.9087385e7, EI2 = 4.9087385e7, GJ = 3.9e7 }
linear_density = 785.4
radius = 0.5
damping = 3.0
[[rod]]
name = "beam"
material = "wood"
segments = 50
curve = { type = "line", from = [0, 0, 0], to = [10, 0, 0] }
clamp = ["start"]
[[load]]
rod = "beam"
at = "end"
force = [0, 0, -1000]
[output]
probe = [{ rod = "beam", at = "end", name = "tip" }]
[expect]
"tip.z" = { value = -6.8006e-3, tolerance = 2e-3 }
)";
inline const int beam_scene_lines = 25;

// solvers with options, as the registry would hand them in
inline std::vector<Key::Variant> some_solvers() {
  const Key iterations{.name = "iterations", .types = {KeyType::integer}, .default_text = "10", .minimum = 1};
  const Key tolerance{.name = "tolerance", .types = {KeyType::number}, .default_text = "1e-6", .positive = true};
  const Key strain{.name = "strain", .types = {KeyType::text}, .default_text = "\"log\"", .choices = {"log", "paper"}};
  return {{"block", "block descent", {iterations}}, {"stable", "stable rods", {iterations, tolerance, strain}}};
}

inline Scene parse(const std::string& text, const std::vector<std::string>& sets = {}) {
  return parse_scene(text, "scene.toml", sets, some_solvers());
}

// the beam with one piece of its text replaced
inline std::string beam_with(const std::string& old_text, const std::string& new_text) {
  std::string text = beam_scene;
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

// the beam with more tables after it; the first added line is line 26
inline std::string beam_and(const std::string& more) { return beam_scene + more; }

inline std::string error_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    parse(text, sets);
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

// the first line of the error starts as given and holds all the fragments
inline void expect_error(const std::string& text, const std::string& start, const std::vector<std::string>& fragments,
                         const std::vector<std::string>& sets = {}) {
  const std::string whole = error_of(text, sets), error = whole.substr(0, whole.find('\n'));
  EXPECT_EQ(error.substr(0, start.size()), start) << whole;
  for (const std::string& fragment : fragments)
    EXPECT_NE(error.find(fragment), std::string::npos) << fragment << "\n" << whole;
}

}  // namespace tendril::scene
