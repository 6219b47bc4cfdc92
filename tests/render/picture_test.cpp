#include "render/picture.h"

#include <gtest/gtest.h>
#include <png.h>

#include <filesystem>
#include <system_error>

#include "scratch.h"

namespace tendril::render {
namespace {

namespace fs = std::filesystem;

std::vector<png_byte> read(const fs::path& path, png_image& image, png_uint_32 format) {
  image = {};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str())) return {};
  image.format = format;
  std::vector<png_byte> bytes(PNG_IMAGE_SIZE(image));
  png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr);
  return bytes;
}

TEST(Picture, IsReadBackAsItWasWritten) {
  const Scratch scratch;
  const fs::path file = scratch / "picture.png";
  Picture picture{2, 1, {0, 0.5f, 1, 0.2158605f, 2.0f, 0.001f}, {}};
  write_png(picture, file);
  png_image image;
  const std::vector<png_byte> bytes = read(file, image, PNG_FORMAT_RGB);
  EXPECT_EQ(image.width, 2u);
  EXPECT_EQ(image.height, 1u);
  // the sRGB curve: half the light is byte 188, 0.2159 the middle of the scale; what is too bright is white
  EXPECT_EQ(bytes, (std::vector<png_byte>{0, 188, 255, 128, 255, 3}));
  EXPECT_FALSE(fs::exists(file.string() + ".part"));
}

TEST(Picture, TransparentColorsAreNotMultipliedByAlpha) {
  const Scratch scratch;
  const fs::path file = scratch / "transparent.png";
  write_png({2, 1, {0.25f, 0.25f, 0.5f, 0, 0, 0}, {0.5f, 0}}, file);
  png_image image;
  EXPECT_EQ(read(file, image, PNG_FORMAT_RGBA), (std::vector<png_byte>{188, 188, 255, 128, 0, 0, 0, 0}));
}

TEST(Picture, SrgbCurveIsItsOwnInverse) {
  for (int k = 0; k <= 255; ++k) EXPECT_NEAR(srgb_from_linear(linear_from_srgb(float(k) / 255)), float(k) / 255, 1e-6);
}

TEST(Picture, AFolderThatIsNotThereIsNamed) {
  try {
    write_png({1, 1, {0, 0, 0}, {}}, "/nowhere/at/all.png");
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/at/all.png"), std::string::npos);
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
  }
}

}  // namespace
}  // namespace tendril::render
