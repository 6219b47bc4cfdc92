#pragma once

#include <array>

#include "math/tree_ldlt.h"
#include "solvers/direct/gather.h"

namespace tendril::solvers::direct {

// what a joint adds to the matrix, with the spin of its segment
struct JointBlocks {
  TreeLdlt::Joint joint;
  Three turn[3];                // on the diagonal of the node's turn
  Three force, torque, moment;  // gradients by x1, theta and theta_b
  double energy = 0;
};

// what a bend that is in no joint adds to it
struct BendRows {
  Three S[3];
  Three moment, half_moment;  // see newton/kernels.h
  double energy = 0;
};

// one in each lane of a register
void work_out(const JointLanes& joints, const Problem& problem, const Iterate& at, const Prediction& prediction,
              double hessian_share, std::array<JointBlocks, joint_lanes>& out);
void work_out(const BendLanes& bends, const Problem& problem, const Iterate& at, double hessian_share,
              std::array<BendRows, joint_lanes>& out);

}  // namespace tendril::solvers::direct
