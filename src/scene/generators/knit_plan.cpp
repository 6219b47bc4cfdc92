#include "scene/generators/knit_plan.h"

#include <fmt/format.h>

#include "scene/curves/curve_error.h"
#include "scene/curves/share.h"
#include "scene/generators/letters.h"

namespace tendril::scene {
namespace {

enum class Side { either, left, right };

// runs of pixels, one above the other, that one yarn will knit
struct Strip {
  std::vector<PixelRun> runs;
  int bottom = 0;            // row of pixels in which it begins
  Side side = Side::either;  // on which its edge is straight

  int top() const { return bottom + static_cast<int>(runs.size()) - 1; }

  // on which side the yarn could go on into this run of the next row, if any
  bool can_continue(const PixelRun& next, Side& on) const {
    const PixelRun& last = runs.back();
    const bool left = last.first == next.first, right = last.first + last.count == next.first + next.count;
    on = left && right ? side : left ? Side::left : Side::right;
    return (left || right) && (side == Side::either || side == on);
  }
};

std::vector<Strip> strips_of(const Glyph& glyph) {
  std::vector<Strip> strips;
  for (int row = 0; row < glyph_rows; ++row) {
    for (const PixelRun& run : glyph.rows[row]) {
      Strip* below = nullptr;
      Side on = Side::either;
      for (Strip& strip : strips)
        if (!below && strip.top() == row - 1 && strip.can_continue(run, on)) below = &strip, strip.side = on;
      if (below)
        below->runs.push_back(run);
      else
        strips.push_back({{run}, row, Side::either});
    }
  }
  return strips;
}

Yarn knit_strip(const Strip& strip, const Pixel& pixel, int first_column) {
  Yarn yarn;
  yarn.from_right = strip.side == Side::right;
  for (size_t k = 0; k < strip.runs.size(); ++k)
    for (int row = 0; row < pixel.rows; ++row)
      yarn.runs.push_back({(strip.bottom + static_cast<int>(k)) * pixel.rows + row,
                           first_column + strip.runs[k].first * pixel.columns, strip.runs[k].count * pixel.columns});
  return yarn;
}

}  // namespace

KnitPlan plan_patch(int rows, int columns, int yarns) {
  KnitPlan plan{{}, rows, columns};
  int row = 0;
  for (const int share : share_out(rows, std::vector<double>(yarns, 1), std::vector<int>(yarns, 1))) {
    Yarn yarn;
    for (int k = 0; k < share; ++k) yarn.runs.push_back({row++, 0, columns});
    plan.yarns.push_back(std::move(yarn));
  }
  return plan;
}

KnitPlan plan_letters(const std::string& text, const Pixel& pixel) {
  KnitPlan plan;
  plan.rows = glyph_rows * pixel.rows;
  constexpr int space = 3;  // pixels
  int column = 0;
  for (const char letter : text) {
    const Glyph* glyph = find_glyph(letter);
    if (!glyph && letter != ' ')
      throw CurveError("letters", fmt::format("has the character '{}'; expected capitals from A to Z", letter));
    if (glyph)
      for (const Strip& strip : strips_of(*glyph)) plan.yarns.push_back(knit_strip(strip, pixel, column));
    if (glyph) plan.columns = column + glyph->width * pixel.columns;
    column += ((glyph ? glyph->width : space) + 1) * pixel.columns;
  }
  require(!plan.yarns.empty(), "letters", "has nothing to knit; expected capitals from A to Z");
  return plan;
}

}  // namespace tendril::scene
