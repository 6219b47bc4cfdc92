#include "io/formats/line_paths.h"

namespace tendril::io {

std::vector<LinePath> longest_paths(const std::vector<Edge>& edges, const std::vector<char>& passable) {
  // the two edges at a point that may be passed
  std::vector<Edge> at(passable.size(), Edge{-1, -1});
  for (int e = 0; e < static_cast<int>(edges.size()); ++e)
    for (const int i : edges[e]) at[i][at[i][0] < 0 ? 0 : 1] = e;

  std::vector<char> used(edges.size(), false);
  const auto walk = [&](int start, int edge) {
    LinePath path{{start}, edge};
    std::vector<int>& points = path.points;
    while (edge >= 0 && !used[edge]) {
      used[edge] = true;
      const auto [a, b] = edges[edge];
      points.push_back(a == points.back() ? b : a);
      const Edge& next = at[points.back()];
      edge = !passable[points.back()] ? -1 : next[0] == edge ? next[1] : next[0];
    }
    return path;
  };

  // first those that start at an end or a branch, then against their first edge, then the loops that are left
  std::vector<LinePath> paths;
  for (int pass = 0; pass < 3; ++pass)
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
      const int start = edges[e][pass == 1 ? 1 : 0];
      if (!used[e] && (!passable[start] || pass == 2)) paths.push_back(walk(start, e));
    }
  return paths;
}

}  // namespace tendril::io
