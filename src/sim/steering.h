#pragma once

#include <optional>
#include <vector>

#include "rod/model.h"
#include "solvers/solver.h"

namespace tendril::sim {

// From a vertex, or a point of a dynamic body, to where it is pulled. With d from there to the target and v its
// velocity, the force is
//   f = k d - c v,   k = min(stiffness, most_force / |d|)
// On a vertex it is that of the end of the step, linear in its velocity, as implicit Euler has it:
//   f = k d - (c + k h) v_end
// so that no spring is too stiff for a light vertex.
struct Spring {
  int vertex = -1;                    // or
  int body = -1;                      // a dynamic one, at
  Vec3d point;                        // in its frame [m]
  Vec3d target;                       // [m]
  double stiffness = 0, damping = 0;  // [N/m], [N s/m]
  double most_force = forever;        // of its stretch [N]
};

// What a program prescribes between steps, on top of its scene: forces on vertices, springs, and where kinematic bodies
// go.
class Steering {
 public:
  // on a vertex, in every step until it is changed [N, world]; throws std::out_of_range
  void set_force(const Model& model, int vertex, const Vec3d& force);

  // A kinematic body goes straight to this pose in the next step, and stays there until it is driven again, whatever
  // the scene prescribes for it. Throws std::out_of_range, or std::invalid_argument for a dynamic body.
  void drive(const Model& model, int body, const Pose& pose);
  void let_go(int body);  // the scene prescribes its way again

  // all that pull from now on; throws std::out_of_range, or std::invalid_argument for a kinematic body
  void set_springs(const Model& model, std::vector<Spring> springs);
  const std::vector<Spring>& springs() const { return springs_; }

  // on things at rest
  void add_forces(const State& still, Instant& instant) const;
  // `inputs` of a part of the step that ends at `step_end`, from `before` on
  void prescribe(const State& before, double step_end, Inputs& inputs) const;

 private:
  std::vector<Vec3d> force_;                // (vertex); empty: none
  std::vector<std::optional<Pose>> drive_;  // (body); empty: none
  std::vector<Spring> springs_;
};

// the force with which a spring pulled over a step of h from `before` to `after` [N]
Vec3d force_of(const Spring& spring, const State& before, const State& after, double h);

// the kinematic body that holds a vertex, as its clamp or pin does; -1: none
int support_of(const Model& model, int vertex);

}  // namespace tendril::sim
