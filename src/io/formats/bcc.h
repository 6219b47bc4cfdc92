#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "io/strands.h"

namespace tendril::io {

// .bcc, Cem Yuksel's binary curve collections (yarns): single precision, one moment, no radii; turned to z up. Curves
// are straight between their points or Catmull-Rom through them. Points that strands share are written for each of
// them.
Take read_bcc(std::span<const char> bytes, const std::string& name);
void write_bcc(const Take& take, const std::filesystem::path& path);

}  // namespace tendril::io
