#pragma once

#include <functional>

#include "physics/case.h"
#include "physics/rod_scene.h"

namespace tendril::app::physics {

// a rod that swings in one of its modes
struct Vibration {
  std::string what;                                             // "cantilever: f2"
  double omega = 0;                                             // as it should be [rad/s]
  double tolerance = 0;                                         // of it, relative
  RodScene scene;                                               // but for the time step and the options of the solver
  std::function<void(const Model& model, State& state)> start;  // gives it the velocities of the mode
  std::function<double(const Model& model, const State& state)> deflection;  // how far it is out, as a number
};

// its frequency over twenty periods, and how the amplitude falls: not at all in nature, as e^(-ω² h t / 2) in a solver
// of first order (implicit Euler), by less than 1 % in 20 periods in one of second order
void measure(const Vibration& vibration, const Subject& subject, Findings& findings);

}  // namespace tendril::app::physics
