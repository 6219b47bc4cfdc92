#include "scene/curves/line_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/polyline.h"
#include "scene/curves/share.h"

namespace tendril {
namespace {

// edges at each point, in the order of the file
std::vector<std::vector<int>> edges_at_points(const LineGraph& graph) {
  std::vector<std::vector<int>> at(graph.points.size());
  for (size_t e = 0; e < graph.edges.size(); ++e)
    for (int i : graph.edges[e]) at[i].push_back(static_cast<int>(e));
  return at;
}

double path_length(const LineGraph& graph, const Strand& strand) {
  double length = 0;
  for (size_t k = 1; k < strand.size(); ++k) length += norm(graph.points[strand[k]] - graph.points[strand[k - 1]]);
  return length;
}

// fewest edges that keep a strand apart from its neighbours: a loop needs three, parallel strands two
std::vector<int> least_edges(const std::vector<Strand>& all) {
  std::map<std::pair<int, int>, int> between;
  for (const Strand& strand : all) ++between[std::minmax(strand.front(), strand.back())];
  std::vector<int> least;
  for (const Strand& strand : all) {
    const bool parallel = between[std::minmax(strand.front(), strand.back())] > 1;
    least.push_back(strand.front() == strand.back() ? 3 : parallel ? 2 : 1);
  }
  return least;
}

// number of edges of every strand
std::vector<int> edge_counts(const LineGraph& graph, const std::vector<Strand>& all, const ResampleOptions& options) {
  std::vector<double> lengths;
  for (const Strand& strand : all) lengths.push_back(path_length(graph, strand));
  std::vector<int> counts = least_edges(all);
  if (options.segments > 0) {
    const long least = std::accumulate(counts.begin(), counts.end(), 0L);
    if (options.segments < least)
      throw CurveError("", fmt::format("`segments` is {}, this graph needs at least {}", options.segments, least));
    return share_out(options.segments, lengths, counts);
  }
  double total = 0;
  for (size_t k = 0; k < all.size(); ++k) {
    const double wished = std::ceil(lengths[k] / options.longest_edge * (1 - 1e-12));
    total += std::max<double>(wished, counts[k]);
    require(total <= most_segments, "resample", "is so short that it gives more than ten million segments");
    counts[k] = std::max(counts[k], static_cast<int>(wished));
  }
  return counts;
}

Curve resampled_graph(const LineGraph& graph, const std::vector<Strand>& all, const ResampleOptions& options) {
  const std::vector<int> counts = edge_counts(graph, all, options);
  Curve curve;
  std::map<int, int> ends;  // point of the graph -> of the curve
  const auto end_vertex = [&](int point) {
    const auto [place, is_new] = ends.try_emplace(point, static_cast<int>(curve.points.size()));
    if (is_new) curve.points.push_back(graph.points[point]);
    return place->second;
  };
  for (size_t k = 0; k < all.size(); ++k) {
    std::vector<Vec3d> path;
    for (int i : all[k]) path.push_back(graph.points[i]);
    path = resample_path(path, false, counts[k]);
    int before = end_vertex(all[k].front());
    for (int e = 1; e < counts[k]; ++e) {
      curve.points.push_back(path[e]);
      const int next = static_cast<int>(curve.points.size()) - 1;
      curve.edges.push_back({before, next});
      before = next;
    }
    curve.edges.push_back({before, end_vertex(all[k].back())});
  }
  return curve;
}

}  // namespace

std::vector<Strand> strands(const LineGraph& graph) {
  const auto at = edges_at_points(graph);
  std::vector<char> used(graph.edges.size(), false);
  const auto walk = [&](int start, int edge) {
    Strand strand{start};
    while (true) {
      used[edge] = true;
      const auto& [a, b] = graph.edges[edge];
      strand.push_back(a == strand.back() ? b : a);
      const auto& next = at[strand.back()];
      if (next.size() != 2) return strand;
      edge = next[0] == edge ? next[1] : next[0];
      if (used[edge]) return strand;
    }
  };
  // paths between ends and branches, along the file's direction where they can; then the loops that are left
  std::vector<Strand> all;
  for (int pass = 0; pass < 3; ++pass)
    for (size_t e = 0; e < graph.edges.size(); ++e) {
      const int start = graph.edges[e][pass == 1 ? 1 : 0];
      if (!used[e] && (at[start].size() != 2 || pass == 2)) all.push_back(walk(start, static_cast<int>(e)));
    }
  return all;
}

Curve graph_curve(const LineGraph& graph, const ResampleOptions& options) {
  require(!graph.edges.empty(), "", "there are no lines in it");
  const std::vector<Strand> all = strands(graph);
  if (all.size() == 1) {
    PolylineOptions path;
    path.closed = all[0].front() == all[0].back();
    for (int i : all[0]) path.points.push_back(graph.points[i]);
    if (path.closed) path.points.pop_back();
    int segments = options.segments;
    if (options.longest_edge > 0) segments = edge_counts(graph, all, options)[0];
    return polyline_curve(path, segments);
  }
  Curve curve;
  if (options.segments != 0) check_segments(options.segments, 1);
  if (options.segments > 0 || options.longest_edge > 0) {
    curve = resampled_graph(graph, all, options);
  } else {
    curve.points = graph.points;
    curve.edges = graph.edges;
  }
  curve.chain = false;
  check_edges(curve);
  return curve;
}

}  // namespace tendril
