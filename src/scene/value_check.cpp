#include "scene/value_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/describe.h"
#include "scene/suggest.h"

namespace tendril::scene {
namespace {

using MaybeFault = std::optional<Fault>;

MaybeFault wrong_type(const toml::node& node, const std::string& wanted) {
  return Fault{&node, fmt::format("found {}; expected {}", describe(node), wanted)};
}

// a finite number, whatever its size
MaybeFault finite_fault(const toml::node& node) {
  if (!node.is_number()) return wrong_type(node, "a number");
  const double value = to_double(node);
  if (!std::isfinite(value)) return Fault{&node, fmt::format("is {}; expected a finite number", value)};
  return std::nullopt;
}

MaybeFault number_fault(const toml::node& node, const Key& key) {
  if (auto fault = finite_fault(node)) return fault;
  const double value = to_double(node);
  if ((key.positive && !(value > 0)) || value < key.minimum || value > key.maximum)
    return Fault{&node, fmt::format("is {}; expected a number {}", value, range_text(key))};
  return std::nullopt;
}

MaybeFault integer_fault(const toml::node& node, const Key& key) {
  if (!node.is_integer()) return wrong_type(node, expected(key));
  const std::int64_t value = *node.value<std::int64_t>();
  constexpr auto largest = std::numeric_limits<int>::max();
  if (value > largest || value < -largest)
    return Fault{&node, fmt::format("is {}; expected an integer of at most {} in size", value, largest)};
  return number_fault(node, key);
}

MaybeFault text_fault(const toml::node& node, const Key& key) {
  if (!node.is_string()) return wrong_type(node, expected(key));
  const std::string text = *node.value<std::string>();
  if (key.choices.empty() || std::find(key.choices.begin(), key.choices.end(), text) != key.choices.end())
    return std::nullopt;
  return Fault{&node, fmt::format("found {}; expected one of {}{}", describe(node), listed_in_quotes(key.choices),
                                  suggestion(text, key.choices))};
}

// every entry of an array by the same rule
template <class Rule>
MaybeFault each_fault(const toml::array& array, Rule rule) {
  for (const toml::node& entry : array)
    if (auto fault = rule(entry)) return fault;
  return std::nullopt;
}

MaybeFault vec3_fault(const toml::array& array, const Key& key) {
  if (auto fault = each_fault(array, [&](const toml::node& n) { return number_fault(n, key); })) return fault;
  if (array.size() != 3) return wrong_type(array, "three numbers [x, y, z]");
  const bool zero = std::all_of(array.begin(), array.end(), [](const toml::node& n) { return to_double(n) == 0; });
  if (key.nonzero && zero) return Fault{&array, "has no direction; expected a vector that is not zero"};
  return std::nullopt;
}

// the first column of rows: times grow, fractions lie in [0, 1] and do not fall back
MaybeFault along_fault(const toml::node& node, const Key& key, double& last) {
  if (auto fault = finite_fault(node)) return fault;
  const double value = to_double(node);
  if (key.along == "fraction" && !(value >= 0 && value <= 1))
    return Fault{&node, fmt::format("fraction {} is outside the rod; expected 0 to 1", value)};
  if (value < last || (value == last && key.along == "time"))
    return Fault{&node, fmt::format("{} {} follows {}; expected growing values", key.along, value, last)};
  last = value;
  return std::nullopt;
}

MaybeFault rows_fault(const toml::array& array, const Key& key) {
  if (array.empty()) return Fault{&array, "is empty; expected " + expected(key)};
  double last = -std::numeric_limits<double>::infinity();
  for (const toml::node& entry : array) {
    const toml::array* row = entry.as_array();
    if (!row) return wrong_type(entry, expected(key));
    if (key.width > 0 && int(row->size()) != key.width)
      return Fault{&entry, fmt::format("this row has {} numbers; expected {}", row->size(), key.width)};
    for (std::size_t k = 0; k < row->size(); ++k) {
      const bool first = k == 0 && !key.along.empty();
      if (auto fault = first ? along_fault(*row->get(k), key, last) : number_fault(*row->get(k), key)) return fault;
    }
  }
  return std::nullopt;
}

MaybeFault pieces_fault(const toml::array& array, const Key& key) {
  if (array.empty()) return Fault{&array, "is empty; expected " + expected(key)};
  Key fraction = key;
  fraction.along = "fraction";
  double last = -std::numeric_limits<double>::infinity();
  for (const toml::node& entry : array) {
    const toml::array* row = entry.as_array();
    if (!row || row->size() != 2 || !row->get(1)->is_string()) return wrong_type(entry, "[fraction, \"name\"]");
    if (auto fault = along_fault(*row->get(0), fraction, last)) return fault;
  }
  return std::nullopt;
}

// a fault of a key that has no path of its own
MaybeFault named(const char* key, MaybeFault fault) {
  if (fault) fault->message = fmt::format("{} {}", key, fault->message);
  return fault;
}

// a point of a region
MaybeFault corner_fault(const char* name, const toml::node& node) {
  if (!node.is_array()) return wrong_type(node, fmt::format("{} = [x, y, z]", name));
  return named(name, vec3_fault(*node.as_array(), {}));
}

MaybeFault box_fault(const toml::node& low, const toml::node& high) {
  if (auto fault = corner_fault("low", low)) return fault;
  if (auto fault = corner_fault("high", high)) return fault;
  for (std::size_t k = 0; k < 3; ++k)
    if (to_double(*low.as_array()->get(k)) > to_double(*high.as_array()->get(k)))
      return Fault{&high, fmt::format("high lies below low along {}; expected the two corners of a box", "xyz"[k])};
  return std::nullopt;
}

// { fraction }, { near, radius }, { low, high }; { part } stands alone or narrows the last two
MaybeFault region_fault(const toml::table& table, const Key& key) {
  const toml::node *fraction = table.get("fraction"), *near = table.get("near"), *radius = table.get("radius"),
                   *low = table.get("low"), *high = table.get("high"), *part = table.get("part");
  const std::vector<std::string> known = {"fraction", "near", "radius", "low", "high", "part"};
  for (const auto& [name, value] : table)
    if (std::find(known.begin(), known.end(), name.str()) == known.end())
      return Fault{&value,
                   fmt::format("unknown key \"{}\"; expected fraction, near and radius, low and high, or part{}",
                               name.str(), suggestion(name.str(), known))};
  const std::size_t region = fraction ? 1 : near ? 1 + (radius != nullptr) : low && high ? 2 : 0;
  const bool some_part = part && !fraction;
  if (table.size() == 0 || table.size() != region + some_part) return wrong_type(table, expected(key));
  if (some_part)
    if (auto fault = text_fault(*part, {.types = {KeyType::text}})) return named("part", fault);
  if (fraction) return named("fraction", number_fault(*fraction, {.minimum = 0, .maximum = 1}));
  if (low) return box_fault(*low, *high);
  if (!near) return std::nullopt;
  if (auto fault = corner_fault("near", *near)) return fault;
  return radius ? named("radius", number_fault(*radius, {.positive = true})) : std::nullopt;
}

MaybeFault place_fault(const toml::node& node, const Key& key, bool in_list = false) {
  if (node.is_integer()) return integer_fault(node, key);
  if (node.is_string())
    return text_fault(node, {.types = {KeyType::text}, .choices = {"start", "end", "all", "roots"}});
  if (const toml::table* region = node.as_table()) return region_fault(*region, key);
  if (node.is_array() && !in_list)
    return each_fault(*node.as_array(), [&](const toml::node& n) { return place_fault(n, key, true); });
  return wrong_type(node, expected(key));
}

MaybeFault array_fault(const toml::array& array, const Key& key) {
  if (takes(key, KeyType::vec3) && !(takes(key, KeyType::rows) && !array.empty() && array[0].is_array()))
    return vec3_fault(array, key);
  if (takes(key, KeyType::rows)) return rows_fault(array, key);
  if (takes(key, KeyType::pieces)) return pieces_fault(array, key);
  if (takes(key, KeyType::numbers)) return each_fault(array, [&](const toml::node& n) { return number_fault(n, key); });
  if (takes(key, KeyType::texts)) return each_fault(array, [&](const toml::node& n) { return text_fault(n, key); });
  return wrong_type(array, expected(key));
}

}  // namespace

std::optional<Fault> find_fault(const toml::node& value, const Key& key) {
  if (takes(key, KeyType::place)) return place_fault(value, key);
  if (value.is_array()) return array_fault(*value.as_array(), key);
  if (value.is_string() && takes(key, KeyType::text)) return text_fault(value, key);
  if (value.is_boolean() && takes(key, KeyType::boolean)) return std::nullopt;
  if (value.is_number() && takes(key, KeyType::number)) return number_fault(value, key);
  if (value.is_integer() && takes(key, KeyType::integer)) return integer_fault(value, key);
  if (value.is_floating_point() && !std::isfinite(to_double(value))) return finite_fault(value);
  return wrong_type(value, expected(key));
}

}  // namespace tendril::scene
