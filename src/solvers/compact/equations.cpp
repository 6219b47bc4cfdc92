#include "solvers/compact/equations.h"

namespace tendril::solvers::compact {

void follow(const Equations& equations, Vectors& u) {
  for (int k = 0; k < equations.count(); ++k) u.x[k + 1] = u.x[k] + cross(u.theta[k], equations.links[k].arm);
}

void gather(const Equations& equations, Vectors& f) {
  for (int k = equations.count() - 1; k >= 0; --k) {
    f.theta[k] += cross(equations.links[k].arm, f.x[k + 1]);
    f.x[k] += f.x[k + 1], f.x[k + 1] = {};
  }
  f.x[0] = scale(equations.root_free, f.x[0]);
}

void multiply(const Equations& equations, const Vectors& u, Vectors& out) {
  const int count = equations.count();
  out.x.resize(count + 1), out.theta.resize(count);
  for (int k = 0; k <= count; ++k) out.x[k] = equations.vertices[k].H * u.x[k];
  for (int k = 0; k < count; ++k) {
    const Equations::Link& link = equations.links[k];
    const Vec3d& w = u.theta[k];
    out.theta[k] = link.theta * w;
    if (k > 0) {
      const Vec3d& before = u.theta[k - 1];
      const Vec3d moment = link.S * (w - before);
      out.theta[k] += moment + cross(before, link.half_moment);
      out.theta[k - 1] += cross(link.half_moment, w) - moment;
    }
    if (link.coupling < 0) continue;
    const Equations::Coupling& c = equations.couplings[link.coupling];
    out.x[k] += c.near_far * u.x[k + 1] + c.near_theta * w;
    out.x[k + 1] += transpose(c.near_far) * u.x[k] + c.far_theta * w;
    out.theta[k] += transpose(c.near_theta) * u.x[k] + transpose(c.far_theta) * u.x[k + 1];
  }
}

}  // namespace tendril::solvers::compact
