#pragma once

#include <toml++/toml.h>

#include <memory>
#include <string>
#include <string_view>

#include "scene/key.h"

namespace tendril::scene {

// a scene file in memory, with the keys that it is checked against
struct Document {
  std::string file;       // as the user named it
  std::string directory;  // relative paths in the file start here
  toml::table root;
  Key key;  // the whole file seen as one table
};

// "file:12:3", or "--set PATH=VALUE" for what came from the command line
std::string position(const Document& document, const toml::source_region& source);

// "rod.beam" + "tip.z" -> rod.beam."tip.z"
std::string join_path(const std::string& path, std::string_view name);

// the value of a key by its name or its alias, nullptr when absent
const toml::node* find_value(const toml::table& table, const Key& key);

// the key of this name among the table's own and its variant's, nullptr when unknown
const Key* find_key(const Key& table, const Key::Variant* variant, std::string_view name);

// the variant that the selector of this table chooses, nullptr when none
const Key::Variant* chosen_variant(const Key& key, const toml::table& table);

// the name under which an entry of an array of tables is addressed: its `name`, or its index
std::string entry_name(const toml::node& entry, std::size_t index);

// `default_text` as a TOML value; the key has one
toml::table parse_default(const Key& key);  // under the name "value"

bool takes(const Key& key, KeyType type);

// an integer or a float as a double; the node is one of them
double to_double(const toml::node& node);

}  // namespace tendril::scene
