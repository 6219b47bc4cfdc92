#include "solvers/inertia.h"

namespace tendril {
namespace {

// exp(v), by its series where that is exact to the last digit
Quatd turn_by(const Vec3d& v) {
  const double a2 = 0.25 * norm_squared(v);
  if (a2 > 0.01) return quaternion_exp(v);
  const double cosine = 1 - a2 / 2 * (1 - a2 / 12 * (1 - a2 / 30 * (1 - a2 / 56 * (1 - a2 / 90))));
  const double sine = 0.5 * (1 - a2 / 6 * (1 - a2 / 20 * (1 - a2 / 42 * (1 - a2 / 72 * (1 - a2 / 110)))));
  return {cosine, sine * v.x, sine * v.y, sine * v.z};
}

}  // namespace

std::vector<double> damped_mass(const Model& model) {
  std::vector<double> sum(model.vertices.size(), 0);
  for (const Segment& s : model.segments)
    for (int i : s.vertex) sum[i] += 0.5 * s.damping * s.linear_density * s.rest_length;
  return sum;
}

Vec3d free_spin(const Vec3d& J, const Quatd& q, const Vec3d& omega, double h) {
  if (omega == Vec3d{}) return {};
  const Vec3d start = rotate(conjugate(q), omega), momentum = scale(J, start);
  Vec3d w = start;
  for (int step = 0; step < 50; ++step) {
    const Vec3d turned = rotate(turn_by(-h * w), momentum);
    Vec3d next = start;
    for (int k = 0; k < 3; ++k)
      if (J[k] > 0) next[k] = turned[k] / J[k];
    const double change = norm(next - w);
    w = next;
    if (change <= 1e-15 * norm(start)) return rotate(q, w);
  }
  return omega;  // it turns too far in one step for the iteration
}

}  // namespace tendril
