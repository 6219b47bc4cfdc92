#include "rod/closed_mesh.h"

#include <algorithm>
#include <utility>

namespace tendril::rod {

bool is_closed(const Mesh& mesh) {
  std::vector<std::pair<int, int>> edges, reversed;
  for (const std::array<int, 3>& corners : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      edges.push_back({corners[k], corners[(k + 1) % 3]});
      reversed.push_back({corners[(k + 1) % 3], corners[k]});
    }
  std::sort(edges.begin(), edges.end()), std::sort(reversed.begin(), reversed.end());
  return edges == reversed && std::adjacent_find(edges.begin(), edges.end()) == edges.end();
}

}  // namespace tendril::rod
