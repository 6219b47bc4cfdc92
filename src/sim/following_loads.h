#pragma once

#include <Eigen/Core>
#include <vector>

#include "rod/model.h"
#include "solvers/solver.h"

namespace tendril::sim {

// whether some load is given in the material frame
bool loads_follow_frames(const Model& model);

// whether what acts on a shape at rest depends on the shape: loads in the material frame, and winds
bool loads_follow_shape(const Model& model);

// the largest difference of two loads; moments over the lengths of their segments, or the radii of gyration of their
// bodies [N]
double largest_difference(const Model& model, const Instant& a, const Instant& b);
double largest_load(const Model& model, const Instant& instant);  // likewise

// Finds loads that are those of the shape which they give a rod, f = g(f), by the secants of the tries so far
// (Anderson's acceleration [anderson1965]): the next f is the mixture of all g at which the same mixture of g - f is
// least.
class FollowingLoads {
 public:
  // `applied` gave a shape with the loads `found`; what to apply next
  Instant next(const Instant& applied, const Instant& found);

 private:
  std::vector<Eigen::VectorXd> steps_left_, steps_found_;  // from try to try
  Eigen::VectorXd left_, found_;                           // of the last: g - f, and g
};

// Whether loads are those of the shape which they gave in a step, to a share of what they change by in it. The shapes
// that a solver finds scatter by its tolerance: tries end when they come no nearer.
class FollowingTries {
 public:
  FollowingTries(const Model& model, const Instant& unchanged) : model_(model), unchanged_(unchanged) {}

  void see(const Instant& applied, const Instant& found);
  bool is_over() const;
  bool agree() const;  // to the order of the time step, or as well as a solver tells

 private:
  const Model& model_;
  const Instant unchanged_;  // at the end of the step, for the shape at its start
  int count_ = 0;
  double load_ = 0, change_ = 0, left_ = 0, last_left_ = 0;  // [N]
};

}  // namespace tendril::sim
