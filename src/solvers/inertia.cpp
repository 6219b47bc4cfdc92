#include "solvers/inertia.h"

namespace tendril::solvers {

std::vector<double> damped_mass(const Model& model) {
  std::vector<double> sum(model.vertices.size(), 0);
  for (const Segment& s : model.segments)
    for (int i : s.vertex) sum[i] += 0.5 * s.damping * s.linear_density * s.rest_length;
  return sum;
}

}  // namespace tendril::solvers
