#pragma once

#include <algorithm>
#include <vector>

#include "rod/model.h"
#include "solvers/solver.h"

// the parts of dynamic relaxation, see settle.h

namespace tendril::sim {

// all velocities zero
void stop(State& state);

// constant loads, nothing that moves
Inputs still_inputs(const Instant& loads);

// of the vertices, and how far they are from the origin [m]
double extent(const State& state);

// what one pseudo-step tells: the forces left unbalanced, the work that they do and how they change with the motion
struct Advance {
  double unbalanced = 0;  // force [N]
  double momentum = 0;    // [kg m/s]
  double power = 0;       // force · velocity [W]
  double stiffening = 0;  // -(change of force) · displacement [J]
  double inertia = 0;     // displacement · mass · displacement [kg m²]
  bool finite = true;
};

// Reads the forces of the solver's steps from the momentum that they change. Where segments have an inertia of their
// own, so do moments: each is a force at the segment's other end.
class Watch {
 public:
  // `free`: the axes of each vertex that nothing holds, as 1 or 0
  Watch(const Model& model, const std::vector<Vec3d>& free, bool segments_spin);

  Advance see(const State& before, const State& after, double h);

 private:
  const Model& model_;
  const std::vector<Vec3d>& free_;
  bool segments_spin_;
  std::vector<Vec3d> force_;  // of the last step: vertices, then bodies, then segments [N]
};

// How the motion is braked. At first it swings freely, and starts again from rest whenever the forces work against it:
// that finds the neighbourhood of the equilibrium however far it is. Then it is damped as the slowest vibration needs
// it, c = 2 w (critical), with w² = -dF·dx / dx·M dx of what still moves (Rayleigh's quotient).
class Brake {
 public:
  void act(const Advance& advance, double h, State& state);
  bool swings_freely() const { return swings_ < free_swings; }
  double frequency() const { return frequency_; }  // w [rad/s]

 private:
  static constexpr int free_swings = 3;
  int swings_ = 0;
  double stiffening_ = 0, inertia_ = 0, frequency_ = 0;
};

// The length of the pseudo-steps: longer while the solver finds them easy, shorter when they are hard. A change costs a
// solver more than a step, so that a few steps have their say first.
class PseudoStep {
 public:
  explicit PseudoStep(double h) : h_(h), shortest_(0.1 * h), base_(h), longest_(1e4 * h) {}

  double length() const { return h_; }
  bool is_long() const { return h_ > base_; }

  void learn(const StepReport& step);
  void shorten() { h_ *= 0.25; }
  bool is_hopeless() const { return h_ < 1e-6 * base_; }

  // from now on steps so short that even one sweep shows the force that is left
  void stay_short() { h_ = std::min(h_, base_), longest_ = base_; }

 private:
  // between the two lies the doubling of a step; many cheap sweeps cost less than many steps
  static constexpr int easy_step = 100, hard_step = 500;  // iterations

  double h_, shortest_, base_, longest_;
  int count_ = 0, iterations_ = 0, failures_ = 0;
};

// whether the residual has stopped falling: not halved in the last half of all steps
class Stall {
 public:
  bool at(int step, double residual) {
    if (residual < 0.5 * best_) best_ = residual, best_step_ = step;
    return step - best_step_ > std::max(2000, step / 2);
  }

 private:
  double best_ = forever;
  int best_step_ = 0;
};

}  // namespace tendril::sim
