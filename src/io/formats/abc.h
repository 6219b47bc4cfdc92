#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "io/strands.h"

namespace tendril::io {

// Alembic curves with the attributes of Unreal's grooms, single precision; moments go to the file as they come
void write_abc(const Take& take, const std::filesystem::path& path);

// the curves of an archive, with the transforms above them; linear and Catmull-Rom ones
Take read_abc(std::span<const char> bytes, const std::string& name);

}  // namespace tendril::io
