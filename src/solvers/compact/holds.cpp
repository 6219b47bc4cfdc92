#include "solvers/compact/holds.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace tendril::solvers::compact {
namespace {

// an eigenvalue of N, over the largest, that is rounding
constexpr double rounding = 1e-13;

// Of few rows without those that no turn changes; of many, whose eigenvectors would cost more than all else, with a
// multiplier that gives way by as little.
std::vector<double> inverse_of(const Eigen::MatrixXd& N) {
  constexpr long few = 12;
  const long count = N.rows();
  std::vector<double> inverse(count * count, 0);
  Eigen::Map<Eigen::MatrixXd> out(inverse.data(), count, count);
  if (count > few) {
    const double least = rounding * N.diagonal().maxCoeff();
    const Eigen::LDLT<Eigen::MatrixXd> factors(N + least * Eigen::MatrixXd::Identity(count, count));
    out = factors.solve(Eigen::MatrixXd::Identity(count, count));
    return inverse;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(N);
  const double least = rounding * eigen.eigenvalues().cwiseAbs().maxCoeff();
  for (long e = 0; e < count; ++e)
    if (eigen.eigenvalues()[e] > least)
      out += eigen.eigenvectors().col(e) * eigen.eigenvectors().col(e).transpose() / eigen.eigenvalues()[e];
  return inverse;
}

}  // namespace

void Holds::prepare(std::span<const Chain::Hold> holds, const LinearSolver& solver) {
  holds_ = holds;
  const auto count = static_cast<long>(holds.size());
  if (count == 0) return;
  columns_.resize(holds.size());
  Eigen::MatrixXd N(count, count);
  for (long j = 0; j < count; ++j) {
    Vectors& column = columns_[j];
    column.x.assign(solver.count() + 1, {}), column.theta.assign(solver.count(), {});
    column.x[holds[j].place][holds[j].axis] = 1;
    solver.solve_for(column);
    for (long i = 0; i < count; ++i) N(i, j) = column.x[holds[i].place][holds[i].axis];
  }
  inverse_ = inverse_of(0.5 * (N + N.transpose()));
}

Holds::Numbers Holds::product(const Numbers& matrix, const Numbers& v) {
  Numbers out(v.size(), 0);
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) out[i] += matrix[i * v.size() + j] * v[j];
  return out;
}

Holds::Numbers Holds::left(std::span<const double> ways, const Vectors& u) const {
  Numbers out(holds_.size());
  for (std::size_t j = 0; j < holds_.size(); ++j) out[j] = ways[j] - u.x[holds_[j].place][holds_[j].axis];
  return out;
}

void Holds::add(const Numbers& multipliers, Vectors& u) const {
  for (std::size_t j = 0; j < holds_.size(); ++j) {
    const Vectors& column = columns_[j];
    for (std::size_t k = 0; k < u.x.size(); ++k) u.x[k] += multipliers[j] * column.x[k];
    for (std::size_t k = 0; k < u.theta.size(); ++k) u.theta[k] += multipliers[j] * column.theta[k];
  }
}

// the least change of the inverse that takes what was gained to the step
void Holds::Following::learn(const Numbers& step, const Numbers& gained) {
  const std::size_t count = step.size();
  const Numbers predicted = product(inverse_, gained);
  Numbers row(count, 0);  // stepᵀ inverse
  double scale = 0, size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    scale += step[i] * predicted[i], size += step[i] * step[i];
    for (std::size_t j = 0; j < count; ++j) row[j] += step[i] * inverse_[i * count + j];
  }
  if (!(std::abs(scale) > 1e-12 * size)) return;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) inverse_[i * count + j] += (step[i] - predicted[i]) * row[j] / scale;
}

}  // namespace tendril::solvers::compact
