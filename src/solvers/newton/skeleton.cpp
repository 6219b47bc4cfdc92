#include "solvers/newton/skeleton.h"

#include <algorithm>

#include "solvers/newton/parts.h"

namespace tendril::solvers::newton {
namespace {

struct Edge {
  int element, vertex[2];
  int group[2];  // rows of what the vertices move with: themselves, or the body that they follow
};

std::vector<Edge> edges_of(const Part& part, const Parts& parts, const Problem& problem) {
  std::vector<Edge> edges;
  for (std::size_t e = 0; e < part.stretches.size(); ++e) {
    const StretchElement& s = part.stretches[e];
    edges.push_back({static_cast<int>(e), {s.vertex[0], s.vertex[1]}, {s.x0, s.x1}});
  }
  const auto row_of = [&](int i) {
    return problem.tie[i] < 0 ? parts.row_of_vertex(i) : parts.row_of_body(problem.model->ties[problem.tie[i]].body);
  };
  for (std::size_t e = 0; e < part.slaved_segments.size(); ++e) {
    const auto [i, j] = problem.model->segments[part.slaved_segments[e]].vertex;
    edges.push_back({~static_cast<int>(e), {i, j}, {row_of(i), row_of(j)}});
  }
  return edges;
}

}  // namespace

Skeleton skeleton_of(const Part& part, const Parts& parts, const Problem& problem) {
  Skeleton out;
  const std::vector<Edge> edges = edges_of(part, parts, problem);
  if (edges.empty()) return out;
  int held = 0, anchor_row = edges[0].group[0];
  out.anchor = edges[0].vertex[0];
  for (int row = 0; row < part.row_count(); ++row) {
    const Unknown& u = part.unknowns[row];
    if (u.kind != Kind::vertex || problem.role[u.index] == Role::free) continue;
    out.anchor = u.index, anchor_row = row, out.free = problem.free_axes(u.index);
    ++held;
  }

  // the edges at each group, one behind the other
  std::vector<int> first(part.row_count() + 1, 0), at(2 * edges.size());
  for (const Edge& edge : edges)
    for (int group : edge.group) ++first[group];
  for (int row = 0; row < part.row_count(); ++row) first[row + 1] += first[row];
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (int group : edges[e].group) at[--first[group]] = static_cast<int>(e);

  // breadth first
  std::vector<char> is_reached(part.row_count(), false), is_used(edges.size(), false);
  std::vector<int> groups = {anchor_row};
  is_reached[anchor_row] = true;
  for (std::size_t n = 0; n < groups.size(); ++n)
    for (int k = first[groups[n]]; k < first[groups[n] + 1]; ++k) {
      const Edge& edge = edges[at[k]];
      if (std::exchange(is_used[at[k]], true)) continue;
      const bool is_forward = edge.group[0] == groups[n];
      const int to = edge.group[is_forward];
      if (std::exchange(is_reached[to], true)) continue;  // it closes a loop
      groups.push_back(to);
      out.links.push_back({edge.element, edge.vertex[!is_forward], edge.vertex[is_forward], is_forward});
    }
  out.is_open = held <= 1 && out.links.size() == edges.size();
  return out;
}

}  // namespace tendril::solvers::newton
