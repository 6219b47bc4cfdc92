#include "scene/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "scene/document.h"
#include "scene/keys.h"

namespace tendril::scene {
namespace {

// Hair is keratin: at 65 % of relative humidity E = 3.5 GPa and G = 1.27 GPa, 1320 kg/m³. What curls is flat: the axes
// of its section are as 1 to 1 in straight, 1.25 in wavy, 1.45 in curly and 1.75 in coily hair. A strand that hangs
// straight down forgets its curl where gravity pulls it out: `curl` is what it has without load.
//
// Yarns, ropes and cables are bundles of fibres that slide on each other. They stretch as their fibres do together,
// EA, and bend as their fibres do one by one, far below EA r² / 4.
//   copper: 30 wires of 0.25 mm (E = 110 GPa, G = 41 GPa) in PVC; EI = 30 E π (0.125 mm)⁴ / 4 and that of the PVC
//   nylon:  a rope of 10 mm that lengthens by a tenth under 5 kN
//   cotton: 30 g/km at 3 N per g/km and unit of strain; wool: 100 g/km at 0.5
const std::vector<MaterialPreset> presets = {
    {"hair/straight", "human hair, round, 77 µm thick", R"(
young_modulus = 3.5e9
shear_modulus = 1.27e9
density = 1320.0
section = { shape = "circle", radius = 3.85e-5 }
friction = 0.3
)"},
    {"hair/wavy", "human hair in waves of 6 cm, 80 by 64 µm", R"(
young_modulus = 3.5e9
shear_modulus = 1.27e9
density = 1320.0
section = { shape = "ellipse", width = 8.0e-5, height = 6.4e-5 }
friction = 0.3
curl = { radius = 8e-3, pitch = 6e-2 }
)"},
    {"hair/curly", "human hair in curls of 12 mm, 84 by 58 µm", R"(
young_modulus = 3.5e9
shear_modulus = 1.27e9
density = 1320.0
section = { shape = "ellipse", width = 8.4e-5, height = 5.8e-5 }
friction = 0.3
curl = { radius = 6e-3, pitch = 2e-2 }
)"},
    {"hair/coily", "human hair in coils of 5 mm, 87 by 50 µm", R"(
young_modulus = 3.5e9
shear_modulus = 1.27e9
density = 1320.0
section = { shape = "ellipse", width = 8.7e-5, height = 5.0e-5 }
friction = 0.3
curl = { radius = 2.5e-3, pitch = 4e-3 }
)"},
    {"yarn/cotton", "cotton yarn of 30 g/km, 0.22 mm thick", R"(
stiffness = { EA = 90.0, GA = 30.0, EI1 = 8e-9, EI2 = 8e-9, GJ = 4e-9 }
linear_density = 3e-5
radius = 1.1e-4
friction = 0.3
)"},
    {"yarn/wool", "woollen knitting yarn of 100 g/km, 0.7 mm thick", R"(
stiffness = { EA = 50.0, GA = 17.0, EI1 = 2e-8, EI2 = 2e-8, GJ = 1e-8 }
linear_density = 1e-4
radius = 3.5e-4
friction = 0.35
)"},
    {"rope/nylon", "climbing rope, 10 mm thick", R"(
stiffness = { EA = 5e4, GA = 1.7e4, EI1 = 0.02, EI2 = 0.02, GJ = 0.01 }
linear_density = 0.062
radius = 5e-3
friction = 0.25
)"},
    {"cable/copper", "copper wire for houses, 30 strands, 1.5 mm² in PVC, 3 mm thick", R"(
stiffness = { EA = 1.5e5, GA = 5.6e4, EI1 = 7.1e-4, EI2 = 7.1e-4, GJ = 5.2e-4 }
linear_density = 0.021
radius = 1.5e-3
friction = 0.4
)"},
    {"wire/steel", "spring steel, a wire of 1 mm", R"(
young_modulus = 2.06e11
poisson_ratio = 0.29
density = 7850.0
section = { shape = "circle", radius = 5e-4 }
friction = 0.2
)"},
    {"wood/beech", "a stick of beech along its grain, 10 mm thick", R"(
young_modulus = 1.4e10
shear_modulus = 1.2e9
density = 720.0
section = { shape = "circle", radius = 5e-3 }
friction = 0.4
)"},
    {"rubber/silicone", "a cord of silicone rubber, Shore A 40, 4 mm thick", R"(
young_modulus = 1.7e6
poisson_ratio = 0.49
density = 1150.0
section = { shape = "circle", radius = 2e-3 }
friction = 0.8
)"},
};

const MaterialPreset* find_preset(const std::string& name) {
  const auto found = std::find_if(presets.begin(), presets.end(), [&](const auto& p) { return p.name == name; });
  return found == presets.end() ? nullptr : &*found;
}

toml::table parsed(const MaterialPreset& preset) { return toml::parse(preset.toml, "preset " + preset.name); }

// what says the same in another way: a material that has the one does not take the other
bool is_said_otherwise(const toml::table& own, std::string_view key) {
  const auto has_one_of = [&](std::initializer_list<std::string_view> keys) {
    return std::any_of(keys.begin(), keys.end(), [&](std::string_view k) { return own.contains(k); });
  };
  if (key == "shear_modulus" && own.contains("poisson_ratio")) return true;
  if (key == "poisson_ratio" && own.contains("shear_modulus")) return true;
  const auto is_one_of = [&](std::initializer_list<std::string_view> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  if (is_one_of({"young_modulus", "shear_modulus", "poisson_ratio", "density", "section"}))
    return has_one_of({"stiffness", "linear_density", "radius"});
  if (is_one_of({"stiffness", "linear_density", "radius"}))
    return has_one_of({"young_modulus", "shear_modulus", "poisson_ratio", "density", "section", "shear_factor"});
  return false;
}

// the values of tables are shared in the same way, but not between shapes of a section
void take_missing(toml::table& own, toml::table&& preset) {
  const toml::table written = own;
  for (auto&& [key, value] : preset) {
    toml::node* there = own.get(key.str());
    if (!there) {
      if (!is_said_otherwise(written, key.str())) own.insert(key.str(), std::move(value));
      continue;
    }
    toml::table *inner = there->as_table(), *from = value.as_table();
    if (!inner || !from) continue;
    const auto shape = (*inner)["shape"].value<std::string>();
    if (!shape || shape == (*from)["shape"].value<std::string>()) take_missing(*inner, std::move(*from));
  }
}

// the texts of a value, which may stand in lists or in a table
void collect_texts(const toml::node& node, std::vector<std::string>& texts) {
  if (const auto text = node.value_exact<std::string>()) texts.push_back(*text);
  if (const toml::array* list = node.as_array())
    for (const toml::node& entry : *list) collect_texts(entry, texts);
  if (const toml::table* table = node.as_table())
    for (const auto& [key, value] : *table) collect_texts(value, texts);
}

// what the tables of rods and grooms name as material
std::vector<std::string> named_materials(const toml::table& root) {
  std::vector<std::string> names;
  for (const char* kind : {"rod", "groom"})
    if (const toml::array* entries = root[kind].as_array())
      for (const toml::node& entry : *entries)
        if (const toml::table* table = entry.as_table())
          for (const char* key : {"material", "parts"})
            if (const toml::node* value = table->get(key)) collect_texts(*value, names);
  return names;
}

}  // namespace

const std::vector<MaterialPreset>& material_presets() { return presets; }

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const MaterialPreset& preset : presets) names.push_back(preset.name);
  return names;
}

Material preset_material(const MaterialPreset& preset) {
  auto document = std::make_shared<Document>();
  document->file = "preset " + preset.name;
  document->key.types = {KeyType::table};
  document->key.keys = material_keys();
  document->root = parsed(preset);
  return read_material(Table(std::move(document)));
}

void write_out_presets(Document& document) {
  toml::table& root = document.root;
  toml::table* materials = root["material"].as_table();
  if (root.contains("material") && !materials) return;  // the check of the keys says so
  for (const std::string& name : named_materials(root)) {
    const MaterialPreset* preset = find_preset(name);
    if (!preset || (materials && materials->contains(name))) continue;
    if (!materials) materials = root.insert("material", toml::table{}).first->second.as_table();
    materials->insert(name, parsed(*preset));
  }
  if (!materials) return;
  for (auto&& [name, value] : *materials) {
    toml::table* own = value.as_table();
    if (!own) continue;
    const auto wanted = (*own)["preset"].value<std::string>();
    if (const MaterialPreset* preset = wanted ? find_preset(*wanted) : nullptr) take_missing(*own, parsed(*preset));
  }
}

}  // namespace tendril::scene
