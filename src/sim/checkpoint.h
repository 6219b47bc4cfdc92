#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "io/file.h"

namespace tendril::sim {

// A checkpoint file: a magic, a version, the length and checksum of the bytes that follow. It is written beside the old
// one and on the disk before it takes its place, so that there is always a whole one.
void write_checkpoint(const std::filesystem::path& path, std::span<const char> bytes);

// throws FileError when it is damaged, cut short, or of another version
std::vector<char> read_checkpoint(const std::filesystem::path& path);

}  // namespace tendril::sim
