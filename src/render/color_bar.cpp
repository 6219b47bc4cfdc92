#include "render/color_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/bitmap_text.h"

namespace tendril::render {
namespace {

constexpr int least_height = 120;  // of a picture with words [pixel]

int dot_of(const Picture& picture) { return std::max(1, picture.height / 360); }

}  // namespace

ColorBar color_bar_of(const Picture& picture) {
  ColorBar bar;
  bar.width = std::max(2, picture.width / 64);
  bar.height = std::max(2, 2 * picture.height / 5);
  bar.left = picture.width - 2 * bar.width;
  bar.top = (picture.height - bar.height) / 2;
  return bar;
}

void draw_color_bar(const ColoringName& quantity, double limit, Picture& picture) {
  const ColorBar bar = color_bar_of(picture);
  for (int row = 0; row < bar.height; ++row)
    fill_rectangle(bar.left, bar.top + row, bar.width, 1,
                   scale_color((float(bar.height - row) - 0.5f) / float(bar.height)), picture);
  if (picture.height < least_height) return;

  const Vec3f ink{0.08f, 0.08f, 0.08f};
  const int dot = dot_of(picture), line = (letter_height + 2) * dot;
  const auto write = [&](const std::string& text, int row) {  // it ends where the bar does
    draw_text(text, bar.left + bar.width - int(text.size()) * letter_width * dot, row, dot, ink, picture);
  };
  const std::string unit = *quantity.unit ? fmt::format(" {}", quantity.unit) : "";
  write(quantity.name, bar.top - 2 * line - dot);
  write(fmt::format("{:.3g}{}", limit, unit), bar.top - line);
  write("0", bar.top + bar.height + 2 * dot);
}

}  // namespace tendril::render
