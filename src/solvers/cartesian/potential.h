#pragma once

#include "solvers/cartesian/system.h"
#include "solvers/newton/problem.h"

namespace tendril::solvers::cartesian {

using newton::Iterate;

// E of Eq. 8 [zhao2022] of all vertices and frames: inertia, loads, bending and twisting. What keeps a segment's length
// and its frame along it is not in here.
class Potential {
 public:
  void reset(const Model& model) { problem_.reset(model); }
  void begin_step(const Inputs& inputs, double h, const State& state);

  double energy(const Iterate& at) const;  // without the work of external moments [J]
  // Second derivatives and minus the gradient. `exact` = false leaves out what may be indefinite.
  void add_to(System& system, const Iterate& at, bool exact) const;

  const newton::Problem& problem() const { return problem_; }
  const Vec3d& external_moment(int segment) const;  // [N m, world]

 private:
  void add_inertia(System& system, const Iterate& at) const;
  void add_bend(int b, System& system, const Iterate& at, bool exact) const;

  newton::Problem problem_;
};

}  // namespace tendril::solvers::cartesian
