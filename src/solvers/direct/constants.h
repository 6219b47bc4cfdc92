#pragma once

#include <vector>

#include "solvers/direct/structure.h"
#include "solvers/newton/lanes.h"
#include "solvers/newton/strains.h"

namespace tendril::direct {

constexpr int joint_lanes = Lanes::lanes;

// What does not change from iteration to iteration, four elements side by side, in the order in which their nodes are
// eliminated: a walk straight through memory. Behind the last element there are copies of it.
struct BendPack {
  Bend<Lanes> bend;
  Quat<Lanes> turn;                            // of b's frame
  int a[joint_lanes], b[joint_lanes];          // frames: a segment, or ~ a body
  int row_a[joint_lanes], row_b[joint_lanes];  // of the part; -1: it is no unknown
  int index[joint_lanes];                      // in the Model; -1: there is no bend
  bool turns = false, swings = false;          // some do
};

struct JointPack {
  Stretch<Lanes> stretch;
  Vec3<Lanes> spin;      // weight
  Lanes forwards, is_a;  // 1 or -1
  int segment[joint_lanes], vertex[2][joint_lanes];
  int x0[joint_lanes], x1[joint_lanes], theta[joint_lanes];  // rows
  int count = 0;                                             // of joints, the rest are copies
  BendPack bend;
};

struct LooseBendPack {
  BendPack bend;
  int count = 0;
};

struct Constants {
  long version = -1;  // of the Problem that they come from
  std::vector<JointPack> joints;
  std::vector<LooseBendPack> bends;
};
void load(const Structure& structure, const Part& part, const Problem& problem, Constants& constants);

struct FramePack {
  Quat<Lanes> a, b;  // b's with its fixed turn
};
[[gnu::always_inline]] inline FramePack frames_of(const BendPack& pack, const Iterate& at) {
  const auto frame = [&](int id) -> const Quatd& { return id >= 0 ? at.q[id] : at.body_q[~id]; };
  FramePack f{quaternions([&](int k) -> const Quatd& { return frame(pack.a[k]); }),
              quaternions([&](int k) -> const Quatd& { return frame(pack.b[k]); })};
  if (pack.turns) f.b = f.b * pack.turn;
  return f;
}

}  // namespace tendril::direct
