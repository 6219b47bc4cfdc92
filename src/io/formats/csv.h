#pragma once

#include <filesystem>

#include "io/strands.h"

namespace tendril::io {

// .csv with the columns time, rod, vertex, x, y, z: every moment, every digit. Strands of one name are one rod, whose
// points are numbered as they stand in the file; a strand without a name goes by its number.
void write_csv(const Take& take, const std::filesystem::path& path);

}  // namespace tendril::io
