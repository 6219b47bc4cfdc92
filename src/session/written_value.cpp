#include "session/written_value.h"

#include <toml++/toml.h>

#include <charconv>
#include <optional>

#include "engine/solver_keys.h"

namespace tendril::session {
namespace {

// the part of an array of tables that is addressed by its name or its number
const toml::node* entry_of(const toml::array& array, const std::string& part) {
  for (const toml::node& entry : array)
    if (const toml::table* table = entry.as_table())
      if ((*table)["name"].value_or(std::string()) == part) return &entry;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  return error == std::errc{} && end == part.data() + part.size() ? array.get(index) : nullptr;
}

// paths with quoted parts are not looked for
const toml::node* find(const toml::table& root, const std::string& path) {
  const toml::node* node = &root;
  for (std::size_t begin = 0; node && begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    begin = end + 1;
    node = node->is_table()   ? node->as_table()->get(part)
           : node->is_array() ? entry_of(*node->as_array(), part)
                              : nullptr;
  }
  return node;
}

// where a line and a column, which counts characters of UTF-8, are among the bytes
std::size_t offset_of(const std::string& text, const toml::source_position& at) {
  std::size_t k = 0;
  for (unsigned line = 1; line < at.line && k < text.size(); ++k) line += text[k] == '\n';
  for (unsigned column = 1; column < at.column && k < text.size(); ++column) {
    ++k;
    while (k < text.size() && (static_cast<unsigned char>(text[k]) & 0xc0) == 0x80) ++k;
  }
  return k;
}

std::optional<std::string> rewritten(const SceneText& scene, const std::string& path, const std::string& value) {
  const toml::table root = toml::parse(scene.text);
  const toml::node* node = find(root, path);
  if (!node || node->is_table() || node->is_array_of_tables()) return {};
  const std::size_t begin = offset_of(scene.text, node->source().begin),
                    end = offset_of(scene.text, node->source().end);
  if (begin >= end) return {};
  return std::string(scene.text).replace(begin, end - begin, value);
}

std::string meaning_of(const SceneText& scene) {
  return resolved_toml(parse_scene(scene.text, scene.file, scene.sets, solver_option_keys()));
}

}  // namespace

SceneText with_value(const SceneText& scene, const std::string& path, const std::string& value) {
  SceneText on_top = scene;
  put_set(on_top.sets, path, value);
  const std::string meaning = meaning_of(on_top);
  const std::optional<std::string> text = rewritten(scene, path, value);
  if (!text) return on_top;
  SceneText in_place = scene;
  in_place.text = *text;
  remove_set(in_place.sets, path);
  try {
    return meaning_of(in_place) == meaning ? in_place : on_top;
  } catch (const SceneError&) {
    return on_top;
  }
}

}  // namespace tendril::session
