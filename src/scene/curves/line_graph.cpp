#include "scene/curves/line_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "scene/curves/arc_length.h"
#include "scene/curves/chain.h"
#include "scene/curves/curve_error.h"
#include "scene/curves/polyline.h"
#include "scene/curves/share.h"
#include "scene/curves/spline.h"

namespace tendril::scene {
namespace {

// a path as a curve in space: straight between its points, or smooth through them
class PathCurve {
 public:
  PathCurve(const LineGraph& graph, const Path& path) : closed_(path.front() == path.back()) {
    for (const int i : path) {
      points_.push_back(graph.points[i]);
      if (!graph.radius.empty()) radius_.push_back(graph.radius[i]);
    }
    for (std::size_t k = 1; k < points_.size(); ++k)
      passed_.push_back(passed_.back() + norm(points_[k] - points_[k - 1]));
    if (graph.smooth) make_smooth();
  }

  double length() const { return smooth_.breaks.empty() ? passed_.back() : arc_length(smooth_); }

  // into equal lengths: an open chain, also where a loop ends where it starts; tangents when it is smooth
  Curve cut(int segments) const {
    if (!smooth_.breaks.empty()) return cut_evenly(smooth_, segments);
    return make_chain(resample_path(points_, false, segments), {}, false);
  }

  // at a fraction of the length along the chords
  double radius(double fraction) const {
    const double target = fraction * passed_.back();
    const auto after = std::upper_bound(passed_.begin() + 1, passed_.end() - 1, target);
    const std::size_t k = after - passed_.begin();
    const double f = (target - passed_[k - 1]) / (passed_[k] - passed_[k - 1]);
    return (1 - f) * radius_[k - 1] + f * radius_[k];
  }

  // unit tangents of the smooth curve at the path's own points
  std::vector<Vec3d> own_tangents() const {
    std::vector<Vec3d> tangents;
    for (const double u : smooth_.breaks) tangents.push_back(normalized(smooth_.derivative(u)));
    return tangents;
  }

 private:
  void make_smooth() {
    std::vector<Vec3d> control = points_;
    if (closed_) control.pop_back();
    const auto spline = std::make_shared<CubicSpline>(CubicSpline::catmull_rom(std::move(control), closed_));
    smooth_.point = [spline](double u) { return spline->point(u); };
    smooth_.derivative = [spline](double u) { return spline->derivative(u); };
    smooth_.breaks = spline->knots();
  }

