#include "render/picture.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace tendril::render {

namespace {

// the byte of each of so many linear values, evenly spaced: fine enough for the darkest tones
constexpr int tone_count = 1 << 16;
std::vector<std::uint8_t> make_tones() {
  std::vector<std::uint8_t> tones;
  for (int k = 0; k <= tone_count; ++k)
    tones.push_back(std::uint8_t(std::lround(255 * srgb_from_linear(float(k) / tone_count))));
  return tones;
}

std::vector<char> compress(const Picture& picture) {
  const std::vector<std::uint8_t> bytes = srgb_bytes(picture);
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(picture.width);
  image.height = png_uint_32(picture.height);
  image.format = picture.alpha.empty() ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<char> file(size);
  if (!png_image_write_to_memory(&image, file.data(), &size, 0, bytes.data(), 0, nullptr))
    throw std::runtime_error(
        fmt::format("cannot encode a picture of {} x {}: {}", picture.width, picture.height, image.message));
  file.resize(size);
  return file;
}

}  // namespace

float srgb_from_linear(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

float linear_from_srgb(float srgb) {
  return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f);
}

std::vector<std::uint8_t> srgb_bytes(const Picture& picture) {
  static const std::vector<std::uint8_t> tones = make_tones();
  const auto encode = [](float linear) {
    return tones[std::size_t(tone_count * std::clamp(linear, 0.0f, 1.0f) + 0.5f)];
  };
  const std::size_t pixels = std::size_t(picture.width) * picture.height;
  const bool opaque = picture.alpha.empty();
  std::vector<std::uint8_t> bytes;
  bytes.reserve(pixels * (opaque ? 3 : 4));
  for (std::size_t i = 0; i < pixels; ++i) {
    const float alpha = opaque ? 1 : std::clamp(picture.alpha[i], 0.0f, 1.0f);
    for (int k = 0; k < 3; ++k) bytes.push_back(alpha > 0 ? encode(picture.rgb[3 * i + k] / alpha) : 0);
    if (!opaque) bytes.push_back(std::uint8_t(std::lround(255 * alpha)));
  }
  return bytes;
}

void write_png(const Picture& picture, const std::filesystem::path& path) {
  if (picture.width <= 0 || picture.height <= 0) throw std::invalid_argument("a picture needs at least one pixel");
  const std::vector<char> file = compress(picture);

  // beside the target first, so that a full disk or a kill leaves no half of a picture
  const std::filesystem::path part = path.string() + ".part";
  errno = 0;
  std::ofstream out(part, std::ios::binary);
  out.write(file.data(), std::streamsize(file.size()));
  out.close();
  std::error_code error;
  if (!out)
    error = std::error_code(errno ? errno : EIO, std::generic_category());
  else
    std::filesystem::rename(part, path, error);
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  throw std::system_error(error, fmt::format("cannot write the picture {}", path.string()));
}

}  // namespace tendril::render
