#pragma once

#include <array>

#include "math/block3.h"
#include "solvers/block/parts.h"

namespace tendril::block {

// the strain of each segment that the last linear solution led to, in its own frame; kept from step to step
using Prediction = std::vector<Vec3d>;

// what one segment adds to the matrix, with its spin
struct StretchBlocks {
  Block3<double> xx, x_theta, theta_x, theta_theta;
  Column3<double> force, torque;
  double energy = 0;
};

// what the bend between two frames adds to it
struct BendBlocks {
  Block3<double> S, ab, ba;
  Column3<double> moment;
  double energy = 0;
};

// Elements are worked out four at a time, one in each lane of a register: from `first` on; behind the last there are
// copies of it.
constexpr int element_lanes = Pack<double>::lanes;
void work_out(const Part& part, int first, const Problem& problem, const Iterate& at, const Prediction& prediction,
              double exact, std::array<StretchBlocks, element_lanes>& out);
void work_out(const Part& part, int first, const Problem& problem, const Iterate& at, double exact,
              std::array<BendBlocks, element_lanes>& out);

// the strain that a share of the direction u leads to, of all elements of a part; u by rows
void predict_strains(const Part& part, const Problem& problem, const Iterate& at, double share,
                     const std::vector<Vec3d>& u, Prediction& prediction);

// one by one
StretchState<double> stretch_state(const Problem& problem, int segment, int i, int j, const Iterate& at);
double bend_energy(const Problem& problem, int bend, const Iterate& at);

}  // namespace tendril::block
