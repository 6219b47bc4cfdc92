#include "solvers/inertia.h"

#include <algorithm>

namespace tendril {
namespace {

// (diag(d) + [s])⁻¹ r
Vec3d solve_diagonal_and_skew(const Vec3d& d, const Vec3d& s, const Vec3d& r) {
  const Vec3d minors{d.y * d.z, d.x * d.z, d.x * d.y};
  const double determinant = d.x * minors.x + dot(s, scale(d, s));
  return (scale(minors, r) + dot(s, r) * s - cross(scale(d, s), r)) / determinant;
}

}  // namespace

std::vector<double> damped_mass(const Model& model) {
  std::vector<double> sum(model.vertices.size(), 0);
  for (const Segment& s : model.segments)
    for (int i : s.vertex) sum[i] += 0.5 * s.damping * s.linear_density * s.rest_length;
  return sum;
}

// By Newton's method: J w = m with m = exp(-h w) J w_old, whose two sides differ by J dw - h m x dw more with w + dw.
// An axis without inertia goes on as it was.
Vec3d free_spin(const Vec3d& J, const Quatd& q, const Vec3d& omega, double h) {
  if (omega == Vec3d{}) return {};
  const Vec3d start = rotate(conjugate(q), omega);
  const double unit = std::max({J.x, J.y, J.z});
  const auto of_axes = [&](auto value) { return Vec3d{value(J.x), value(J.y), value(J.z)}; };
  const Vec3d has_inertia = of_axes([](double j) { return j > 0 ? 1. : 0.; });
  const Vec3d inertia = of_axes([&](double j) { return j > 0 ? j / unit : 1; });
  const Vec3d momentum = scale(has_inertia, scale(inertia, start));
  Vec3d w = start;
  double last = norm_squared(start);
  for (;;) {
    const Vec3d m = rotate(quaternion_exp(-h * w), momentum), left = scale(has_inertia, m - scale(inertia, w));
    const Vec3d change = scale(has_inertia, solve_diagonal_and_skew(inertia, -h * m, left));
    const double size = norm_squared(change);
    w += change;
    if (size <= 1e-28 * norm_squared(start)) return rotate(q, w);
    if (!(size < 0.25 * last)) return omega;  // it turns too far in one step for the iteration
    last = size;
  }
}

}  // namespace tendril
