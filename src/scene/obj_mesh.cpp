#include "scene/obj_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tendril::scene {
namespace {

// the vertex number of a face corner such as "7", "7/1", "7//3" or "-2"; -1 when it is none of the file's vertices
int corner_vertex(const std::string& corner, int vertex_count) {
  int number = 0;
  std::istringstream in(corner);
  if (!(in >> number)) return -1;
  const int index = number < 0 ? vertex_count + number : number - 1;
  return index < vertex_count ? index : -1;
}

// other files have no lines of `v` and `f`; without this they would be meshes without faces
void refuse_other_formats(const Table& table, std::string_view key, const std::filesystem::path& file) {
  std::string kind = file.extension().string();
  for (char& c : kind) c = char(std::tolower(static_cast<unsigned char>(c)));
  for (const char* other : {".stl", ".ply", ".off", ".fbx", ".gltf", ".glb", ".dae", ".3ds"})
    if (kind == other)
      table.fail(key, fmt::format("\"{}\" is a {} file; meshes are read from .obj files, which every modeller writes",
                                  file.string(), kind));
}

}  // namespace

bool GroupedMesh::is_in(int triangle, const std::string& group) const {
  const auto& own = group_of[triangle];
  return std::any_of(own.begin(), own.end(), [&](int g) { return g >= 0 && groups[g] == group; });
}

GroupedMesh read_grouped_mesh(const Table& table, std::string_view key, const std::string& path, double scale) {
  const std::filesystem::path file = std::filesystem::path(table.directory()) / path;
  refuse_other_formats(table, key, file);
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file)) table.fail(key, fmt::format("cannot open \"{}\"", file.string()));
  GroupedMesh out;
  Mesh& mesh = out.mesh;
  mesh.path = path;
  std::array<int, 3> group{-1, -1, -1};
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto bad = [&](const std::string& why) {
      table.fail(key, fmt::format("{}:{}: {}", file.string(), number, why));
    };
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      Vec3d v;
      if (!(words >> v.x >> v.y >> v.z) || !is_finite(v)) bad("a vertex needs three finite numbers");
      mesh.vertices.push_back(scale * v);
    } else if (kind == "f") {
      std::vector<int> corners;
      for (std::string corner; words >> corner;) {
        corners.push_back(corner_vertex(corner, int(mesh.vertices.size())));
        if (corners.back() < 0) bad(fmt::format("\"{}\" is not a vertex of this file", corner));
      }
      if (corners.size() < 3) bad("a face needs at least three corners");
      for (std::size_t k = 2; k < corners.size(); ++k) {
        mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
        out.group_of.push_back(group);
      }
    } else if (kind == "o" || kind == "g" || kind == "usemtl") {
      std::string name;
      words >> name;
      group[kind == "o" ? 0 : kind == "g" ? 1 : 2] = int(out.groups.size());
      out.groups.push_back(name);
    }
  }
  if (mesh.triangles.empty()) table.fail(key, fmt::format("\"{}\" has no faces", file.string()));
  return out;
}

Mesh read_obj_mesh(const Table& table, const std::string& path, double scale) {
  return read_grouped_mesh(table, "path", path, scale).mesh;
}

}  // namespace tendril::scene
