#include "scene/override.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "scene/describe.h"
#include "scene/suggest.h"
#include "scene/table.h"

namespace tendril::scene {
namespace {

// PATH=VALUE, the path cut at its dots
struct Setting {
  std::vector<std::string> path;
  std::string value;
};

// reads a path whose parts may be quoted: expect."tip.z".value
std::optional<Setting> split_setting(const std::string& set) {
  Setting setting;
  std::string part;
  bool part_is_done = false;  // a quoted part has ended
  for (std::size_t k = 0; k < set.size(); ++k) {
    const char c = set[k];
    if (c == '.' || c == '=') {
      if (part.empty()) return std::nullopt;
      setting.path.push_back(part);
      part.clear();
      part_is_done = false;
      if (c == '.') continue;
      setting.value = set.substr(k + 1);
      return setting;
    }
    if (part_is_done) return std::nullopt;
    if ((c == '"' || c == '\'') && part.empty()) {
      const std::size_t end = set.find(c, k + 1);
      if (end == std::string::npos) return std::nullopt;
      part = set.substr(k + 1, end - k - 1);
      part_is_done = true;
      k = end;
    } else {
      part += c;
    }
  }
  return std::nullopt;
}

// errors show the --set on one line
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text;
}

class Setter {
 public:
  Setter(Document& document, const std::string& set)
      : origin_("--set " + one_line(set)), table_(&document.root), key_(&document.key) {}

  void run(const Setting& setting) {
    for (std::size_t k = 0; k + 1 < setting.path.size(); ++k) descend(setting.path[k]);
    assign(setting.path.back(), setting.value);
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw SceneError(path_.empty() ? fmt::format("{}: {}", origin_, message)
                                   : fmt::format("{}: {}: {}", origin_, path_, message));
  }

 private:
  const Key& known_key(const std::string& name) {
    const Key::Variant* variant = chosen_variant(*key_, *table_);
    if (const Key* key = find_key(*key_, variant, name)) return *key;
    const std::vector<std::string> known = key_names(*key_, variant);
    path_ = join_path(path_, name);
    fail(fmt::format("unknown key; expected one of {}{}", listed(known), suggestion(name, known)));
  }

  // goes from a table into one of its tables, or from an array of tables into one of its entries
  void descend(const std::string& name) {
    if (array_) return enter_entry(name);
    if (user_named_) return enter_named(name);
    const Key& key = known_key(name);
    toml::node* value = table_->get(key.name);
    if (!value && !key.alias.empty()) value = table_->get(key.alias);
    path_ = join_path(path_, name);
    key_ = &key;
    user_named_ = takes(key, KeyType::named_tables) || takes(key, KeyType::named_texts);
    if (takes(key, KeyType::tables)) {
      array_ = value ? value->as_array() : nullptr;
      if (!array_) fail(fmt::format("the scene has no {}; --set changes only those that are there", key.name));
    } else if (user_named_ || takes(key, KeyType::table)) {
      table_ = value ? value->as_table() : insert(key.name, "{}")->as_table();
      if (!table_) fail(fmt::format("found {}; expected {}", describe(*value), expected(key)));
    } else {
      fail("holds no further keys; expected PATH=VALUE to end here");
    }
  }

  void enter_entry(const std::string& name) {
    std::vector<std::string> known;
    for (std::size_t k = 0; k < array_->size(); ++k) {
      toml::node& entry = *array_->get(k);
      known.push_back(entry_name(entry, k));
      if (known.back() != name && std::to_string(k) != name) continue;
      table_ = entry.as_table();
      path_ = join_path(path_, known.back());
      if (!table_) fail(fmt::format("found {}; expected a table", describe(entry)));
      array_ = nullptr;
      return;
    }
    fail(fmt::format("there is no {} \"{}\"; expected one of {}{}", key_->name, name, listed_in_quotes(known),
                     suggestion(name, known)));
  }

  void enter_named(const std::string& name) {
    toml::node* value = table_->get(name);
    if (!value || !value->is_table()) {
      std::vector<std::string> known;
      for (const auto& [key, node] : *table_) known.emplace_back(key.str());
      fail(fmt::format("there is no {} \"{}\"; expected one of {}{}", key_->name, name, listed_in_quotes(known),
                       suggestion(name, known)));
    }
    table_ = value->as_table();
    path_ = join_path(path_, name);
    user_named_ = false;
  }

  void assign(const std::string& name, const std::string& value) {
    if (array_) fail(fmt::format("\"{}\" is a whole {}; expected one of its keys after it", name, key_->name));
    const Key* key = user_named_ ? nullptr : &known_key(name);
    const bool takes_text =
        key ? takes(*key, KeyType::text) || takes(*key, KeyType::place) : takes(*key_, KeyType::named_texts);
    if (key && !key->alias.empty()) table_->erase(key->alias);
    if (insert(key ? key->name : name, value)) return;
    path_ = join_path(path_, name);
    if (!takes_text)
      fail(fmt::format("\"{}\" is not a TOML value; expected {}", one_line(value),
                       key ? expected(*key) : "a table { … }"));
    insert_text(key ? key->name : name, value);
  }

  // parses the value so that its nodes remember the --set; nullptr when it is not one TOML value
  toml::node* insert(const std::string& name, const std::string& value) {
    try {
      toml::table parsed = toml::parse("value = " + value, origin_);
      if (parsed.size() != 1 || !parsed.contains("value")) return nullptr;
      return put(name, std::move(*parsed.get("value")));
    } catch (const toml::parse_error&) {
      return nullptr;
    }
  }

  void insert_text(const std::string& name, const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    if (!insert(name, quoted + "\"")) fail("the value holds control characters; expected plain text");
  }

  toml::node* put(const std::string& name, toml::node&& value) {
    toml::source_region source = value.source();
    table_->erase(name);
    return &table_->insert(toml::key(name, std::move(source)), std::move(value)).first->second;
  }

  std::string origin_;            // how errors name this --set
  toml::table* table_;            // where the path has led so far
  toml::array* array_ = nullptr;  // or the array of tables
  const Key* key_;                // what stands there
  bool user_named_ = false;       // the next part is a name that the user chose
  std::string path_;
};

}  // namespace

void apply_set(Document& document, const std::string& set) {
  const std::optional<Setting> setting = split_setting(set);
  Setter setter(document, set);
  if (!setting) setter.fail("expected PATH=VALUE, such as simulation.time_step=1e-3 or expect.\"tip.z\".value=0");
  setter.run(*setting);
}

}  // namespace tendril::scene
