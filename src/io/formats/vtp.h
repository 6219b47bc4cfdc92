#pragma once

#include <filesystem>

#include "io/strands.h"

namespace tendril::io {

// VTK's PolyData: one moment, polylines with radius, velocity and frame at every point; float64, raw appended data
void write_vtp(const Take& take, const std::filesystem::path& path);

}  // namespace tendril::io
