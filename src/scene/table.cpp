#include "scene/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>

#include "scene/describe.h"
#include "scene/document.h"

namespace tendril::scene {
namespace {

std::optional<double> as_number(const toml::node& node) {
  return node.is_number() ? std::optional(to_double(node)) : std::nullopt;
}

std::optional<std::vector<double>> as_numbers(const toml::node& node) {
  if (const auto number = as_number(node)) return std::vector{*number};
  const toml::array* array = node.as_array();
  if (!array) return std::nullopt;
  std::vector<double> result;
  for (const toml::node& entry : *array) {
    const auto number = as_number(entry);
    if (!number) return std::nullopt;
    result.push_back(*number);
  }
  return result;
}

std::optional<Vec3d> as_vec3(const toml::node& node) {
  const auto list = as_numbers(node);
  if (!list || list->size() != 3) return std::nullopt;
  return Vec3d{(*list)[0], (*list)[1], (*list)[2]};
}

std::optional<std::vector<std::string>> as_texts(const toml::node& node) {
  if (node.is_string()) return std::vector{*node.value<std::string>()};
  const toml::array* array = node.as_array();
  if (!array) return std::nullopt;
  std::vector<std::string> result;
  for (const toml::node& entry : *array) {
    if (!entry.is_string()) return std::nullopt;
    result.push_back(*entry.value<std::string>());
  }
  return result;
}

// a single number is a profile that is the same everywhere
std::optional<std::vector<std::vector<double>>> as_rows(const toml::node& node) {
  if (const auto number = as_number(node)) return std::vector<std::vector<double>>{{0.0, *number}};
  const toml::array* array = node.as_array();
  if (!array) return std::nullopt;
  std::vector<std::vector<double>> result;
  for (const toml::node& entry : *array) {
    auto row = entry.is_array() ? as_numbers(entry) : std::nullopt;
    if (!row) return std::nullopt;
    result.push_back(std::move(*row));
  }
  return result;
}

}  // namespace

Table::Table(std::shared_ptr<const Document> document)
    : document_(std::move(document)), node_(&document_->root), anchor_(node_), key_(&document_->key) {}

const Key* Table::find_key(std::string_view name) const {
  return key_ && !user_named_ ? scene::find_key(*key_, variant_, name) : nullptr;
}

const Key& Table::known_key(std::string_view name) const {
  const Key* key = find_key(name);
  assert(key && "the code asks for a key that the scene's key table does not list");
  return *key;
}

std::vector<const Key*> Table::keys() const {
  std::vector<const Key*> result;
  if (!key_ || user_named_) return result;
  for (const Key& key : key_->keys) result.push_back(&key);
  if (variant_)
    for (const Key& key : variant_->keys) result.push_back(&key);
  return result;
}

const toml::node* Table::node(std::string_view name) const {
  if (!node_) return nullptr;
  if (user_named_) return node_->get(name);
  const Key* key = find_key(name);
  return key ? find_value(*node_, *key) : nullptr;  // the key of another variant is absent
}

bool Table::has(std::string_view key) const { return node(key) != nullptr; }

// hands the written value, or else the default, to `convert`, which gives std::nullopt for a value of another type
template <class Convert>
auto Table::read(std::string_view name, const char* wanted, Convert convert) const {
  const auto converted = [&](const toml::node& value) {
    const auto result = convert(value);
    if (!result) fail(name, fmt::format("found {}; expected {}", describe(value), wanted));
    return *result;
  };
  if (const toml::node* written = node(name)) return converted(*written);
  if (user_named_) fail(name, "is missing");
  const Key& key = known_key(name);
  if (key.default_text.empty()) fail(name, "is missing; expected " + expected(key));
  const toml::table value = parse_default(key);
  return converted(*value.get("value"));
}

bool Table::boolean(std::string_view key) const {
  return read(key, "true or false", [](const toml::node& n) { return n.value_exact<bool>(); });
}

int Table::integer(std::string_view key) const {
  return int(read(key, "an integer", [](const toml::node& n) { return n.value_exact<std::int64_t>(); }));
}

double Table::number(std::string_view key) const { return read(key, "a number", as_number); }

std::string Table::text(std::string_view key) const {
  return read(key, "text", [](const toml::node& n) { return n.value_exact<std::string>(); });
}

Vec3d Table::vec3(std::string_view key) const { return read(key, "three numbers [x, y, z]", as_vec3); }

std::vector<double> Table::numbers(std::string_view key) const { return read(key, "a list of numbers", as_numbers); }

std::vector<std::string> Table::texts(std::string_view key) const { return read(key, "a list of texts", as_texts); }

std::vector<std::vector<double>> Table::rows(std::string_view key) const {
  return read(key, "rows of numbers [[a, b], …]", as_rows);
}

Table Table::child(const toml::table* node, const Key& key, std::string path) const {
  Table result = *this;
  result.node_ = node;
  if (node) result.anchor_ = node;
  result.key_ = &key;
  result.variant_ = node ? chosen_variant(key, *node) : nullptr;
  result.user_named_ = false;
  result.path_ = std::move(path);
  return result;
}

Table Table::table(std::string_view name) const {
  const toml::node* written = node(name);
  const toml::table* inner = written ? written->as_table() : nullptr;
  if (written && !inner) fail(name, fmt::format("found {}; expected a table", describe(*written)));
  if (user_named_ && !inner) fail(name, "is missing");
  const Key& key = user_named_ ? *key_ : known_key(name);
  Table result = child(inner, key, join_path(path_, name));
  result.user_named_ = !user_named_ && (takes(key, KeyType::named_tables) || takes(key, KeyType::named_texts));
  return result;
}

std::vector<Table> Table::tables(std::string_view name) const {
  std::vector<Table> result;
  const toml::node* written = node(name);
  if (!written) return result;
  const toml::array* array = written->as_array();
  if (!array || !(array->empty() || array->is_array_of_tables()))
    fail(name, fmt::format("found {}; expected an array of tables", describe(*written)));
  const Key& key = known_key(name);
  for (std::size_t k = 0; k < array->size(); ++k) {
    const toml::node& entry = *array->get(k);
    result.push_back(child(entry.as_table(), key, join_path(join_path(path_, name), entry_name(entry, k))));
  }
  return result;
}

template <class Is>
bool Table::value_is(std::string_view name, Is is) const {
  if (const toml::node* written = node(name)) return is(*written);
  const Key* key = find_key(name);
  if (!key || key->default_text.empty()) return false;
  const toml::table value = parse_default(*key);
  return is(*value.get("value"));
}

bool Table::is_text(std::string_view key) const {
  return value_is(key, [](const toml::node& n) { return n.is_string(); });
}
bool Table::is_number(std::string_view key) const {
  return value_is(key, [](const toml::node& n) { return n.is_number(); });
}
bool Table::is_boolean(std::string_view key) const {
  return value_is(key, [](const toml::node& n) { return n.is_boolean(); });
}
bool Table::is_array(std::string_view key) const {
  return value_is(key, [](const toml::node& n) { return n.is_array(); });
}
bool Table::is_table(std::string_view key) const {
  return value_is(key, [](const toml::node& n) { return n.is_table(); });
}

std::vector<std::string> Table::names() const {
  if (!node_) return {};
  // toml++ sorts by name; the file's order is that of the positions, and what --set added comes last
  std::vector<const toml::key*> keys;
  for (const auto& [key, value] : *node_) keys.push_back(&key);
  const auto from_command_line = [&](const toml::key* k) {
    return k->source().path && *k->source().path != document_->file;
  };
  std::stable_sort(keys.begin(), keys.end(), [&](const toml::key* a, const toml::key* b) {
    if (from_command_line(a) != from_command_line(b)) return from_command_line(b);
    return a->source().begin < b->source().begin;
  });
  std::vector<std::string> result;
  for (const toml::key* key : keys) result.emplace_back(key->str());
  return result;
}

std::string Table::where(std::string_view name) const {
  if (!document_) return std::string(name);
  const toml::node* written = name.empty() ? nullptr : node(name);
  const std::string path = name.empty() ? path_ : join_path(path_, name);
  return fmt::format("{}: {}", position(*document_, (written ? written : anchor_)->source()), path);
}

void Table::fail(std::string_view key, const std::string& message) const {
  throw SceneError(fmt::format("{}: {}", where(key), message));
}

const std::string& Table::directory() const {
  static const std::string none;
  return document_ ? document_->directory : none;
}

}  // namespace tendril::scene
