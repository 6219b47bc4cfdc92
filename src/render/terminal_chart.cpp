#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/chart.h"

namespace tendril::render {

namespace {

constexpr int label_width = 10;
constexpr int color_codes[] = {34, 33, 32, 31, 35, 36};  // of terminals
constexpr std::size_t color_count = std::size(color_codes);

struct Range {
  double low = INFINITY, high = -INFINITY;

  void include(double v) { low = std::min(low, v), high = std::max(high, v); }
  bool empty() const { return !(low <= high); }
  double part(double v) const { return (v - low) / (high - low); }
  // neither empty nor a point
  Range widened() const {
    if (empty()) return {0, 1};
    const double half = high > low ? 0 : low != 0 ? 0.1 * std::abs(low) : 1;
    return {low - half, high + half};
  }
};

// cells of two by four dots; a cell has the colour of the last line through it
class Canvas {
 public:
  Canvas(int columns, int rows)
      : columns_(columns), rows_(rows), dots_(std::size_t(columns) * rows, 0), color_(dots_.size(), 0) {}

  int width() const { return 2 * columns_; }  // [dot]
  int height() const { return 4 * rows_; }

  void draw(int x0, int y0, int x1, int y1, int color) {
    const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
    for (int k = 0; k <= steps; ++k) {
      const double f = double(k) / steps;
      set(int(std::lround(x0 + f * (x1 - x0))), int(std::lround(y0 + f * (y1 - y0))), color);
    }
  }

  std::string row(int r, bool colors) const {
    std::string text;
    for (int c = 0; c < columns_; ++c) {
      const std::size_t i = std::size_t(r) * columns_ + c;
      const std::string cell = dots_[i] ? braille(dots_[i]) : " ";
      text += colors && dots_[i]
                  ? fmt::format("\033[{}m{}\033[0m", color_codes[std::size_t(color_[i]) % color_count], cell)
                  : cell;
    }
    return text;
  }

 private:
  // dots are numbered 1 2 3 7 down the left and 4 5 6 8 down the right; U+2800 and a bit for each
  void set(int x, int y, int color) {
    static constexpr int bit[2][4] = {{0, 1, 2, 6}, {3, 4, 5, 7}};
    const std::size_t i = std::size_t(y / 4) * columns_ + x / 2;
    dots_[i] |= 1 << bit[x % 2][y % 4];
    color_[i] = color;
  }
  static std::string braille(int dots) {
    const int code = 0x2800 + dots;
    return {char(0xe0 | code >> 12), char(0x80 | (code >> 6 & 0x3f)), char(0x80 | (code & 0x3f))};
  }

  int columns_, rows_;
  std::vector<int> dots_, color_;
};

double height_of(const Chart& chart, double y) {
  if (!chart.logarithmic) return y;
  return y > 0 ? std::log10(y) : NAN;
}

void draw_line(const Chart& chart, const ChartLine& line, const Range& xs, const Range& ys, Canvas& canvas) {
  bool connected = false;
  int last_x = 0, last_y = 0;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const double height = height_of(chart, line.y[i]);
    if (!std::isfinite(line.x[i]) || !std::isfinite(height)) {
      connected = false;
      continue;
    }
    const int x = int(std::lround(xs.part(line.x[i]) * (canvas.width() - 1)));
    const int y = int(std::lround((1 - ys.part(height)) * (canvas.height() - 1)));
    canvas.draw(connected ? last_x : x, connected ? last_y : y, x, y, line.color);
    connected = true, last_x = x, last_y = y;
  }
}

std::string label(const Chart& chart, const Range& ys, double part) {
  const double height = ys.low + part * (ys.high - ys.low);
  return fmt::format("{:>{}.4g}", chart.logarithmic ? std::pow(10, height) : height, label_width);
}

std::string legend(const Chart& chart, bool colors) {
  std::string text;
  for (const ChartLine& line : chart.lines) {
    const int code = color_codes[std::size_t(line.color) % color_count];
    const std::string mark = colors ? fmt::format("\033[{}m──\033[0m", code) : "──";
    const std::string last = line.y.empty() ? "" : fmt::format("  (last {:.6g})", line.y.back());
    text += fmt::format("{:>{}}{} {}{}\n", "", label_width + 1, mark, line.name, last);
  }
  return text;
}

}  // namespace

std::string terminal_chart(const Chart& chart, const TerminalSize& size) {
  Range xs, ys;
  for (const ChartLine& line : chart.lines)
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const double height = height_of(chart, line.y[i]);
      if (std::isfinite(line.x[i]) && std::isfinite(height)) xs.include(line.x[i]), ys.include(height);
    }
  xs = xs.widened(), ys = ys.widened();
  if (const auto level = range_around_level(chart)) ys = {level->low, level->high};
  Canvas canvas(std::max(size.columns - label_width - 2, 10), std::max(size.rows, 2));
  for (const ChartLine& line : chart.lines) draw_line(chart, line, xs, ys, canvas);

  const int rows = canvas.height() / 4;
  std::string text = fmt::format("{:>{}}{}{}\n", "", label_width + 1, chart.title,
                                 chart.y_label.empty() ? "" : "  [" + chart.y_label + "]");
  for (int r = 0; r < rows; ++r) {
    const bool marked = r == 0 || r == rows - 1 || r == rows / 2;
    text += (marked ? label(chart, ys, 1 - double(r) / (rows - 1)) : std::string(label_width, ' ')) +
            (marked ? "┤" : "│") + canvas.row(r, size.colors) + "\n";
  }
  const std::string first = fmt::format("{:.4g}", xs.low), last = fmt::format("{:.4g}", xs.high);
  const int gap = canvas.width() / 2 - int(first.size() + last.size());
  text += fmt::format("{:>{}}{}{:^{}}{}\n", "", label_width + 1, first, chart.x_label, std::max(gap, 1), last);
  return text + legend(chart, size.colors);
}

}  // namespace tendril::render
