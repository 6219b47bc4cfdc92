#pragma once

#include <array>
#include <string>
#include <vector>

#include "rod/shape.h"
#include "scene/table.h"

namespace tendril::scene {

// the triangles of an OBJ file and the names under which they stand
struct GroupedMesh {
  Mesh mesh;
  std::vector<std::string> groups;           // names behind `o`, `g` and `usemtl`
  std::vector<std::array<int, 3>> group_of;  // of each kind the last one, -1: none (triangle)

  bool is_in(int triangle, const std::string& group) const;
};

// fails at `key` of the table
GroupedMesh read_grouped_mesh(const Table& table, std::string_view key, const std::string& path, double scale);

// the triangles of an OBJ file (faces of more corners are cut into fans); throws SceneError at the key `path` of the
// table
Mesh read_obj_mesh(const Table& table, const std::string& path, double scale);

}  // namespace tendril::scene
