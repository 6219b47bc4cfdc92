#include "scene/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>

namespace tendril::scene {
namespace {

bool is_bare(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
}

}  // namespace

std::string position(const Document& document, const toml::source_region& source) {
  if (source.path && *source.path != document.file) return *source.path;
  return fmt::format("{}:{}:{}", document.file, std::max(1u, source.begin.line), std::max(1u, source.begin.column));
}

std::string join_path(const std::string& path, std::string_view name) {
  const std::string quoted = is_bare(name) ? std::string(name) : fmt::format("\"{}\"", name);
  return path.empty() ? quoted : path + "." + quoted;
}

const toml::node* find_value(const toml::table& table, const Key& key) {
  const toml::node* node = table.get(key.name);
  return node || key.alias.empty() ? node : table.get(key.alias);
}

const Key* find_key(const Key& table, const Key::Variant* variant, std::string_view name) {
  const auto find = [&](const std::vector<Key>& keys) -> const Key* {
    for (const Key& key : keys)
      if (key.name == name || (!key.alias.empty() && key.alias == name)) return &key;
    return nullptr;
  };
  const Key* own = find(table.keys);
  return own || !variant ? own : find(variant->keys);
}

const Key::Variant* chosen_variant(const Key& key, const toml::table& table) {
  if (key.selector.empty()) return nullptr;
  const Key* selector = find_key(key, nullptr, key.selector);
  assert(selector && "a selector must be among its table's keys");
  const toml::node* node = find_value(table, *selector);
  const auto choice = node ? node->value<std::string_view>() : std::nullopt;
  if (!choice) return nullptr;
  for (const Key::Variant& variant : key.variants)
    if (variant.name == *choice) return &variant;
  return nullptr;
}

std::string entry_name(const toml::node& entry, std::size_t index) {
  if (const toml::table* table = entry.as_table())
    if (const auto name = (*table)["name"].value<std::string>(); name && !name->empty()) return *name;
  return std::to_string(index);
}

toml::table parse_default(const Key& key) {
  assert(!key.default_text.empty());
  return toml::parse("value = " + key.default_text);
}

bool takes(const Key& key, KeyType type) {
  return std::find(key.types.begin(), key.types.end(), type) != key.types.end();
}

double to_double(const toml::node& node) {
  assert(node.is_number());
  if (const toml::value<std::int64_t>* integer = node.as_integer()) return double(integer->get());
  return node.as_floating_point()->get();
}

}  // namespace tendril::scene
