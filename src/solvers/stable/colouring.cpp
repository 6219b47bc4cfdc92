#include "solvers/stable/colouring.h"

#include <algorithm>

namespace tendril::solvers::stable {

Graph::Graph(int node_count, const std::vector<std::pair<int, int>>& edges) : first_(node_count + 1, 0) {
  for (const auto& [a, b] : edges)
    if (a != b) ++first_[a + 1], ++first_[b + 1];
  for (int node = 0; node < node_count; ++node) first_[node + 1] += first_[node];
  neighbours_.resize(first_[node_count]);
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (const auto& [a, b] : edges)
    if (a != b) neighbours_[next[a]++] = b, neighbours_[next[b]++] = a;
}

namespace {

int least_free_colour(const Graph& graph, const std::vector<int>& colours, int node, std::vector<int>& taken_by) {
  for (const int* n = graph.begin(node); n != graph.end(node); ++n)
    if (colours[*n] >= 0) taken_by[colours[*n]] = node;
  int colour = 0;
  while (taken_by[colour] == node) ++colour;
  return colour;
}

}  // namespace

std::vector<int> colour(const Graph& graph) {
  const int count = graph.node_count();
  std::vector<int> colours(count, -1), queue, taken_by(count + 1, -1);
  std::vector<bool> seen(count, false);
  for (int root = 0; root < count; ++root) {
    if (seen[root]) continue;
    queue.assign(1, root);
    seen[root] = true;
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const int node = queue[k];
      colours[node] = least_free_colour(graph, colours, node, taken_by);
      for (const int* n = graph.begin(node); n != graph.end(node); ++n) {
        if (seen[*n]) continue;
        seen[*n] = true;
        queue.push_back(*n);
      }
    }
  }
  return colours;
}

}  // namespace tendril::solvers::stable
