#include "scene/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scene/describe.h"
#include "scene/presets.h"
#include "scene/suggest.h"
#include "scene/value_check.h"

namespace tendril::scene {
namespace {

using Names = std::map<std::string, std::vector<std::string>>;

// the names that other tables may refer to, by the table that gives them
Names collect_names(const toml::table& root) {
  Names names;
  if (const toml::table* materials = root["material"].as_table())
    for (const auto& [name, value] : *materials) names["material"].emplace_back(name.str());
  for (const char* kind : {"rod", "groom", "body", "obstacle"})
    if (const toml::array* entries = root[kind].as_array())
      for (const toml::node& entry : *entries)
        if (const toml::table* table = entry.as_table())
          if (const auto name = (*table)["name"].value<std::string>())
            names[std::string_view(kind) == "groom" ? "rod" : kind].push_back(*name);
  return names;
}

// "stick" of "stick.17", a copy; baking finds out whether there is such a copy
std::string without_number(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const bool numbered =
      dot != std::string::npos && dot + 1 < name.size() && name.find_first_not_of("0123456789", dot + 1) == name.npos;
  return numbered ? name.substr(0, dot) : name;
}

class Checker {
 public:
  Checker(const Document& document, Problems& problems)
      : document_(document), problems_(problems), names_(collect_names(document.root)) {}

  // one table: its keys, then what it lacks
  void check_table(const toml::table& table, const Key& key, const std::string& path) {
    const Key::Variant* variant = chosen_variant(key, table);
    if (!key.selector.empty() && !variant && !check_selector(table, key, path)) return;
    std::vector<std::string> misspelt;
    for (const auto& [name, value] : table) {
      if (const Key* known = find_key(key, variant, name.str())) {
        check_value(value, *known, join_path(path, name.str()));
      } else {
        report(name.source(), join_path(path, name.str()), unknown_key(name.str(), key, variant));
        misspelt.push_back(nearest_word(name.str(), key_names(key, variant)));
      }
    }
    check_required(table, key.keys, path, misspelt);
    if (variant) check_required(table, variant->keys, path, misspelt);
  }

 private:
  void report(const toml::source_region& source, const std::string& path, const std::string& message) {
    const bool in_file = !source.path || *source.path == document_.file;
    problems_.add(in_file ? source.begin.line : 0, in_file ? source.begin.column : 0,
                  fmt::format("{}: {}: {}", position(document_, source), path, message));
  }

  // a selector that is there but chooses nothing; its table cannot be checked further
  bool check_selector(const toml::table& table, const Key& key, const std::string& path) {
    const Key& selector = *find_key(key, nullptr, key.selector);
    std::vector<std::string> choices;
    for (const Key::Variant& variant : key.variants) choices.push_back(variant.name);
    const toml::node* value = find_value(table, selector);
    const std::string wanted = fmt::format("expected one of {}", listed_in_quotes(choices));
    if (!value) {
      report(table.source(), join_path(path, selector.name), "is missing; " + wanted);
    } else {
      const auto text = value->value_exact<std::string>();
      report(value->source(), join_path(path, selector.name),
             fmt::format("found {}; {}{}", describe(*value), wanted, text ? suggestion(*text, choices) : ""));
    }
    return false;
  }

  std::string unknown_key(std::string_view name, const Key& key, const Key::Variant* variant) const {
    const std::vector<std::string> known = key_names(key, variant);
    if (known.empty()) return "unknown key; nothing is expected here";
    std::string message = fmt::format("unknown key; expected one of {}", listed(known));
    if (const std::string near = suggestion(name, known); !near.empty()) return message + near;
    if (&key != &document_.key && find_key(document_.key, nullptr, name))
      return fmt::format("{} ([{}] is a table of its own)", message, name);
    for (const Key& table : document_.key.keys)
      if (&table != &key && !takes(table, KeyType::named_tables) && find_key(table, nullptr, name))
        return fmt::format("{} (`{}` belongs to {})", message, name, table.name);
    return message;
  }

