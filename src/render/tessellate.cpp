#include "render/tessellate.h"

#include <cmath>
#include <numbers>

namespace tendril::render {

Mesh tessellate(const Box& box) {
  Mesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3d sign{corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5};
    mesh.vertices.push_back(box.center + rotate(box.rotation, scale(sign, box.size)));
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

Mesh tessellate(const Cylinder& cylinder) {
  constexpr int sides = 192;  // enough for a round outline in a large picture
  Mesh mesh;
  const Vec3d axis = cylinder.to - cylinder.from;
  if (norm(axis) == 0) return mesh;
  const Vec3d a = any_perpendicular(axis), b = cross(normalized(axis), a);
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi * k / sides;
    const Vec3d out = cylinder.radius * (std::cos(angle) * a + std::sin(angle) * b);
    mesh.vertices.push_back(cylinder.from + out);
    mesh.vertices.push_back(cylinder.to + out);
  }
  const int from = 2 * sides, to = from + 1;
  mesh.vertices.push_back(cylinder.from);
  mesh.vertices.push_back(cylinder.to);
  for (int k = 0; k < sides; ++k) {
    const int p = 2 * k, q = 2 * ((k + 1) % sides);
    mesh.triangles.push_back({p, q, q + 1});
    mesh.triangles.push_back({p, q + 1, p + 1});
    mesh.triangles.push_back({from, q, p});
    mesh.triangles.push_back({to, p + 1, q + 1});
  }
  return mesh;
}

std::vector<Vec3d> corner_normals(const Mesh& mesh, double crease) {
  // twice the area along the normal of each face, and the faces at each vertex
  std::vector<Vec3d> faces;
  std::vector<std::vector<int>> around(mesh.vertices.size());
  for (const auto& t : mesh.triangles) {
    const Vec3d &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    for (const int vertex : t) around[vertex].push_back(int(faces.size()));
    faces.push_back(cross(b - a, c - a));
  }
  std::vector<Vec3d> normals;
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (const int vertex : mesh.triangles[f]) {
      Vec3d sum = faces[f];
      for (const int other : around[vertex]) {
        const double cosine = dot(faces[other], faces[f]) / (norm(faces[other]) * norm(faces[f]));
        if (other != int(f) && cosine > std::cos(crease)) sum += faces[other];
      }
      normals.push_back(norm(sum) > 0 ? normalized(sum) : Vec3d{0, 0, 1});
    }
  return normals;
}

}  // namespace tendril::render
