#include "render/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "render/child.h"

namespace tendril::render {

namespace {

namespace fs = std::filesystem;

constexpr const char* colors[] = {"#2f6db5", "#e07b39", "#3c9d6b", "#c8473f",
                                  "#7d5ba6", "#2a9da8", "#d4668f", "#8a6b4f"};
constexpr std::size_t color_count = std::size(colors), dash_count = 5;

// a text of gnuplot's language
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\n') continue;
    result += c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

std::string terminal(const fs::path& out) {
  const std::string extension = out.extension().string();
  if (extension == ".png") return "pngcairo size 1280,720 noenhanced font 'sans,16' background rgb '#ffffff'";
  if (extension == ".svg") return "svg size 1280,720 noenhanced font 'sans,16' background rgb '#ffffff'";
  throw std::invalid_argument(fmt::format("cannot draw a chart as '{}': name it .png or .svg", out.string()));
}

// a named block of points; an empty line is a gap
std::string data_block(const Chart& chart, std::size_t k) {
  const ChartLine& line = chart.lines[k];
  std::string block = fmt::format("$line{} << END\n", k);
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const bool drawn = std::isfinite(line.x[i]) && std::isfinite(line.y[i]) && (!chart.logarithmic || line.y[i] > 0);
    block += drawn ? fmt::format("{:.9g} {:.9g}\n", line.x[i], line.y[i]) : "\n";
  }
  return block + "END\n";
}

std::string plot_words(const Chart& chart, std::size_t k) {
  const ChartLine& line = chart.lines[k];
  return fmt::format("$line{} using 1:2 with {} linewidth 2.5 dashtype {} linecolor rgb '{}' title {}", k,
                     line.x.size() > 1 ? "lines" : "points", 1 + std::size_t(line.dash) % dash_count,
                     colors[std::size_t(line.color) % color_count], quoted(line.name));
}

std::string range_words(const Chart& chart) {
  const std::optional<ChartRange> range = range_around_level(chart);
  return range ? fmt::format("set yrange [{:.9g}:{:.9g}]\n", range->low, range->high) : "";
}

std::string script(const Chart& chart, const std::string& terminal, const fs::path& out) {
  std::string data, plots;
  for (std::size_t k = 0; k < chart.lines.size(); ++k) {
    data += data_block(chart, k);
    plots += (k ? ", " : "") + plot_words(chart, k);
  }
  return fmt::format(
      "set terminal {}\nset output {}\nset title {}\nset xlabel {}\nset ylabel {}\n{}"
      "set key below center\n"
      "set border 3 linecolor rgb '#555555'\nset tics nomirror\nset grid linecolor rgb '#dddddd' linewidth 1\n"
      "set format y '%g'\n{}{}plot {}\nexit\n",
      terminal, quoted(out.string()), quoted(chart.title), quoted(chart.x_label), quoted(chart.y_label),
      chart.logarithmic ? "set logscale y\n" : "", range_words(chart), data, plots);
}

}  // namespace

std::optional<ChartRange> range_around_level(const Chart& chart) {
  constexpr double round_off = 1e-9;  // of a column that is printed with all its digits, after many steps
  double low = INFINITY, high = -INFINITY;
  for (const ChartLine& line : chart.lines)
    for (const double y : line.y)
      if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
  const double size = std::max(std::abs(low), std::abs(high));
  if (chart.logarithmic || !(low <= high) || high - low > std::max(round_off * size, chart.round_off)) return {};
  const double middle = size <= chart.round_off ? 0 : 0.5 * (low + high),
               half = middle != 0 ? 0.1 * std::abs(middle) : 1;
  return ChartRange{middle - half, middle + half};
}

void draw_chart(const Chart& chart, const fs::path& out) {
  const std::string kind = terminal(out);
  if (chart.lines.empty()) throw std::invalid_argument("a chart needs at least one line");
  const fs::path part = out.string() + ".part", folder = out.parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder)) error = std::make_error_code(std::errc::no_such_file_or_directory);
  if (!error) {
    const std::string words = script(chart, kind, part);
    try {
      Child gnuplot({"gnuplot", "-"}, "gnuplot-nox");
      gnuplot.write({words.data(), words.size()});
      gnuplot.finish();
    } catch (...) {
      fs::remove(part, error);
      throw;
    }
    fs::rename(part, out, error);
  }
  if (error) throw std::system_error(error, fmt::format("cannot write the chart {}", out.string()));
}

}  // namespace tendril::render
