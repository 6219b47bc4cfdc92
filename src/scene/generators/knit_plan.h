#pragma once

#include <string>

#include "scene/generators/knit_path.h"

namespace tendril::scene {

// which yarn goes where
struct KnitPlan {
  std::vector<Yarn> yarns;
  int rows = 0, columns = 0;
};

// a rectangle; the rows are shared out among the yarns, each to and fro through its own
KnitPlan plan_patch(int rows, int columns, int yarns);

// how many stitches stand for one pixel of a letter
struct Pixel {
  int columns = 2;
  int rows = 4;  // even, so that a yarn leaves a row of pixels on the side where it came in
};

// Letters side by side, one pixel apart, knitted as in intarsia: a yarn goes up through rows of pixels as long as they
// begin (or end) in the same column, and wherever the shape parts, a yarn of its own begins.
KnitPlan plan_letters(const std::string& text, const Pixel& pixel);

}  // namespace tendril::scene
