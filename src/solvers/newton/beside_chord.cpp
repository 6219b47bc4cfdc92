#include "solvers/newton/beside_chord.h"

namespace tendril::solvers::newton {

Vec3d beside_chord(const Problem& problem, int vertex, const State& start, const Accelerations& old) {
  const Scheme& scheme = problem.scheme;
  if (!scheme.remembers || problem.tie[vertex] < 0) return {};
  const Tie& tie = problem.model->ties[problem.tie[vertex]];
  const Vec3d& J = problem.model->bodies[tie.body].inertia;
  const Quatd& q = start.body_q[tie.body];
  // Euler's equations: J a = moment - w x J w
  const Vec3d w = rotate(conjugate(q), start.body_omega[tie.body]);
  const Vec3d left = rotate(conjugate(q), old.body_turn[tie.body]) - cross(w, scale(J, w));
  const Vec3d a{J.x > 0 ? left.x / J.x : 0, J.y > 0 ? left.y / J.y : 0, J.z > 0 ? left.z / J.z : 0};
  const Vec3d turn = scheme.h * (w + (0.5 * scheme.h) * a), arm = tie.offset;
  const double share = scheme.share();
  const Vec3d at_z = rotate(quaternion_exp(share * turn), arm), at_end = rotate(quaternion_exp(turn), arm);
  return rotate(q, at_z - arm - share * (at_end - arm));
}

}  // namespace tendril::solvers::newton
