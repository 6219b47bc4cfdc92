#include <algorithm>
#include <cmath>

#include "solvers/cartesian/solver.h"

namespace tendril::solvers::cartesian {
namespace {

// A rod that is straight between two holds has a constraint too many. Multipliers yield by this share of what the
// lightest vertex alone would, so that every row has a pivot.
constexpr double yielding = 1e-12;

constexpr double stiffer = 10;  // rho, over what may make H indefinite

// -lambda d²C/dx² + rho AᵀA, and the gradient of rho/2 |C|²
Terms curved(const Constraint& c, const Vec3d& lambda, double rho) {
  Terms out;
  for (int k = 0; k < 3; ++k) {
    const Terms& row = c.row[k];
    out.by_edge += (rho * row.value) * row.by_edge, out.by_turn += (rho * row.value) * row.by_turn;
    out.edge_edge += -lambda[k] * row.edge_edge + outer(rho * row.by_edge, row.by_edge);
    out.edge_turn += -lambda[k] * row.edge_turn + outer(rho * row.by_edge, row.by_turn);
    out.turn_turn += -lambda[k] * row.turn_turn + outer(rho * row.by_turn, row.by_turn);
  }
  return out;
}

}  // namespace

void KktSolver::begin_iterations() { lambda_.assign(model().segments.size(), {}); }

// With the Lagrangian E - lambdaᵀ C (Eq. 13 [zhao2022], of which u and -lambda are the unknowns here)
//   H u - Aᵀ lambda = -dE/dx,   A u = -C,   H = d²E/dx² - sum lambda d²C/dx² + rho AᵀA
// and -rho AᵀC on the right: where A u = -C the two terms of rho are the same. They change no solution, and with them H
// is positive definite wherever it is so on what the constraints leave free.
void KktSolver::add_segments(System& system, const Iterate& at, bool exact) const {
  const newton::Problem& problem = potential().problem();
  for (int s = 0; s < static_cast<int>(at.q.size()); ++s) {
    const Segment& segment = model().segments[s];
    const auto [i, j] = segment.vertex;
    const Constraint c = constraint(segment.rest_length, edge(s, at), rotation_matrix(at.q[s]));
    const double weight = std::max(problem.weight[i], problem.weight[j]);
    add_segment(system, s,
                curved(c, exact ? lambda_[s] : Vec3d{}, stiffer * (weight + norm(lambda_[s]) / segment.rest_length)));
    const int m = system.multiplier(s);
    system.add(m, system.vertex(i), -1.0 * c.by_edge());
    system.add(m, system.vertex(j), c.by_edge());
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

void KktSolver::end_iterations(const Iterate& at) {
  carried_.resize(lambda_.size());
  for (int s = 0; s < static_cast<int>(carried_.size()); ++s) {
    const Constraint c = constraint(model().segments[s].rest_length, edge(s, at), rotation_matrix(at.q[s]));
    carried_[s] = -(transpose(c.by_edge()) * lambda_[s]);
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

}  // namespace tendril::solvers::cartesian
