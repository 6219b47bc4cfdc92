#pragma once

#include "solvers/stable/problem.h"

namespace tendril::stable {

// The incremental potential of a step, whose minimum is the State at its end [J]:
//   sum M_i/2h² |x_i - y_i|² + stretch-shear + bends + inertia of dynamic bodies
// External moments are not in it: the work of a moment is no function of the frames.
double incremental_potential(const StepProblem& problem, const State& state);

// its derivatives with external moments, and how large the parts are that they are sums of; along what is held they are zero.
// A vertex that follows a body hands its share to the body.
struct Balance {
  std::vector<Vec3d> force;           // (vertex) [N]
  std::vector<Vec3d> torque;          // with respect to q <- exp(theta) q (segment) [N m]
  std::vector<Vec3d> body_force;      // (body) [N]
  std::vector<Vec3d> body_torque;     // (body) [N m]
  double force_scale = 0;             // largest sum of the magnitudes at one vertex [N]
  double torque_scale = 0;            // largest sum of the magnitudes at one segment [N m]
};
Balance balance(const StepProblem& problem, const State& state);

// what is left of the forces and torques, above round-off and relative to the forces and torques at work [-]
//   max( (max |force| - noise) / force_scale, (max |torque| - noise) / torque_scale, 0 )
double residual(const StepProblem& problem, const State& state, double round_off);

// what rounding alone leaves of a vertex's force or a segment's torque
struct Noise {
  double force = 0;   // [N]
  double torque = 0;  // [N m]
};
Noise noise(const StepProblem& problem, double round_off);

// the measure of the two, also for the sweeps' own numbers
double relative_residual(double force, double force_scale, double torque, double torque_scale, const Noise& noise);

}  // namespace tendril::stable
