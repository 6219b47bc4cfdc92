#pragma once

#include <vector>

#include "math/quat.h"
#include "math/vec3.h"

namespace tendril::rod {

// where a rigid frame stands and how it is turned
struct Pose {
  Vec3d x;  // position [m]
  Quatd q;  // material frame -> world
};

// how a rigid frame moves
struct Twist {
  Vec3d v;      // velocity [m/s]
  Vec3d omega;  // angular velocity [rad/s, world]
};

// all that moves: the only truth at the borders of a step
struct State {
  double time = 0;                // [s]
  std::vector<Vec3d> x;           // vertex position [m] (vertex)
  std::vector<Vec3d> v;           // vertex velocity [m/s] (vertex)
  std::vector<Quatd> q;           // material frame to world, unit (segment)
  std::vector<Vec3d> omega;       // angular velocity [rad/s, world] (segment)
  std::vector<Vec3d> body_x;      // position [m] (body)
  std::vector<Vec3d> body_v;      // velocity [m/s] (body)
  std::vector<Quatd> body_q;      // body frame to world, unit (body)
  std::vector<Vec3d> body_omega;  // angular velocity [rad/s, world] (body)
};

}  // namespace tendril::rod
