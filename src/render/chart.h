#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "layers.h"

namespace tendril::render {

// a line of a chart; points that are not finite are gaps in it
struct ChartLine {
  std::string name;
  std::vector<double> x, y;  // of one length
  int color = 0, dash = 0;   // lines of one colour and other dashes show one thing by several runs
};

struct Chart {
  std::string title, x_label, y_label;
  bool logarithmic = false;  // the y axis; points that are not positive are gaps
  std::vector<ChartLine> lines;
  double round_off = 0;  // of the y that are drawn: a change below it says nothing
};

struct ChartRange {
  double low = 0, high = 0;
};
// the y axis of a chart whose lines are one level but for round-off, which would be magnified; nullopt: draw them all
std::optional<ChartRange> range_around_level(const Chart& chart);

// Draws it by gnuplot, as PNG or SVG by the extension of `out`; the file is whole or absent. Throws
// std::invalid_argument for another extension or a chart without lines, std::system_error when it cannot be written,
// ProgramFailed when gnuplot is not here or fails
void draw_chart(const Chart& chart, const std::filesystem::path& out);

struct TerminalSize {
  int columns = 80, rows = 20;
  bool colors = false;  // tell the lines apart by colours, as terminals understand them
};

// the same as text: braille dots between two axes, then a legend
std::string terminal_chart(const Chart& chart, const TerminalSize& size = {});

}  // namespace tendril::render
