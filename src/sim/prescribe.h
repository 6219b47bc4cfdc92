#pragma once

#include <cstdint>
#include <vector>

#include "math/thread_team.h"
#include "rod/model.h"
#include "sim/fields.h"
#include "sim/neighbours.h"
#include "solvers/solver.h"

namespace tendril::sim {

// one border of a step; a load that switches on or off there is seen from the step's side
struct StepBorder {
  double time = 0;
  bool step_ends = false;  // otherwise it begins here
};

// What acts on a Model from outside: weight, loads, fields, and where the kinematic bodies are.
//   `now` is the state at the beginning of the step: fields are taken there,
//   `frames` has the frames that loads in the material frame turn with,
//   `held_start` is the pose of each body when its hold or motion began,
//   `seed` makes the gusts
class Prescription {
 public:
  Prescription(const Model& model, std::uint64_t seed);

  Instant at(StepBorder border, const State& now, const std::vector<Pose>& held_start) const;

  // both borders of the step from now to `end`, where frames are those of `then`; the fields are those of its middle
  void over_step(double end, const State& now, const State& then, const std::vector<Pose>& held_start, ThreadTeam& team,
                 Inputs& out) const;

 private:
  void prepare(Instant& out) const;
  void add_weight(Share vertices, Instant& out) const;
  void add_body_weights_and_loads(StepBorder border, const State& frames, Instant& out) const;

  const Model& model_;
  Neighbours neighbours_;
  Fields fields_;
};

// the factor of a load at a border: its window, ramp and keys
double load_factor(const Load& load, StepBorder border);

}  // namespace tendril::sim
