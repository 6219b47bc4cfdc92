#include <algorithm>
#include <cmath>

#include "solvers/cartesian/kernels.h"
#include "solvers/cartesian/solver.h"

namespace tendril::cartesian {
namespace {

// A rod that is straight between two holds has a constraint too many. Multipliers yield by this share of what the
// lightest vertex alone would, so that every row has a pivot.
constexpr double yielding = 1e-12;

}  // namespace

void KktSolver::begin_iterations() { lambda_.assign(model().segments.size(), {}); }

// With the Lagrangian E - lambdaᵀ C (Eq. 13 [zhao2022], of which u and -lambda are the unknowns here)
//   H u - Aᵀ lambda = -dE/dx,   A u = -C,   H = d²E/dx² - sum lambda d²C/dx²
void KktSolver::add_segments(System& system, const Iterate& at, bool exact) const {
  const newton::Problem& problem = potential().problem();
  for (int s = 0; s < static_cast<int>(at.q.size()); ++s) {
    const Segment& segment = model().segments[s];
    const auto [i, j] = segment.vertex;
    const Constraint c = constraint(segment.rest_length, edge(s, at), rotation_matrix(at.q[s]));
    const int m = system.multiplier(s);
    Terms curved;
    if (exact)
      for (int k = 0; k < 3; ++k) curved += -lambda_[s][k] * c.row[k];
    for (int k : {i, j}) {
      const double sign = k == i ? -1 : 1;
      system.add(system.vertex(k), curved.edge_edge);
      system.add(system.vertex(k), system.turn(s), sign * curved.edge_turn);
      system.add(m, system.vertex(k), sign * c.by_edge());
    }
    system.add(system.vertex(i), system.vertex(j), -1.0 * curved.edge_edge);
    system.add(system.turn(s), curved.turn_turn);
    system.add(m, system.turn(s), c.by_turn());
    system.add(m, (-yielding / std::min(problem.weight[i], problem.weight[j])) * Mat3d::identity());
    system.add_to_right(m, -c.value());
  }
}

void KktSolver::take_solution(const System& system) {
  largest_lambda_ = 0;
  for (std::size_t s = 0; s < lambda_.size(); ++s) {
    lambda_[s] = -system.solution(system.multiplier(static_cast<int>(s)));
    for (int k = 0; k < 3; ++k) largest_lambda_ = std::max(largest_lambda_, std::abs(lambda_[s][k]));
  }
}

// |C|_1 / mu of Eq. 11 [zhao2022]
double KktSolver::segment_merit(const Iterate& at) const {
  double sum = 0;
  for (int s = 0; s < static_cast<int>(at.q.size()); ++s) {
    const Vec3d c = violation(model().segments[s].rest_length, edge(s, at), rotation_matrix(at.q[s]));
    sum += std::abs(c.x) + std::abs(c.y) + std::abs(c.z);
  }
  return largest_lambda_ * sum;
}

}  // namespace tendril::cartesian
