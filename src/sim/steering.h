#pragma once

#include <optional>
#include <vector>

#include "rod/model.h"
#include "solvers/solver.h"

namespace tendril::sim {

// What a program prescribes between steps, on top of its scene: forces on vertices, and where kinematic bodies go.
class Steering {
 public:
  // on a vertex, in every step until it is changed [N, world]; throws std::out_of_range
  void set_force(const Model& model, int vertex, const Vec3d& force);

  // A kinematic body goes straight to this pose in the next step, and stays there until it is driven again, whatever
  // the scene prescribes for it. Throws std::out_of_range, or std::invalid_argument for a dynamic body.
  void drive(const Model& model, int body, const Pose& pose);

  void add_forces(Instant& instant) const;
  // `inputs` of a part of the step that ends at `step_end`, from `before` on
  void prescribe(const State& before, double step_end, Inputs& inputs) const;

 private:
  std::vector<Vec3d> force_;                // (vertex); empty: none
  std::vector<std::optional<Pose>> drive_;  // (body); empty: none
};

// the kinematic body that holds a vertex, as its clamp or pin does; -1: none
int support_of(const Model& model, int vertex);

}  // namespace tendril::sim
