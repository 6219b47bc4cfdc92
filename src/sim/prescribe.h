#pragma once

#include <cstdint>
#include <vector>

#include "rod/model.h"
#include "solvers/solver.h"

namespace tendril {

// one border of a step; a load that switches on or off there is seen from the step's side
struct Border {
  double time = 0;
  bool step_ends = false;  // otherwise it begins here
};

// what acts from outside at one border: weight, loads, fields, and where the kinematic bodies are
//   `now` is the state at the beginning of the step: wind and loads in the material frame are taken there,
//   `held_start` is the pose of each body when its hold or motion began,
//   `seed` makes the gusts
Instant prescribe(const Model& model, const State& now, const std::vector<Pose>& held_start, Border border,
                  std::uint64_t seed);

// the factor of a load at a border: its window, ramp and keys
double load_factor(const Load& load, Border border);

}  // namespace tendril
