#include "sim/following_loads.h"

#include <Eigen/QR>
#include <algorithm>

namespace tendril {
namespace {

void visit_loads(auto& instant, auto visit) {
  for (auto* loads : {&instant.force, &instant.moment, &instant.body_force, &instant.body_moment})
    for (auto& load : *loads)
      for (int k = 0; k < 3; ++k) visit(load[k]);
}

Eigen::VectorXd numbers_of(const Instant& instant) {
  std::vector<double> numbers;
  visit_loads(instant, [&](double load) { numbers.push_back(load); });
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(), Eigen::Index(numbers.size()));
}

}  // namespace

bool loads_follow_shape(const Model& model) {
  const auto is_wind = [](const Field& field) { return field.kind == FieldKind::wind; };
  const auto follows = [](const Load& load) { return load.in_material_frame; };
  return std::any_of(model.fields.begin(), model.fields.end(), is_wind) ||
         std::any_of(model.loads.begin(), model.loads.end(), follows);
}

double largest_difference(const Model& model, const Instant& a, const Instant& b) {
  double largest = 0;
  const auto compare = [&](const std::vector<Vec3d>& of_a, const std::vector<Vec3d>& of_b) {
    for (std::size_t i = 0; i < of_a.size(); ++i) largest = std::max(largest, norm(of_b[i] - of_a[i]));
  };
  compare(a.force, b.force), compare(a.body_force, b.body_force);
  for (std::size_t s = 0; s < a.moment.size(); ++s)
    largest = std::max(largest, norm(b.moment[s] - a.moment[s]) / model.segments[s].rest_length);
  return largest;
}

Instant FollowingLoads::next(const Instant& applied, const Instant& found) {
  const Eigen::VectorXd g = numbers_of(found), left = g - numbers_of(applied);
  if (left_.size() > 0) steps_left_.push_back(left - left_), steps_found_.push_back(g - found_);
  left_ = left, found_ = g;
  if (steps_left_.empty()) return found;

  const Eigen::Index count = Eigen::Index(steps_left_.size());
  Eigen::MatrixXd steps(left.size(), count);
  for (Eigen::Index j = 0; j < count; ++j) steps.col(j) = steps_left_[j];
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(steps);
  const Eigen::VectorXd shares = factor.setThreshold(1e-8).solve(left);
  Eigen::VectorXd mixed = g;
  for (Eigen::Index j = 0; j < count; ++j) mixed -= shares[j] * steps_found_[j];
  Instant result = found;
  Eigen::Index n = 0;
  visit_loads(result, [&](double& load) { load = mixed[n++]; });
  return result;
}

}  // namespace tendril
