#include "sim/following_loads.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace tendril::sim {
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

bool loads_follow_frames(const Model& model) {
  return std::any_of(model.loads.begin(), model.loads.end(), [](const Load& load) { return load.in_material_frame; });
}

bool loads_follow_shape(const Model& model) {
  const auto is_wind = [](const Field& field) { return field.kind == FieldKind::wind; };
  return loads_follow_frames(model) || std::any_of(model.fields.begin(), model.fields.end(), is_wind);
}

double largest_difference(const Model& model, const Instant& a, const Instant& b) {
  double largest = 0;
  const auto compare = [&](const std::vector<Vec3d>& of_a, const std::vector<Vec3d>& of_b) {
    for (std::size_t i = 0; i < of_a.size(); ++i) largest = std::max(largest, norm(of_b[i] - of_a[i]));
  };
  compare(a.force, b.force), compare(a.body_force, b.body_force);
  for (std::size_t s = 0; s < a.moment.size(); ++s)
    largest = std::max(largest, norm(b.moment[s] - a.moment[s]) / model.segments[s].rest_length);
  for (std::size_t k = 0; k < a.body_moment.size(); ++k) {
    const Body& body = model.bodies[k];
    const double inertia = std::max({body.inertia.x, body.inertia.y, body.inertia.z});
    if (body.kind == BodyKind::dynamic && inertia > 0)
      largest = std::max(largest, norm(b.body_moment[k] - a.body_moment[k]) * std::sqrt(body.mass / inertia));
  }
  return largest;
}

double largest_load(const Model& model, const Instant& instant) {
  Instant none = instant;
  visit_loads(none, [](double& load) { load = 0; });
  return largest_difference(model, none, instant);
}

void FollowingTries::see(const Instant& applied, const Instant& found) {
  ++count_;
  load_ = largest_load(model_, found), change_ = largest_difference(model_, unchanged_, found);
  last_left_ = left_, left_ = largest_difference(model_, applied, found);
}

bool FollowingTries::is_over() const {
  constexpr int few = 3, most = 8;
  if (left_ <= std::max(1e-4 * change_, 1e-13 * load_)) return true;
  return count_ >= most || (count_ >= few && left_ > 0.5 * last_left_ && agree());
}

bool FollowingTries::agree() const { return left_ <= std::max(1e-2 * change_, 1e-6 * load_); }

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

}  // namespace tendril::sim
