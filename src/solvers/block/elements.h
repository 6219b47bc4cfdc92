#pragma once

#include <array>
#include <vector>

#include "math/block3.h"
#include "solvers/newton/lanes.h"
#include "solvers/newton/strains.h"

namespace tendril::solvers::block {

using namespace newton;
using newton::Bend;

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

// Elements are worked out side by side, one in each lane of a register: from `first` on; behind the last there are
// copies of it.
constexpr int element_lanes = WideLanes::lanes;

// what does not change from step to step, unless the rest does, side by side as it is needed
struct ElementConstants {
  struct Stretches {
    Stretch<WideLanes> stretch;
    WideLanes per_length;
    Vec3<WideLanes> spin;  // weight
  };
  struct Bends {
    Bend<WideLanes> bend;
    Quat<WideLanes> turn;                // of b's frame
    bool turns = false, scalar = false;  // some
  };
  long version = -1;  // of the Problem that they come from
  std::vector<Stretches> stretches;
  std::vector<Bends> bends;
};
void load_constants(const Part& part, const Problem& problem, ElementConstants& constants);

void work_out(const Part& part, int first, const ElementConstants& constants, const Problem& problem, const Iterate& at,
              const Prediction& prediction, double hessian_share, std::array<StretchBlocks, element_lanes>& out);
void work_out(const Part& part, int first, const ElementConstants& constants, const Problem& problem, const Iterate& at,
              double hessian_share, std::array<BendBlocks, element_lanes>& out);

}  // namespace tendril::solvers::block
