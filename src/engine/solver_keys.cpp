#include "engine/solver_keys.h"

#include <fmt/format.h>

#include "scene/curves/default_text.h"

namespace tendril::engine {
namespace {

Key option_key(const OptionInfo& option) {
  Key key;
  key.name = option.name;
  key.unit = option.unit;
  key.meaning = option.meaning;
  key.choices = option.choices;
  key.minimum = option.minimum;
  key.maximum = option.maximum;
  if (const auto* b = std::get_if<bool>(&option.default_value))
    key.types = {KeyType::boolean}, key.default_text = *b ? "true" : "false";
  else if (const auto* i = std::get_if<int>(&option.default_value))
    key.types = {KeyType::integer}, key.default_text = fmt::format("{}", *i);
  else if (const auto* d = std::get_if<double>(&option.default_value))
    key.types = {KeyType::number}, key.default_text = default_text(*d);
  else
    key.types = {KeyType::text}, key.default_text = fmt::format("\"{}\"", std::get<std::string>(option.default_value));
  return key;
}

}  // namespace

std::vector<Key::Variant> solver_option_keys() {
  std::vector<Key::Variant> tables;
  for (const SolverInfo& info : registered_solvers()) {
    Key::Variant table{info.name, info.summary, {}};
    for (const OptionInfo& option : info.options) table.keys.push_back(option_key(option));
    tables.push_back(std::move(table));
  }
  return tables;
}

OptionValues read_options(const Table& root, const SolverInfo& solver) {
  OptionValues values;
  if (!root.has("solver") || !root.table("solver").has(solver.name)) return values;
  const Table t = root.table("solver").table(solver.name);
  for (const OptionInfo& option : solver.options) {
    if (!t.has(option.name)) continue;
    if (std::holds_alternative<bool>(option.default_value))
      values[option.name] = t.boolean(option.name);
    else if (std::holds_alternative<int>(option.default_value))
      values[option.name] = t.integer(option.name);
    else if (std::holds_alternative<double>(option.default_value))
      values[option.name] = t.number(option.name);
    else
      values[option.name] = t.text(option.name);
  }
  return values;
}

}  // namespace tendril::engine
