#pragma once

#include <vector>

#include "rod/model.h"
#include "solvers/solver.h"

namespace tendril::solvers {

// what may move a vertex
enum class Role : char { free, partly_held, held, slaved };  // slaved: it follows a dynamic body

// what the ties of a Model do to its vertices
struct Supports {
  std::vector<Role> role;        // (vertex)
  std::vector<Vec3d> free_axes;  // 1 where the world axis is free, 0 where it is held or follows a body (vertex)
  std::vector<int> tie;          // to a dynamic body, -1: none (vertex)
};
Supports supports_of(const Model& model);

// every held world axis of every vertex: visit(vertex, axis, position [m], velocity [m/s]) at the end of the step
template <class Visit>
void for_held_axes(const Model& model, const std::vector<Role>& role, const Instant& end, Visit visit) {
  for (const Tie& tie : model.ties) {
    if (role[tie.vertex] == Role::slaved) continue;
    const Pose& pose = end.body_pose[tie.body];
    const Twist& twist = end.body_twist[tie.body];
    const Vec3d arm = rotate(pose.q, tie.offset), x = pose.x + arm, v = twist.v + cross(twist.omega, arm);
    for (int k = 0; k < 3; ++k)
      if (tie.held[k]) visit(tie.vertex, k, x[k], v[k]);
  }
}

}  // namespace tendril::solvers
