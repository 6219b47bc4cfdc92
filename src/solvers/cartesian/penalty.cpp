#include "solvers/cartesian/kernels.h"
#include "solvers/cartesian/solver.h"

namespace tendril::cartesian {

void PenaltySolver::add_segments(System& system, const Iterate& at, bool exact) const {
  for (int s = 0; s < static_cast<int>(at.q.size()); ++s) {
    const Segment& segment = model().segments[s];
    const auto [i, j] = segment.vertex;
    const Terms terms = penalty(weight_, segment.rest_length, edge(s, at), director3(at.q[s]), exact);
    for (int k : {i, j}) {
      const double sign = k == i ? -1 : 1;
      system.add(system.vertex(k), terms.edge_edge);
      system.add(system.vertex(k), system.turn(s), sign * terms.edge_turn);
      system.add_to_right(system.vertex(k), -sign * terms.by_edge);
    }
    system.add(system.vertex(i), system.vertex(j), -1.0 * terms.edge_edge);
    system.add(system.turn(s), terms.turn_turn);
    system.add_to_right(system.turn(s), -terms.by_turn);
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

}  // namespace tendril::cartesian
