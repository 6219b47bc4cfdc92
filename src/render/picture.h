#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "math/vec3.h"

namespace tendril::render {

// an image in linear light, rows from the top
struct Picture {
  int width = 0, height = 0;
  std::vector<float> rgb;    // red, green, blue as displayed, 0 to 1; multiplied by alpha (3 per pixel)
  std::vector<float> alpha;  // coverage; empty when the picture is opaque (pixel)

  Vec3f color(int column, int row) const {
    const float* p = &rgb[3 * (std::size_t(row) * width + column)];
    return {p[0], p[1], p[2]};
  }
};

// the curve of the sRGB standard (IEC 61966-2-1), both ways
float srgb_from_linear(float linear);
float linear_from_srgb(float srgb);

// eight bits per channel in sRGB, colours not multiplied by alpha: RGB, or RGBA when the picture has alpha
std::vector<std::uint8_t> srgb_bytes(const Picture& picture);

// a PNG; the file is whole or absent. Throws std::system_error when it cannot be written
void write_png(const Picture& picture, const std::filesystem::path& path);

}  // namespace tendril::render
