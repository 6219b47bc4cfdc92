#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace tendril::io {

// programs that others wrote, to read what we write

// What a command prints, as JSON. Throws std::runtime_error with its complaints when it fails.
nlohmann::json read_outside(const std::string& command);

// The folder node_modules with the readers from npm, brought there once. Throws std::runtime_error when npm fails.
std::filesystem::path node_readers();

// the folder of the scripts that call them
std::filesystem::path outside_scripts();

}  // namespace tendril::io
