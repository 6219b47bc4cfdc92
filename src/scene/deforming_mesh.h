#pragma once

#include <vector>

#include "scene/draft.h"
#include "scene/obj_mesh.h"

namespace tendril::scene {

// a mesh obstacle with `frames`: its vertices at instants, the first of which is time 0
struct DeformingMesh {
  GroupedMesh mesh;                   // as it is at time 0
  std::vector<double> times;          // [s]
  std::vector<std::vector<Vec3d>> x;  // (time, vertex) [m]
};

// of an obstacle of shape "mesh"; without `frames` it has one instant
DeformingMesh read_deforming_mesh(const Table& obstacle);

// One face over time as a rigid triangle: its frame goes where the face goes, and it covers all shapes that the face
// takes in there.
struct RigidFace {
  std::array<Vec3d, 3> corners;  // in its frame [m]
  std::vector<Pose> poses;       // (time)
  double growth = 1;             // of the face at time 0, to cover all
};
RigidFace rigid_face(const DeformingMesh& mesh, int triangle);

// motions that take a body from its first pose through all, its turns by angles about x, then y, then z
std::vector<Motion> motions_through(const std::vector<double>& times, const std::vector<Pose>& poses);

// a driven body for each face of each deforming obstacle; Draft::faces has the numbers of the first
void add_faces(const Table& root, Draft& draft);

}  // namespace tendril::scene
