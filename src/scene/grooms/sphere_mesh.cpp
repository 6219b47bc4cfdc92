#include "scene/grooms/sphere_mesh.h"

#include <algorithm>
#include <map>

namespace tendril::scene {
namespace {

constexpr int cuts = 5;  // 8192 triangles, between whose faces and the sphere lies less than a thousandth of its radius

// the middle of an edge, on the unit sphere; the same for both faces
int middle(int a, int b, Mesh& mesh, std::map<std::pair<int, int>, int>& known) {
  const auto [place, is_new] = known.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
  if (is_new) mesh.vertices.push_back(normalized(mesh.vertices[a] + mesh.vertices[b]));
  return place->second;
}

}  // namespace

Mesh sphere_mesh(const Sphere& sphere) {
  Mesh mesh;
  mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int cut = 0; cut < cuts; ++cut) {
    std::map<std::pair<int, int>, int> middles;
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const int ab = middle(a, b, mesh, middles), bc = middle(b, c, mesh, middles), ca = middle(c, a, mesh, middles);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  for (Vec3d& x : mesh.vertices) x = sphere.center + sphere.radius * x;
  return mesh;
}

}  // namespace tendril::scene
