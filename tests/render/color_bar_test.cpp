#include "render/color_bar.h"

#include <gtest/gtest.h>

#include "render/bitmap_text.h"

namespace tendril::render {
namespace {

Picture blank(int width, int height, bool transparent = false) {
  Picture picture{width, height, std::vector<float>(std::size_t(3 * width * height), 0.5f), {}};
  if (transparent) picture.alpha.assign(std::size_t(width * height), 0.0f);
  return picture;
}

const ColoringName& strain() {
  for (const ColoringName& name : coloring_names())
    if (name.coloring == Coloring::strain) return name;
  throw std::logic_error("no strain");
}

double distance(const Vec3f& a, const Vec3f& b) { return norm(cast<double>(a - b)); }

// the scale of the rods, from its foot to its head
TEST(ColorBar, HasTheColoursOfTheScale) {
  Picture picture = blank(640, 360);
  draw_color_bar(strain(), 0.02, picture);
  const ColorBar bar = color_bar_of(picture);
  const int middle = bar.left + bar.width / 2;
  EXPECT_LT(distance(picture.color(middle, bar.top), scale_color(1)), 0.05);
  EXPECT_LT(distance(picture.color(middle, bar.top + bar.height - 1), scale_color(0)), 0.05);
  for (int row = 0; row < bar.height; ++row)
    EXPECT_LT(distance(picture.color(middle, bar.top + row), scale_color(1 - float(row) / float(bar.height))), 0.05);
  EXPECT_EQ(picture.color(10, 10), (Vec3f{0.5f, 0.5f, 0.5f}));
}

// numbers stand above and below, differ with the limit, and stay within the picture
TEST(ColorBar, SaysItsNumbers) {
  const auto drawn = [](double limit) {
    Picture picture = blank(640, 360);
    draw_color_bar(strain(), limit, picture);
    return picture;
  };
  const Picture a = drawn(0.02), b = drawn(1.23e-5);
  EXPECT_NE(a.rgb, b.rgb);
  const ColorBar bar = color_bar_of(a);
  int dark_above = 0, dark_below = 0;
  for (int row = 0; row < a.height; ++row)
    for (int column = 0; column < a.width; ++column) {
      if (a.color(column, row).x > 0.1f || (row >= bar.top && row < bar.top + bar.height)) continue;
      (row < bar.top ? dark_above : dark_below) += 1;
      EXPECT_GT(column, a.width - 120);
    }
  EXPECT_GT(dark_above, 60);
  EXPECT_GT(dark_below, 10);
}

TEST(ColorBar, IsOpaqueAndFitsIntoTheSmallestPicture) {
  Picture picture = blank(64, 36, true);
  draw_color_bar(strain(), 1, picture);
  const ColorBar bar = color_bar_of(picture);
  EXPECT_EQ(picture.alpha[std::size_t((bar.top + 1) * 64 + bar.left)], 1);
  EXPECT_EQ(picture.alpha[0], 0);
  Picture point = blank(1, 1);
  draw_color_bar(strain(), 1, point);
}

// "1" as a person would draw it
TEST(BitmapText, DrawsLetters) {
  Picture picture = blank(6, 7);
  draw_text("1", 0, 0, 1, {0, 0, 0}, picture);
  std::string seen;
  for (int row = 0; row < 7; ++row) {
    for (int column = 0; column < 5; ++column) seen += picture.color(column, row).x == 0 ? '#' : '.';
    seen += '\n';
  }
  EXPECT_EQ(seen, "..#..\n.##..\n..#..\n..#..\n..#..\n..#..\n.###.\n");
}

}  // namespace
}  // namespace tendril::render
