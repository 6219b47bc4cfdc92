#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/material.h"

namespace tendril::scene {

struct Document;

// A material that a scene may name without describing it: `material = "hair/curly"`. A `[material.X]` with `preset`
// takes from it what it does not say itself.
struct MaterialPreset {
  std::string name;     // "hair/curly"
  std::string meaning;  // what it is, in one line
  std::string toml;     // the keys of its [material.NAME]
};

const std::vector<MaterialPreset>& material_presets();
std::vector<std::string> preset_names();
Material preset_material(const MaterialPreset& preset);

// Writes presets out: a [material."hair/curly"] for every one that is named and not described, and in those with
// `preset` the keys that they lack. From here on they are materials like any other.
void write_out_presets(Document& document);

}  // namespace tendril::scene
