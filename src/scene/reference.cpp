#include "scene/reference.h"

#include <fmt/format.h>

#include "scene/describe.h"
#include "scene/keys.h"
#include "scene/presets.h"
#include "scene/suggest.h"

namespace tendril::scene {
namespace {

constexpr const char* introduction = R"(# The scene file

This page is generated from the table of keys that checks every scene; a test compares the two, and
`TENDRIL_WRITE_DOCS=1 scene_tests --gtest_filter='Reference.*'` writes it anew. `tendril list keys` is the short form.

A scene is a TOML file in SI units, z up, angles in radians, rotations as axis-angle vectors. Unknown keys and numbers
that are not finite are errors, reported with file, line, column and the nearest known key. `--set PATH=VALUE` changes
any key: `--set simulation.time_step=1e-3`, `--set rod.beam.segments=100`, `--set expect."tip.z".value=0`. An entry of
an array of tables is addressed by its `name`, or by its number from 0.

The words of the type column: a *place* is a vertex number (negative from the end), `"start"`, `"end"`, `"all"`,
`"roots"` (the first vertex of every strand of a rod that has several), `{ fraction = 0.5 }`, `{ near = [x, y, z], radius = r }` (without `radius`: the nearest vertex), `{ low = [x, y, z],
high = [x, y, z] }` (all vertices in this box), `{ part = "name" }` (all of a named part of a generated curve; beside
`near` or `low` and `high` only what lies there), or a list of these.
`[[t, …], …]` are rows whose times grow.
)";

// a bar would end the cell of a Markdown table
std::string in_cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

// `"x", "y"; at least 0`: what the meaning leaves unsaid
std::string limits(const Key& key) {
  std::vector<std::string> parts;
  if (!key.choices.empty()) parts.push_back(listed_in_quotes(key.choices));
  if (const std::string range = range_text(key); !range.empty()) parts.push_back(range);
  if (key.nonzero) parts.push_back("not zero");
  std::string result;
  for (const std::string& part : parts) result += result.empty() ? part : "; " + part;
  return result;
}

class Page {
 public:
  void add(const std::string& text) { text_ += text; }
  const std::string& text() const { return text_; }

  // the keys of one table, those of its inner tables under dotted names
  void table(const std::vector<Key>& keys) {
    text_ += "\n| key | type | unit | default | meaning | range |\n| --- | --- | --- | --- | --- | --- |\n";
    rows(keys, "");
  }

  // the kinds among which a selector chooses
  void variants(const Key& key, const std::string& heading) {
    for (const Key::Variant& variant : key.variants) {
      text_ +=
          fmt::format("\n{} `{} = \"{}\"`\n\n{}.\n", heading, key.selector, variant.name, sentence(variant.meaning));
      if (!variant.keys.empty()) table(variant.keys);
    }
  }

  static std::string sentence(std::string text) {
    if (!text.empty()) text[0] = char(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
  }

 private:
  void rows(const std::vector<Key>& keys, const std::string& prefix) {
    for (const Key& key : keys) {
      const std::string unit = key.unit.empty() || key.unit == "-" ? "" : key.unit;
      const std::string standard = key.required               ? "required"
                                   : key.default_text.empty() ? ""
                                                              : "`" + key.default_text + "`";
      text_ += fmt::format("| `{}{}` | {} | {} | {} | {} | {} |\n", prefix, key.name, in_cell(type_name(key)), unit,
                           in_cell(standard), in_cell(key.meaning), in_cell(limits(key)));
      if (key.selector.empty()) rows(key.keys, prefix + key.name + ".");
    }
  }

  std::string text_;
};

std::string header_of(const Key& key) {
  for (const KeyType type : key.types) {
    if (type == KeyType::tables) return fmt::format("[[{}]]", key.name);
    if (type == KeyType::named_tables) return fmt::format("[{}.NAME]", key.name);
  }
  return fmt::format("[{}]", key.name);
}

// a table of the file, then its inner tables that have kinds (section, curve, a body's shape)
void describe_table(Page& page, const Key& key) {
  page.add(fmt::format("\n## `{}`\n\n{}.\n", header_of(key), Page::sentence(key.meaning)));
  if (key.keys.empty()) return;
  page.table(key.keys);
  page.variants(key, "###");
  for (const Key& inner : key.keys) {
    if (inner.selector.empty()) continue;
    page.add(fmt::format("\n### `{}` of a {}\n\n{}.\n", inner.name, key.name, Page::sentence(inner.meaning)));
    page.table(inner.keys);
    page.variants(inner, "####");
  }
}

void describe_presets(Page& page) {
  page.add(
      "\n### Materials by name\n\nA rod or a groom may name these without a table, and a material may change some of "
      "their values: `[material.mine]` with `preset = \"hair/curly\"`. `tendril list materials` prints their values.\n"
      "\n| name | what it is |\n| --- | --- |\n");
  for (const MaterialPreset& preset : material_presets())
    page.add(fmt::format("| `{}` | {} |\n", preset.name, preset.meaning));
}

void list_keys(const std::vector<Key>& keys, const std::string& prefix, std::vector<ListedKey>& list) {
  for (const Key& key : keys) {
    const std::string path = prefix + key.name;
    list.push_back({path, type_name(key), range_text(key), key});
    const bool is_named = type_name(key) == "named tables";
    list_keys(key.keys, path + (is_named ? ".NAME." : "."), list);
    for (const Key::Variant& variant : key.variants)
      list_keys(variant.keys, fmt::format("{}({}).", path, variant.name), list);
  }
}

}  // namespace

std::string scene_reference() {
  Page page;
  page.add(introduction);
  const Key scene = scene_key({});
  for (const Key& key : scene.keys)
    if (key.types.front() == KeyType::text) page.table({key});
  for (const Key& key : scene.keys)
    if (key.types.front() != KeyType::text) {
      describe_table(page, key);
      if (key.name == "material") describe_presets(page);
    }
  return page.text();
}

std::vector<ListedKey> all_keys(const std::vector<Key::Variant>& solver_options) {
  std::vector<ListedKey> list;
  list_keys(scene_key(solver_options).keys, "", list);
  return list;
}

std::string scene_key_list(const std::vector<Key::Variant>& solver_options) {
  std::string text;
  for (const auto& [path, type, range, key] : all_keys(solver_options)) {
    const std::string standard = key.required               ? " (required)"
                                 : key.default_text.empty() ? ""
                                                            : " = " + key.default_text;
    const std::string unit = key.unit.empty() || key.unit == "-" ? "" : " [" + key.unit + "]";
    text += fmt::format("{}{}  {}{}  {}\n", path, standard, type, unit, key.meaning);
  }
  return text;
}

}  // namespace tendril::scene
