#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "io/strands.h"

namespace tendril::io {

// The lines of Wavefront .obj (`v`, `l`, names by `o`): double precision in text, one moment, z up, no radii. Points
// without a line are left out, all other statements are passed over. Lines of a single edge, as mesh editors write
// them, are joined into the longest strands that do not branch.
Take read_obj(std::span<const char> bytes, const std::string& name);
void write_obj(const Take& take, const std::filesystem::path& path);

}  // namespace tendril::io
