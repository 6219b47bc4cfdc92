#include "solvers/stable/traversal.h"

#include <algorithm>

#include "solvers/stable/colouring.h"

namespace tendril::solvers::stable {

Traversal traverse(const Model& model) {
  const int count = static_cast<int>(model.vertices.size());
  std::vector<std::pair<int, int>> edges;
  for (const Segment& s : model.segments) edges.push_back({s.vertex[0], s.vertex[1]});
  const Graph graph(count, edges);

  Traversal traversal;
  traversal.vertex.assign(count, -1);
  std::vector<int> ahead;  // seen, not yet met
  std::vector<bool> seen(count, false);
  for (int start = 0; start < count; ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    ahead.push_back(start);
    while (!ahead.empty()) {
      const int i = ahead.back();
      ahead.pop_back();
      traversal.vertex[i] = traversal.length++;
      for (const int* other = graph.begin(i); other != graph.end(i); ++other) {
        if (seen[*other]) continue;
        seen[*other] = true;
        ahead.push_back(*other);
      }
    }
  }
  for (const Segment& s : model.segments)
    traversal.segment.push_back(std::max(traversal.vertex[s.vertex[0]], traversal.vertex[s.vertex[1]]));
  return traversal;
}

}  // namespace tendril::solvers::stable
