#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/strands.h"

namespace tendril::io {

// one file format of rods
struct Format {
  std::string extension;  // with its dot, in lower case
  std::string meaning;    // one line
  bool moves = false;     // one file holds many moments; otherwise one, the last unless asked for
  Take (*read)(std::span<const char> bytes,
               const std::string& name) = nullptr;  // throws FileError naming `name`; nullptr: not read
  void (*write)(const Take& take, const std::filesystem::path& path) =
      nullptr;  // of one moment when it does not move; nullptr: not written
};

const std::vector<Format>& formats();
const Format* find_format(const std::filesystem::path& path);  // by its extension; nullptr: unknown

// throws FileError (not what it should be, or a format that cannot be read) or ResourceError (the disk)
Take read_rods(const std::filesystem::path& path);
void write_rods(const Take& take, const std::filesystem::path& path);

// the same strands at one of their moments only
Take at_moment(const Take& take, int moment);

}  // namespace tendril::io
