#pragma once

#include <string>

#include "scene/document.h"
#include "scene/key.h"

namespace tendril::scene {

// what was found: `text "abc"`, `integer 5`, `an array of 2`
std::string describe(const toml::node& node);

// what a key takes: `a positive number [s]`, `one of "curve", "straight"`
std::string expected(const Key& key);

// the same in one or two words for the reference: `number`, `text or rows`
std::string type_name(const Key& key);

// `greater than 0`, `at least 1`, `from 0 to 1`; empty when any number will do
std::string range_text(const Key& key);

// the names of these keys, aliases left out
std::vector<std::string> key_names(const Key& table, const Key::Variant* variant);

}  // namespace tendril::scene