  std::vector<Vec3d> points_;  // a loop has its first again at the end
  std::vector<double> radius_;
  std::vector<double> passed_{0};  // length along the chords up to each point
  ParametricCurve smooth_;         // no breaks: straight
  bool closed_;
};

// fewest edges that keep a strand apart from its neighbours: a loop needs three, parallel strands two
std::vector<int> least_edges(const std::vector<Path>& all) {
  std::map<std::pair<int, int>, int> between;
  for (const Path& strand : all) ++between[std::minmax(strand.front(), strand.back())];
  std::vector<int> least;
  for (const Path& strand : all) {
    const bool parallel = between[std::minmax(strand.front(), strand.back())] > 1;
    least.push_back(strand.front() == strand.back() ? 3 : parallel ? 2 : 1);
  }
  return least;
}

// number of edges of every path
std::vector<int> edge_counts(const std::vector<PathCurve>& curves, const std::vector<Path>& all,
                             const ResampleOptions& options) {
  std::vector<double> lengths;
  for (const PathCurve& curve : curves) lengths.push_back(curve.length());
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

// the radius of an edge is that of its middle
void add_cut_radii(const PathCurve& path, int count, Curve& curve) {
  for (int e = 0; e < count; ++e) curve.radius.push_back(path.radius((e + 0.5) / count));
}

// each edge has the color of the point at its end: a branch may begin at a point of another strand
void add_colors(const LineGraph& graph, int point, int count, Curve& curve) {
  if (!graph.color.empty()) curve.color.insert(curve.color.end(), std::size_t(count), graph.color[point]);
}

void add_own_radii(const LineGraph& graph, const std::vector<Edge>& edges, Curve& curve) {
  for (const auto& [a, b] : edges) curve.radius.push_back(0.5 * (graph.radius[a] + graph.radius[b]));
}

// one path; tangents are the smooth curve's own or bisect the edges
Curve chain_curve(const LineGraph& graph, const Path& path, const PathCurve& smooth, int segments) {
  const bool closed = path.front() == path.back();
  if (segments > 0 && graph.smooth) {
    check_segments(segments, closed ? 3 : 1);
    Curve cut = smooth.cut(segments);
    if (closed) cut.points.pop_back(), cut.tangents.pop_back();
    return make_chain(std::move(cut.points), std::move(cut.tangents), closed);
  }
  PolylineOptions line;
  line.closed = closed;
  for (const int i : path) line.points.push_back(graph.points[i]);
  if (closed) line.points.pop_back();
  Curve chain = polyline_curve(line, segments);
  if (!graph.smooth) return chain;
  chain.tangents = smooth.own_tangents();
  if (closed) chain.tangents.pop_back();
  return chain;
}

Curve resampled_graph(const LineGraph& graph, const std::vector<Path>& all, const std::vector<PathCurve>& curves,
                      const std::vector<int>& counts) {
  Curve curve;
  std::map<int, int> ends;  // point of the graph -> of the curve
  const auto end_vertex = [&](int point) {
    const auto [place, is_new] = ends.try_emplace(point, static_cast<int>(curve.points.size()));
    if (is_new) curve.points.push_back(graph.points[point]);
    return place->second;
  };
  for (size_t k = 0; k < all.size(); ++k) {
    const std::vector<Vec3d> cut = curves[k].cut(counts[k]).points;
    int before = end_vertex(all[k].front());
    for (int e = 1; e < counts[k]; ++e) {
      curve.points.push_back(cut[e]);
      const int next = static_cast<int>(curve.points.size()) - 1;
      curve.edges.push_back({before, next});
      before = next;
    }
    curve.edges.push_back({before, end_vertex(all[k].back())});
    if (!graph.radius.empty()) add_cut_radii(curves[k], counts[k], curve);
    add_colors(graph, all[k].back(), counts[k], curve);
  }
  return curve;
}

}  // namespace

std::vector<Path> paths(const LineGraph& graph) {
  std::vector<int> degree(graph.points.size(), 0);
  for (const Edge& edge : graph.edges)
    for (const int i : edge) ++degree[i];
  std::vector<char> passable;
  for (const int d : degree) passable.push_back(d == 2);
  std::vector<Path> all;
  for (LinePath& path : longest_paths(graph.edges, passable)) all.push_back(std::move(path.points));
  return all;
}

Curve graph_curve(const LineGraph& graph, const ResampleOptions& options) {
  require(!graph.edges.empty(), "", "there are no lines in it");
  const std::vector<Path> all = paths(graph);
  std::vector<PathCurve> curves;
  for (const Path& path : all) curves.emplace_back(graph, path);
  const bool kept = options.segments == 0 && options.longest_edge == 0;
  if (options.segments != 0) check_segments(options.segments, 1);
  const std::vector<int> counts = kept ? std::vector<int>{} : edge_counts(curves, all, options);

  Curve curve;
  if (all.size() == 1) {
    curve = chain_curve(graph, all[0], curves[0], kept ? 0 : counts[0]);
    if (!graph.radius.empty() && !kept) add_cut_radii(curves[0], counts[0], curve);
    std::vector<Edge> edges;  // of the graph, in the chain's order
    for (size_t k = 1; k < all[0].size(); ++k) edges.push_back({all[0][k - 1], all[0][k]});
    if (!graph.radius.empty() && kept) add_own_radii(graph, edges, curve);
    add_colors(graph, all[0].back(), int(curve.edges.size()), curve);
    return curve;
  }
  if (kept) {
    curve.points = graph.points;
    curve.edges = graph.edges;
    if (!graph.radius.empty()) add_own_radii(graph, graph.edges, curve);
    for (const Edge& edge : graph.edges) add_colors(graph, edge[1], 1, curve);
  } else {
    curve = resampled_graph(graph, all, curves, counts);
  }
  curve.chain = false;
  check_edges(curve);
  return curve;
}

}  // namespace tendril::scene
