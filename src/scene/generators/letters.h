#pragma once

#include <string_view>
#include <vector>

#include "layers.h"

namespace tendril::scene {

// pixels side by side
struct PixelRun {
  int first = 0, count = 0;
};

// a capital letter as pixels; each row of it hangs on the next by a pixel at least, so that it can be knitted
struct Glyph {
  int width = 0;
  std::vector<std::vector<PixelRun>> rows;  // from the bottom to the top
};

constexpr int glyph_rows = 7;

// nullptr when there is no such letter: the font has A to Z
const Glyph* find_glyph(char letter);

}  // namespace tendril::scene
