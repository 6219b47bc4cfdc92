#pragma once

#include <optional>
#include <string>

#include "scene/document.h"

namespace tendril::scene {

// what is wrong with a value, and at which node of it
struct Fault {
  const toml::node* node = nullptr;
  std::string message;
};

// compares one value (no table with keys of its own) with its key: type, finite, range, choices, widths, growing times
std::optional<Fault> find_fault(const toml::node& value, const Key& key);

}  // namespace tendril::scene
