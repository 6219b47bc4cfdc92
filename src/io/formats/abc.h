#pragma once

#include <filesystem>

#include "io/strands.h"

namespace tendril {

// Alembic curves with the attributes of Unreal's grooms, single precision; moments go to the file as they come
void write_abc(const Take& take, const std::filesystem::path& path);

}  // namespace tendril
