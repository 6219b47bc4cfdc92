#pragma once

#include <string>

#include "rod/shape.h"
#include "scene/table.h"

namespace tendril {

// the triangles of an OBJ file (faces of more corners are cut into fans); throws SceneError at the key `path` of the
// table
Mesh read_obj_mesh(const Table& table, const std::string& path, double scale);

}  // namespace tendril
