#pragma once

#include <vector>

#include "rod/model.h"
#include "rod/state.h"
#include "sim/steering.h"

namespace tendril::session {

// what a hand has hold of: a point of a segment, or of a body that moves freely
struct Grip {
  int segment = -1;
  double fraction = 0;  // of the way from its first vertex to its second
  int body = -1;
  Vec3d point = {};  // of the body, in its frame [m]
};

// where the point is
Vec3d position(const Grip& grip, const Model& model, const State& state);

// How strong the spring of a hand is, by what hangs on it: mass m, length L and bending stiffness EI of the connected
// rod, weight m g.
//   k = max(10 m g / L, m (2 pi / s)²) + 3 EI / L³
// lifts the rod when it is stretched by a tenth of its length, and bends a cantilever of it by half of that which the
// target is away. The damping is critical for the mass, and the force no more than at a stretch of L: 3 EI / L² is
// small against EA for all that is slender.
struct GripStrength {
  double stiffness = 0, damping = 0;  // [N/m], [N s/m]
  double most_force = 0;              // [N]
};
GripStrength grip_strength(const Grip& grip, const Model& model, double time_step);

// the springs from the grip to a target: of a segment one at each of its vertices, each by its share
std::vector<Spring> springs_of(const Grip& grip, const Model& model, const State& state, const Vec3d& target,
                               const GripStrength& strength);

}  // namespace tendril::session
