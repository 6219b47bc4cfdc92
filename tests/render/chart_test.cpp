#include "render/chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "scratch.h"

namespace tendril::render {
namespace {

namespace fs = std::filesystem;

Chart energies() {
  return {"Energy isn't everything",
          "time [s]",
          "J",
          false,
          {{"kinetic", {0, 0.5, 1}, {1, 2, 4}}, {"min_gap", {0, 0.5, 1}, {INFINITY, INFINITY, 0.1}, 1}}};
}

class Charts : public testing::Test {
 protected:
  static std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string complaint(const Chart& chart, const fs::path& out) const {
    try {
      draw_chart(chart, out);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  int file_count() const { return int(std::distance(fs::directory_iterator(folder), fs::directory_iterator())); }

  const Scratch scratch{fs::temp_directory_path(), "tendril it's a chart "};
  const fs::path& folder = scratch.path();
};

TEST_F(Charts, SvgHasTitleAndNames) {
  draw_chart(energies(), folder / "chart.svg");
  const std::string svg = contents(folder / "chart.svg");
  for (const char* word : {"kinetic", "min_gap", "everything", "time [s]"})
    EXPECT_NE(svg.find(word), std::string::npos) << word;
  EXPECT_EQ(file_count(), 1);  // nothing left over
}

TEST_F(Charts, PngIsOne) {
  draw_chart(energies(), folder / "chart.png");
  EXPECT_EQ(contents(folder / "chart.png").substr(1, 3), "PNG");
}

TEST_F(Charts, OtherFormatsAndNoLinesAreRefused) {
  EXPECT_NE(complaint(energies(), folder / "chart.bmp").find(".png or .svg"), std::string::npos);
  EXPECT_NE(complaint({}, folder / "chart.png"), "");
  EXPECT_NE(complaint(energies(), folder / "absent" / "chart.png").find("absent/chart.png"), std::string::npos);
  EXPECT_EQ(file_count(), 0);
}

TEST_F(Charts, MissingGnuplotIsExplained) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  const std::string message = complaint(energies(), folder / "chart.png");
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(message.find("install the package gnuplot"), std::string::npos) << message;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

// the dots of a row of cells, as numbers
std::vector<int> dots(const std::string& line) {
  std::vector<int> cells;
  const std::size_t axis = line.find("┤") != std::string::npos ? line.find("┤") : line.find("│");
  for (std::size_t i = axis + 3; i < line.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(line[i + k]); };
    const bool braille = byte(0) == 0xe2;
    cells.push_back(braille ? ((byte(1) & 0x3f) << 6 | (byte(2) & 0x3f)) & 0xff : 0);
    i += braille ? 3 : 1;
  }
  return cells;
}

// a line from one corner to the other has one dot in each column of dots, and rises
TEST(TerminalChart, ADiagonalRisesFromCornerToCorner) {
  Chart chart{"t", "time [s]", "m", false, {{"rise", {0, 2}, {0, 5}}}};
  const std::vector<std::string> lines = lines_of(terminal_chart(chart, {10 + 2 + 20, 10, false}));
  EXPECT_EQ(dots(lines[1]).back(), 1 << 3 | 1 << 1 | 0) << "upper right";  // its top dot, and one lower to the left
  EXPECT_NE(dots(lines[10]).front() & 1 << 6, 0) << "lower left dot";
  int last = -1;
  for (int row = 10; row >= 1; --row) {
    const std::vector<int> cells = dots(lines[std::size_t(row)]);
    ASSERT_EQ(cells.size(), 20u);
    for (int c = 0; c < 20; ++c)
      if (cells[std::size_t(c)]) {
        EXPECT_GE(c, last - 1);
        last = c;
      }
  }
  EXPECT_EQ(last, 19);
  EXPECT_NE(lines[1].find("5┤"), std::string::npos);
  EXPECT_NE(lines[10].find("0┤"), std::string::npos);
  EXPECT_NE(lines[12].find("rise  (last 5)"), std::string::npos);
}

TEST(TerminalChart, GapsConstantsAndLogarithms) {
  Chart gap{"", "", "", false, {{"a", {0, 1, 2, 3, 4}, {1, 1, NAN, 3, 3}}}};
  const std::vector<std::string> lines = lines_of(terminal_chart(gap, {32, 9, false}));
  for (int row = 2; row <= 8; ++row)
    for (const int cell : dots(lines[std::size_t(row)])) EXPECT_EQ(cell, 0) << "nothing joins the two levels";
  Chart constant{"", "", "", false, {{"a", {0, 1}, {7, 7}}}};
  EXPECT_NE(terminal_chart(constant, {32, 9, false}).find("7┤"), std::string::npos);
  Chart decades{"", "", "", true, {{"a", {1, 2, 3}, {1e-4, 0, 1}}}};
  EXPECT_NE(terminal_chart(decades, {32, 9, false}).find("0.01┤"), std::string::npos);
  EXPECT_FALSE(terminal_chart({}, {}).empty());
}

// what stays the same but for its last digits is a level, and so is what is zero beside what it belongs to
TEST(TerminalChart, RoundOffIsNotMagnified) {
  Chart chart{"", "", "J", false, {{"a", {0, 1, 2, 3}, {7, 7 + 4e-14, 7 - 6e-14, 7 + 1e-14}}}};
  const auto rows_with_dots = [](const Chart& c) {
    int count = 0;
    for (const std::string& line : lines_of(terminal_chart(c, {32, 9, false}))) {
      if (line.find("┤") == std::string::npos && line.find("│") == std::string::npos) continue;
      const std::vector<int> cells = dots(line);
      count += std::any_of(cells.begin(), cells.end(), [](int cell) { return cell != 0; });
    }
    return count;
  };
  EXPECT_EQ(rows_with_dots(chart), 1);
  ASSERT_TRUE(range_around_level(chart));
  EXPECT_NEAR(range_around_level(chart)->high, 7.7, 1e-9);
  chart.lines[0].y = {7, 7 + 4e-7, 7 - 6e-7, 7};
  EXPECT_FALSE(range_around_level(chart)) << "that may be physics";
  EXPECT_GT(rows_with_dots(chart), 3);
  chart.lines[0].y = {0, 3e-17, -2e-16, 1e-16};
  EXPECT_GT(rows_with_dots(chart), 3) << "nothing tells how large it should be";
  chart.round_off = 1e-12;
  EXPECT_EQ(rows_with_dots(chart), 1);
  EXPECT_EQ(range_around_level(chart)->low, -1);
  chart.lines.push_back({"b", {0, 1}, {0, 2}});
  EXPECT_FALSE(range_around_level(chart));
}

TEST(TerminalChart, ColoursOnlyWhereTheyAreUnderstood) {
  EXPECT_EQ(terminal_chart(energies(), {80, 10, false}).find('\033'), std::string::npos);
  EXPECT_NE(terminal_chart(energies(), {80, 10, true}).find("\033[33m"), std::string::npos);
}

}  // namespace
}  // namespace tendril::render
