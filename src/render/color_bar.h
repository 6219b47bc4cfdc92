#pragma once

#include "render/coloring.h"
#include "render/picture.h"

namespace tendril::render {

// where a colour bar stands in a picture, at its right edge [pixel]
struct ColorBar {
  int left = 0, top = 0, width = 0, height = 0;
};
ColorBar color_bar_of(const Picture& picture);

// Draws the colours from 0 at its foot to `limit` at its head, with both numbers, the quantity's name and its unit. A
// picture of less than about 120 pixels in height has the bar alone.
void draw_color_bar(const ColoringName& quantity, double limit, Picture& picture);

}  // namespace tendril::render
