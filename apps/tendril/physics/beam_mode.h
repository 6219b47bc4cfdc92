#pragma once

#include <vector>

namespace tendril::app::physics {

// a beam that bends and shears (Timoshenko); with an infinite GA and no inertia of its sections Euler's and Bernoulli's
struct Beam {
  double EI, GA;                          // [N m², N]
  double linear_density, linear_inertia;  // [kg/m, kg m]
  double length;                          // [m]
};

enum class BeamStart { clamped, free };  // the other end is free

struct BeamMode {
  double omega = 0;                // [rad/s]
  std::vector<double> deflection;  // 1 at the largest (vertex)
  std::vector<double> turn;        // of the section in the middle of it, for that deflection [rad/m] (segment)
};

// The mode of this number, from 1, at the vertices of a rod of so many segments. With deflection w, turn φ, moment M
// and shear force Q
//   w' = φ + Q/GA,  φ' = M/EI,  M' = -Q - ω² ρI φ,  Q' = -ω² ρA w
// from the start, where two of them are zero; ω is where some mixture of both solutions has M = Q = 0 at the end.
BeamMode beam_mode(const Beam& beam, BeamStart start, int number, int segments);

}  // namespace tendril::app::physics
