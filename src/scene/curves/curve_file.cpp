#include "scene/curves/curve_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/file.h"
#include "io/formats.h"
#include "io/formats/up_axis.h"
#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/default_text.h"

namespace tendril::scene {

using enum KeyType;
namespace {

Strands read_strands(const std::string& path) {
  try {
    return read_rods(path).strands;
  } catch (const FileError& error) {
    throw CurveError("path", error.what());
  } catch (const ResourceError& error) {
    throw CurveError("path", error.what());
  }
}

// what the options say of a file that does not say it itself
void apply(const CurveFileOptions& options, Strands& strands) {
  const std::string extension = find_format(options.path)->extension;
  const int up = options.up[0] - 'x';
  require(up == 2 || (extension != ".bcc" && extension != ".usda"), "up",
          fmt::format("a {} file says itself which axis is up: leave this out", extension));
  require(options.thickness == "diameter" || extension == ".hair", "thickness",
          "is only for .hair files: leave this out");
  for (Vec3d& x : strands.points) x = options.scale * turned_to_z_up(up, x);
  const double radii = options.thickness == "radius" ? 2 * options.scale : options.scale;
  for (double& radius : strands.radius) radius *= radii;
  if (strands.one_radius_for_all) strands.radius.clear();  // the material says it, too, and it is the scene's own word
}

std::string text_of(const Strands& strands, int i) {
  const Vec3d& x = strands.points[i];
  return fmt::format("{} ({:g}, {:g}, {:g})", i, x.x, x.y, x.z);
}

// a point without an edge would be a vertex that nothing holds
void drop_idle_points(LineGraph& graph) {
  std::vector<int> place(graph.points.size(), -1);
  for (const Edge& edge : graph.edges)
    for (const int i : edge) place[i] = 0;
  int count = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0) continue;
    graph.points[count] = graph.points[i];
    if (!graph.radius.empty()) graph.radius[count] = graph.radius[i];
    if (!graph.color.empty()) graph.color[count] = graph.color[i];
    place[i] = count++;
  }
  graph.points.resize(count);
  if (!graph.radius.empty()) graph.radius.resize(count);
  if (!graph.color.empty()) graph.color.resize(count);
  for (Edge& edge : graph.edges) edge = {place[edge[0]], place[edge[1]]};
}

void refuse_double_edges(const Strands& strands, const LineGraph& graph) {
  std::vector<Edge> sorted;
  for (const auto& [a, b] : graph.edges) sorted.push_back({std::min(a, b), std::max(a, b)});
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return;
  throw CurveError("path", fmt::format("the file joins points {} and {} twice", text_of(strands, (*twice)[0]),
                                       text_of(strands, (*twice)[1])));
}

}  // namespace

LineGraph line_graph(const Strands& strands) {
  LineGraph graph;
  graph.points = strands.points;
  graph.radius = strands.radius;
  graph.smooth = strands.smooth;
  const auto has_color = [](const Strand& strand) { return strand.color != Strand{}.color; };
  if (std::any_of(strands.strands.begin(), strands.strands.end(), has_color))
    graph.color.resize(graph.points.size(), Strand{}.color);
  for (const Strand& strand : strands.strands) {
    const int count = static_cast<int>(strand.points.size());
    if (!graph.color.empty())
      for (const int i : strand.points) graph.color[i] = strand.color;
    for (int k = 0; k < strand.segment_count(); ++k) {
      const int a = strand.points[k], b = strand.points[(k + 1) % count];
      require(strands.points[a] != strands.points[b], "path",
              fmt::format("the file joins points {} and {}, which lie on the same spot", a, text_of(strands, b)));
      graph.edges.push_back({a, b});
    }
  }
  require(graph.edges.size() <= std::size_t{most_segments}, "path", "the file has more than ten million segments");
  refuse_double_edges(strands, graph);
  drop_idle_points(graph);
  return graph;
}

Curve file_curve(const CurveFileOptions& options, int segments) {
  require(options.scale > 0 && std::isfinite(options.scale), "scale", "must be greater than 0");
  require(options.resample >= 0 && std::isfinite(options.resample), "resample", "must be finite and not negative");
  require(options.resample == 0 || segments == 0, "resample", "and the rod's `segments` exclude each other");
  Strands strands = read_strands(options.path);
  apply(options, strands);
  return graph_curve(line_graph(strands), {.segments = segments, .longest_edge = options.resample});
}

Key::Variant file_keys() {
  const CurveFileOptions standard;
  return {
      "file",
      "the strands of a file: .hair, .bcc, .obj (`v`, `l`), .swc, .usda (BasisCurves) or .npz; those that share points "
      "become branches and loops, and radii that the file gives to its points are the rod's, unless it has `radius`; "
      "one thickness for all in the header of a .hair file is not used: the material has a radius; a strand's color, "
      "or "
      "that of the header, is drawn where neither rod nor material has one",
      {{.name = "path", .types = {text}, .meaning = "the file, from the folder of the scene", .required = true},
       {.name = "scale",
        .types = {number},
        .unit = "-",
        .default_text = default_text(standard.scale),
        .meaning = "on all coordinates and radii",
        .positive = true},
       {.name = "resample",
        .types = {number},
        .unit = "m",
        .default_text = default_text(standard.resample),
        .meaning = "cuts every strand into equal edges of at most this length, along the smooth curve where the file "
                   "has one; 0: the file's own points",
        .minimum = 0},
       {.name = "up",
        .types = {text},
        .default_text = default_text(standard.up),
        .meaning = "the axis of the file that becomes the world's z; .bcc and .usda say it themselves",
        .choices = {"x", "y", "z"}},
       {.name = "thickness",
        .types = {text},
        .default_text = default_text(standard.thickness),
        .meaning = "what a .hair file means by thickness",
        .choices = {"diameter", "radius"}}}};
}

CurveFileOptions read_curve_file(const Table& table) {
  const std::filesystem::path path = table.text("path");
  CurveFileOptions options;
  options.path = path.is_absolute() ? path.string() : (std::filesystem::path(table.directory()) / path).string();
  options.scale = table.number("scale");
  options.resample = table.number("resample");
  options.up = table.text("up");
  options.thickness = table.text("thickness");
  return options;
}

}  // namespace tendril::scene
