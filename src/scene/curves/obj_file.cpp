#include "scene/curves/obj_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/default_text.h"

namespace tendril {

using enum KeyType;
namespace {

// one statement of the file, cut into words
struct Statement {
  std::vector<std::string_view> words;
  int line = 0;  // of the file, from 1

  [[noreturn]] void fail(const std::string& message) const {
    throw CurveError("path", fmt::format("line {} of the file: {}", line, message));
  }
};

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  std::vector<std::string_view> words;
  text = text.substr(0, text.find('#'));
  for (size_t begin = text.find_first_not_of(blank); begin != text.npos;) {
    const size_t end = std::min(text.find_first_of(blank, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(blank, end);
  }
  return words;
}

template <class T>
T parse(const Statement& statement, std::string_view word) {
  T value{};
  const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size())
    statement.fail(fmt::format("\"{}\" is not a number", word.substr(0, 40)));
  return value;
}

Vec3d parse_point(const Statement& statement) {
  if (statement.words.size() < 4) statement.fail("`v` needs three coordinates; is the file cut short?");
  Vec3d point;
  for (int k = 0; k < 3; ++k) point[k] = parse<double>(statement, statement.words[k + 1]);
  if (!is_finite(point)) statement.fail("a coordinate is not finite");
  return point;
}

// "7", "7/2" (with a texture index) or "-1" (the point before this line), counted from 1
int parse_index(const Statement& statement, std::string_view word, int point_count) {
  const int index = parse<int>(statement, word.substr(0, word.find('/')));
  const int point = index < 0 ? point_count + index : index - 1;
  if (index == 0 || point < 0 || point >= point_count)
    statement.fail(fmt::format("`l` names point {}, there are {} points above it", index, point_count));
  return point;
}

// joins lines that end with a backslash
bool read_joined_line(std::istream& in, std::string& text, int& line) {
  text.clear();
  for (std::string part; std::getline(in, part);) {
    ++line;
    if (part.ends_with('\r')) part.pop_back();
    text += part;
    if (!text.ends_with('\\')) return true;
    text.back() = ' ';
  }
  return !text.empty();
}

// keeps the points that lines use, in their order
LineGraph without_idle_points(LineGraph graph) {
  std::vector<int> place(graph.points.size(), -1);
  for (const auto& edge : graph.edges)
    for (int i : edge) place[i] = 0;
  int count = 0;
  for (size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0) continue;
    graph.points[count] = graph.points[i];
    place[i] = count++;
  }
  graph.points.resize(count);
  for (auto& edge : graph.edges) edge = {place[edge[0]], place[edge[1]]};
  return graph;
}

}  // namespace

LineGraph read_obj(std::istream& in) {
  LineGraph graph;
  std::map<std::pair<int, int>, int> line_of_edge;
  std::string text;
  Statement statement;
  while (read_joined_line(in, text, statement.line)) {
    statement.words = words_of(text);
    if (statement.words.empty()) continue;
    if (statement.words[0] == "v") {
      if (graph.points.size() >= size_t{most_segments}) statement.fail("more than ten million points");
      graph.points.push_back(parse_point(statement));
    } else if (statement.words[0] == "l") {
      if (statement.words.size() < 3) statement.fail("`l` needs two points or more; is the file cut short?");
      const int count = static_cast<int>(graph.points.size());
      int before = parse_index(statement, statement.words[1], count);
      for (size_t k = 2; k < statement.words.size(); ++k) {
        const int next = parse_index(statement, statement.words[k], count);
        if (graph.points[before] == graph.points[next])
          statement.fail(fmt::format("points {} and {} are joined and lie on the same spot", before + 1, next + 1));
        const auto [other, is_new] = line_of_edge.try_emplace(std::minmax(before, next), statement.line);
        if (!is_new)
          statement.fail(
              fmt::format("points {} and {} are joined already in line {}", before + 1, next + 1, other->second));
        graph.edges.push_back({before, next});
        before = next;
      }
    }
  }
  if (in.bad()) throw CurveError("path", "the file cannot be read to its end");
  return without_idle_points(std::move(graph));
}

Curve file_curve(const FileOptions& options, int segments) {
  require(options.scale > 0 && std::isfinite(options.scale), "scale", "must be greater than 0");
  require(options.resample >= 0 && std::isfinite(options.resample), "resample", "must be finite and not negative");
  require(options.resample == 0 || segments == 0, "resample", "and the rod's `segments` exclude each other");
  const std::filesystem::path path = options.path;
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (extension != ".obj")
    throw CurveError(
        "path", fmt::format("\"{}\": files of type \"{}\" cannot be read yet, only .obj", options.path, extension));
  require(!std::filesystem::is_directory(path), "path", fmt::format("\"{}\" is a folder", options.path));
  std::ifstream in(path);
  require(in.is_open(), "path", fmt::format("the file \"{}\" cannot be opened", options.path));

  LineGraph graph = read_obj(in);
  require(!graph.edges.empty(), "path", "the file has no lines: it needs `v` and `l` statements");
  for (Vec3d& x : graph.points) x *= options.scale;
  ResampleOptions resample;
  resample.segments = segments;
  resample.longest_edge = options.resample;
  return graph_curve(graph, resample);
}

Key::Variant file_keys() {
  const FileOptions standard;
  return {"file",
          "lines of a Wavefront OBJ file (`v`, `l`): points that lines share become branches and loops",
          {{.name = "path", .types = {text}, .meaning = "the file, from the folder of the scene", .required = true},
           {.name = "scale",
            .types = {number},
            .unit = "-",
            .default_text = default_text(standard.scale),
            .meaning = "on all coordinates",
            .positive = true},
           {.name = "resample",
            .types = {number},
            .unit = "m",
            .default_text = default_text(standard.resample),
            .meaning = "cuts every strand into equal edges of at most this length; 0: the file's own points",
            .minimum = 0}}};
}

FileOptions read_file(const Table& table) {
  const std::filesystem::path path = table.text("path");
  FileOptions options;
  options.path = path.is_absolute() ? path.string() : (std::filesystem::path(table.directory()) / path).string();
  options.scale = table.number("scale");
  options.resample = table.number("resample");
  return options;
}

}  // namespace tendril
