#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "io/strands.h"

namespace tendril::io {

// .hair, Cem Yuksel's hair files: single precision, one moment, z up, thickness taken as a diameter. A strand whose
// last point is its first is a loop. Points that strands share are written for each of them.
Take read_hair(std::span<const char> bytes, const std::string& name);
void write_hair(const Take& take, const std::filesystem::path& path);

}  // namespace tendril::io
