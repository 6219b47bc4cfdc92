#pragma once

#include <Eigen/Core>
#include <vector>

#include "rod/model.h"
#include "solvers/solver.h"

namespace tendril {

// whether what acts on a shape at rest depends on the shape: loads in the material frame, and winds
bool loads_follow_shape(const Model& model);

// the largest difference of two loads; moments over the lengths of their segments [N]
double largest_difference(const Model& model, const Instant& a, const Instant& b);

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

}  // namespace tendril