  // a key that is there under a wrong name is not missing too
  void check_required(const toml::table& table, const std::vector<Key>& keys, const std::string& path,
                      const std::vector<std::string>& misspelt) {
    for (const Key& key : keys)
      if (key.required && !find_value(table, key) &&
          std::find(misspelt.begin(), misspelt.end(), key.name) == misspelt.end())
        report(table.source(), join_path(path, key.name), fmt::format("is missing; expected {}", missing(key)));
  }

  static std::string missing(const Key& key) {
    if (takes(key, KeyType::tables)) return fmt::format("at least one [[{}]]", key.name);
    if (takes(key, KeyType::named_tables)) return fmt::format("at least one [{}.NAME]", key.name);
    if (!takes(key, KeyType::table)) return expected(key);
    std::vector<std::string> needed;
    for (const Key& inner : key.keys)
      if (inner.required) needed.push_back(inner.name);
    return fmt::format("a table `{}`{}{}", key.name, needed.empty() ? "" : " with at least ", listed(needed));
  }

  void check_value(const toml::node& value, const Key& key, const std::string& path) {
    if (value.is_table() && takes(key, KeyType::table)) return check_table(*value.as_table(), key, path);
    if (value.is_table() && takes(key, KeyType::named_tables)) return check_named_tables(*value.as_table(), key, path);
    if (value.is_table() && takes(key, KeyType::named_texts)) return check_named_texts(*value.as_table(), key, path);
    if (value.is_array() && takes(key, KeyType::tables)) return check_tables(*value.as_array(), key, path);
    if (const auto fault = find_fault(value, key)) return report(fault->node->source(), path, fault->message);
    if (!key.refers_to.empty()) check_reference(value, key, path);
  }

  void check_tables(const toml::array& array, const Key& key, const std::string& path) {
    if (array.empty() && key.required) report(array.source(), path, "is empty; expected " + missing(key));
    for (std::size_t k = 0; k < array.size(); ++k) {
      const toml::node& entry = *array.get(k);
      const std::string entry_path = join_path(path, entry_name(entry, k));
      if (const toml::table* table = entry.as_table())
        check_table(*table, key, entry_path);
      else
        report(entry.source(), entry_path, fmt::format("found {}; expected a table", describe(entry)));
    }
  }

  void check_named_tables(const toml::table& table, const Key& key, const std::string& path) {
    for (const auto& [name, value] : table) {
      const std::string entry_path = join_path(path, name.str());
      if (const toml::table* inner = value.as_table())
        check_table(*inner, key, entry_path);
      else
        report(value.source(), entry_path, fmt::format("found {}; expected a table", describe(value)));
    }
  }

  void check_named_texts(const toml::table& table, const Key& key, const std::string& path) {
    for (const auto& [name, value] : table) {
      const std::string entry_path = join_path(path, name.str());
      if (!value.is_string())
        report(value.source(), entry_path, fmt::format("found {}; expected text", describe(value)));
      else if (!key.refers_to.empty())
        check_reference(value, key, entry_path);
    }
  }

  // a name, or the names in [[fraction, name], …]
  void check_reference(const toml::node& value, const Key& key, const std::string& path) {
    if (const toml::array* pieces = value.as_array()) {
      for (const toml::node& piece : *pieces) check_reference(*piece.as_array()->get(1), key, path);
      return;
    }
    const std::string name = *value.value<std::string>();
    const std::vector<std::string>& known = names_[key.refers_to];
    const auto is_known = [&](const std::string& n) { return std::find(known.begin(), known.end(), n) != known.end(); };
    if (is_known(name) || (key.refers_to == "rod" && is_known(without_number(name)))) return;
    std::vector<std::string> near = known;
    if (key.refers_to == "material")
      for (const std::string& preset : preset_names()) near.push_back(preset);
    const std::string wanted = known.empty() ? fmt::format("the scene has no {}", key.refers_to)
                                             : fmt::format("expected one of {}", listed_in_quotes(known));
    report(value.source(), path,
           fmt::format("there is no {} \"{}\"; {}{}", key.refers_to, name, wanted, suggestion(name, near)));
  }

  const Document& document_;
  Problems& problems_;
  Names names_;
};

}  // namespace

void check_keys(const Document& document, Problems& problems) {
  Checker(document, problems).check_table(document.root, document.key, "");
}

}  // namespace tendril::scene
