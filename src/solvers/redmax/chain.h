#pragma once

#include <string>
#include <vector>

#include "rod/model.h"
#include "rod/state.h"

namespace tendril::solvers::redmax {

// a segment and the spherical joint on which it hangs: q = base pre exp(Q) post, base being the frame before it
struct Joint {
  int segment = 0;
  int body = -1;    // the base of a first joint that a clamp holds; -1 and first: it turns freely in the world
  int bend = -1;    // whose angle Q is; -1: none resists
  double sign = 1;  // of Q in the bend's angle
  Quatd pre, post;
  Vec3d K;                // stiffness over length [N m]
  Vec3d rest;             // [rad]
  int near = 0, far = 0;  // vertices
  double arm = 0;         // from near to far along d3: the segment's length, less than zero where it points back [m]
};

// a rod from the end that is held, or from its first
struct Chain {
  int root = 0;  // vertex
  int tie = -1;  // that holds it; -1: it is free
  std::vector<Joint> joints;

  bool is_free() const { return tie < 0; }
  bool turns_freely(std::size_t j) const { return j == 0 && joints[0].body < 0; }
};

struct Chains {
  std::vector<Chain> all;
  std::string refusal;  // what is no chain that is held at one end at most; empty: nothing
};
Chains chains_of(const Model& model);

// the coordinates of a joint where its segment and its base stand
Vec3d coordinates(const Joint& joint, const Model& model, const Quatd& base, const Quatd& q);

}  // namespace tendril::solvers::redmax
