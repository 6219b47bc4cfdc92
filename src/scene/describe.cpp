#include "scene/describe.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/suggest.h"

namespace tendril::scene {
namespace {

std::string article(KeyType type, const Key& key) {
  switch (type) {
    case KeyType::boolean:
      return "true or false";
    case KeyType::integer:
      return "an integer";
    case KeyType::number:
      return "a number";
    case KeyType::text:
      return key.refers_to.empty() ? "text" : fmt::format("the name of a {}", key.refers_to);
    case KeyType::vec3:
      return "three numbers [x, y, z]";
    case KeyType::numbers:
      return "a list of numbers [a, b, …]";
    case KeyType::texts:
      return "a list of texts [\"a\", \"b\", …]";
    case KeyType::rows:
      return fmt::format("rows of {} numbers [[{}, …], …]", key.width, key.along.empty() ? "a" : key.along);
    case KeyType::pieces:
      return "rows [[fraction, \"name\"], …]";
    case KeyType::table:
      return "a table { … }";
    case KeyType::tables:
      return fmt::format("an array of tables, written [[{}]] or [{{ … }}, …]", key.name);
    case KeyType::named_tables:
      return fmt::format("tables under names, written [{}.NAME]", key.name);
    case KeyType::named_texts:
      return "a table { name = \"text\", … }";
    case KeyType::place:
      return "a vertex number, \"start\", \"end\", \"all\", \"roots\", { fraction = 0.5 }, { near = [x, y, z], radius "
             "= r }, "
             "{ low = [x, y, z], high = [x, y, z] }, { part = \"name\" } or a list of these";
  }
  return "";
}

std::string short_name(KeyType type, const Key& key) {
  switch (type) {
    case KeyType::boolean:
      return "boolean";
    case KeyType::integer:
      return "integer";
    case KeyType::number:
      return "number";
    case KeyType::text:
      return key.refers_to.empty() ? "text" : key.refers_to + " name";
    case KeyType::vec3:
      return "[x, y, z]";
    case KeyType::numbers:
      return "[a, …]";
    case KeyType::texts:
      return "[text, …]";
    case KeyType::rows: {
      static const char* const letters[] = {"a", "b", "c", "d", "e", "f"};
      std::string row = key.along.empty() ? "a" : key.along == "time" ? "t" : key.along;
      for (int k = 1; k < key.width && k < 6; ++k) row += fmt::format(", {}", letters[k]);
      return fmt::format("[[{}], …]", row);
    }
    case KeyType::pieces:
      return "[[fraction, name], …]";
    case KeyType::table:
      return "table";
    case KeyType::tables:
      return "[table, …]";
    case KeyType::named_tables:
      return "named tables";
    case KeyType::named_texts:
      return "{ name = text }";
    case KeyType::place:
      return "place";
  }
  return "";
}

std::string joined_by_or(const Key& key, std::string (*name)(KeyType, const Key&)) {
  std::string result;
  for (std::size_t k = 0; k < key.types.size(); ++k)
    result += (k == 0 ? "" : k + 1 == key.types.size() ? " or " : ", ") + name(key.types[k], key);
  return result;
}

}  // namespace

std::string describe(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) {
    constexpr std::size_t shown = 40;
    return text->size() <= shown ? fmt::format("text \"{}\"", *text) : fmt::format("text of {} bytes", text->size());
  }
  if (const auto integer = node.value_exact<std::int64_t>()) return fmt::format("integer {}", *integer);
  if (const auto number = node.value_exact<double>()) return fmt::format("number {}", *number);
  if (const auto boolean = node.value_exact<bool>()) return fmt::format("boolean {}", *boolean);
  if (const toml::array* array = node.as_array()) {
    if (!array->empty() && array->is_array_of_tables()) return fmt::format("an array of {} tables", array->size());
    return fmt::format("an array of {}", array->size());
  }
  return node.is_table() ? "a table" : "a date or time";
}

std::string range_text(const Key& key) {
  const bool low = std::isfinite(key.minimum), high = std::isfinite(key.maximum);
  if (key.positive) return high ? fmt::format("greater than 0, at most {}", key.maximum) : "greater than 0";
  if (low && high) return fmt::format("from {} to {}", key.minimum, key.maximum);
  if (low) return fmt::format("at least {}", key.minimum);
  return high ? fmt::format("at most {}", key.maximum) : "";
}

std::string expected(const Key& key) {
  if (!key.choices.empty() && key.types.size() == 1) return fmt::format("one of {}", listed_in_quotes(key.choices));
  std::string result = joined_by_or(key, article);
  if (!key.choices.empty()) result += fmt::format(" ({})", listed_in_quotes(key.choices));
  if (!key.unit.empty() && key.unit != "-") result += fmt::format(" in {}", key.unit);
  if (const std::string range = range_text(key); !range.empty()) result += ", " + range;
  return result;
}

std::string type_name(const Key& key) { return joined_by_or(key, short_name); }

std::vector<std::string> key_names(const Key& table, const Key::Variant* variant) {
  std::vector<std::string> names;
  for (const Key& key : table.keys) names.push_back(key.name);
  if (variant)
    for (const Key& key : variant->keys) names.push_back(key.name);
  return names;
}

}  // namespace tendril::scene
