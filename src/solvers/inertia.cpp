#include "solvers/inertia.h"

namespace tendril {

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
    const Vec3d turned = rotate(quaternion_exp(-h * w), momentum);
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
