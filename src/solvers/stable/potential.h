#pragma once

#include "contact/contact.h"
#include "solvers/stable/problem.h"

namespace tendril::solvers::stable {

// The incremental potential of a step, whose minimum is the State at its end [J]:
//   sum M_i/2h² |x_i - y_i|² + stretch-shear + bends + inertia of dynamic bodies
// External moments are not in it: the work of a moment is no function of the frames.
double incremental_potential(const StepProblem& problem, const State& state);

// its derivatives with external moments, and how large the parts are that they are sums of; along what is held they are
// zero. A vertex that follows a body hands its share to the body.
struct Balance {
  std::vector<Vec3d> force;        // (vertex) [N]
  std::vector<Vec3d> torque;       // with respect to q <- exp(theta) q (segment) [N m]
  std::vector<Vec3d> body_force;   // (body) [N]
  std::vector<Vec3d> body_torque;  // (body) [N m]
  double force_scale = 0;          // largest sum of the magnitudes at one vertex [N]
  double torque_scale = 0;         // largest sum of the magnitudes at one segment [N m]
};
Balance balance(const StepProblem& problem, const State& state,
                const Contact& contact = {});  // whose waypoint is the state

// the largest forces and torques that are left, and the largest that are at work
struct Remainder {
  double force = 0, force_scale = 0;    // [N]
  double torque = 0, torque_scale = 0;  // [N m]
  double displacement = 0;              // largest, from the start of the step [m]

  void take(const Remainder& other);  // the larger of the two, number by number
};
Remainder remainder(const StepProblem& problem, const State& state, const Contact& contact = {});

// what is left above round-off, relative to what is at work [-]
//   max( (force - noise) / force_scale, (torque - noise) / torque_scale, 0 )
// where only moments are at work, they count as forces over the size of the Model
double residual(const Remainder& left, const StepProblem& problem, double round_off);
inline double residual(const StepProblem& problem, const State& state) {
  return residual(remainder(problem, state), problem, 2.3e-16);
}

}  // namespace tendril::solvers::stable
