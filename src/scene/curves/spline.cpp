#include "scene/curves/spline.h"

#include <algorithm>
#include <cassert>

namespace tendril::scene {

// slopes m_k at the knots from continuity of the second derivative, h_k = u_(k+1) - u_k:
//   h_k m_(k-1) + 2 (h_(k-1) + h_k) m_k + h_(k-1) m_(k+1) = 3 (h_k d_(k-1) + h_(k-1) d_k),  d_k = (x_(k+1) - x_k) / h_k
// a tridiagonal system, solved by elimination
CubicSpline::CubicSpline(std::vector<Vec3d> points, const Vec3d& start_direction, const Vec3d& end_direction)
    : points_(std::move(points)) {
  const size_t count = points_.size();
  assert(count >= 2);
  knots_.push_back(0);
  for (size_t k = 1; k < count; ++k) knots_.push_back(knots_.back() + norm(points_[k] - points_[k - 1]));

  slopes_.assign(count, start_direction);
  slopes_.back() = end_direction;
  std::vector<double> upper(count, 0);
  for (size_t k = 1; k + 1 < count; ++k) {
    const double before = knots_[k] - knots_[k - 1], after = knots_[k + 1] - knots_[k];
    const Vec3d d0 = (points_[k] - points_[k - 1]) / before, d1 = (points_[k + 1] - points_[k]) / after;
    const double pivot = 2 * (before + after) - after * upper[k - 1];
    upper[k] = before / pivot;
    slopes_[k] = (3.0 * (after * d0 + before * d1) - after * slopes_[k - 1]) / pivot;
  }
  for (size_t k = count - 2; k > 0; --k) slopes_[k] -= upper[k] * slopes_[k + 1];
}

CubicSpline CubicSpline::catmull_rom(std::vector<Vec3d> points, bool closed) {
  const size_t count = points.size();
  assert(count >= (closed ? 3u : 2u));
  CubicSpline spline;
  for (size_t k = 0; k < count; ++k) {
    const bool first = k == 0, last = k + 1 == count;
    if (!closed && (first || last))
      spline.slopes_.push_back(first ? points[1] - points[0] : points[k] - points[k - 1]);
    else
      spline.slopes_.push_back(0.5 * (points[last ? 0 : k + 1] - points[first ? count - 1 : k - 1]));
  }
  if (closed) {
    points.push_back(points.front());
    spline.slopes_.push_back(spline.slopes_.front());
  }
  for (size_t k = 0; k < points.size(); ++k) spline.knots_.push_back(static_cast<double>(k));
  spline.points_ = std::move(points);
  return spline;
}

int CubicSpline::span(double u) const {
  const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, u);
  return static_cast<int>(next - knots_.begin()) - 1;
}

// Hermite form on one span, t in [0, 1]
Vec3d CubicSpline::point(double u) const {
  const int k = span(u);
  const double h = knots_[k + 1] - knots_[k], t = (u - knots_[k]) / h, t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * points_[k] + (h * (t3 - 2 * t2 + t)) * slopes_[k] +
         (3 * t2 - 2 * t3) * points_[k + 1] + (h * (t3 - t2)) * slopes_[k + 1];
}

Vec3d CubicSpline::derivative(double u) const {
  const int k = span(u);
  const double h = knots_[k + 1] - knots_[k], t = (u - knots_[k]) / h, t2 = t * t;
  return (6 * (t2 - t) / h) * (points_[k] - points_[k + 1]) + (3 * t2 - 4 * t + 1) * slopes_[k] +
         (3 * t2 - 2 * t) * slopes_[k + 1];
}

}  // namespace tendril::scene
