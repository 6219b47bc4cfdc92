#include "solvers/cartesian/system.h"

#include <cmath>
#include <utility>

#include "math/ordered_elimination.h"

namespace tendril::solvers::cartesian {
namespace {

using Couplings = std::vector<std::pair<int, int>>;

bool is_negative_definite(const Block3<double>& a) {
  Factors3<double> factors;
  return factorise(-1.0 * lower_half(a), factors);
}

}  // namespace

void System::reset(const Model& model, bool has_multipliers) {
  vertices_ = static_cast<int>(model.vertices.size()), segments_ = static_cast<int>(model.segments.size());
  Couplings couplings;
  std::vector<bool> is_listed(vertices_, false);
  unknown_.clear();
  const auto list = [&](int i) {
    if (!is_listed[i]) unknown_.push_back(vertex(i));
    is_listed[i] = true;
  };
  for (int s = 0; s < segments_; ++s) {
    const auto [i, j] = model.segments[s].vertex;
    list(i), list(j), unknown_.push_back(turn(s));
    couplings.insert(couplings.end(), {{vertex(i), vertex(j)}, {vertex(i), turn(s)}, {vertex(j), turn(s)}});
    if (!has_multipliers) continue;
    unknown_.push_back(multiplier(s));
    for (int held : {vertex(i), vertex(j), turn(s)}) couplings.push_back({held, multiplier(s)});
  }
  for (const Bend& bend : model.bends)
    if (!bend.a.is_body && !bend.b.is_body) couplings.push_back({turn(bend.a.index), turn(bend.b.index)});
  for (int i = 0; i < vertices_; ++i) list(i);
  plan_ = plan_elimination_in_order(unknown_, couplings);
  matrix_.reset(plan_);
}

void System::add(int a, int b, const Mat3d& H) {
  const int row_a = plan_.row[a], row_b = plan_.row[b];
  if (row_a > row_b)
    matrix_.coupling(plan_.coupling(row_b, row_a)) += H;
  else
    matrix_.coupling(plan_.coupling(row_a, row_b)) += transpose(H);
}

double System::force_norm(const std::vector<Vec3d>& free_axes) {
  double sum = 0;
  for (int unknown = 0; unknown < vertices_ + segments_; ++unknown) {
    const Vec3d f = matrix_.right(plan_.row[unknown]).vector();
    sum += norm_squared(unknown < vertices_ ? scale(free_axes[unknown], f) : f);
  }
  return std::sqrt(sum);
}

bool System::solve(const std::vector<Vec3d>& free_axes) {
  bool is_convex = true;
  for (int row = 0; row < plan_.row_count(); ++row) {
    const int unknown = unknown_[row];
    if (unknown >= vertices_ + segments_) {
      is_convex = is_negative_definite(matrix_.diagonal(row)) && is_convex;
      matrix_.eliminate(row);
    } else {
      const bool is_positive =
          unknown < vertices_ ? matrix_.eliminate_partly(row, free_axes[unknown]) : matrix_.eliminate(row);
      is_convex = is_positive && is_convex;
    }
  }
  matrix_.solve_backwards(u_);
  return is_convex;
}

}  // namespace tendril::solvers::cartesian
