#include "solvers/cartesian/solver.h"

namespace tendril::solvers::cartesian {

void PenaltySolver::add_segments(System& system, const Iterate& at, bool exact) const {
  for (int s = 0; s < static_cast<int>(at.q.size()); ++s) {
    const double length = model().segments[s].rest_length;
    add_segment(system, s, penalty(weight_, length, edge(s, at), director3(at.q[s]), exact));
  }
}

double PenaltySolver::segment_merit(const Iterate& at) const {
  double sum = 0;
  for (int s = 0; s < static_cast<int>(at.q.size()); ++s) {
    const Vec3d e = edge(s, at);
    const double length = norm(e), excess = length - model().segments[s].rest_length;
    sum += 0.5 * weight_ * (excess * excess + norm_squared(e / length - director3(at.q[s])));
  }
  return sum;
}

}  // namespace tendril::solvers::cartesian
