#include "solvers/newton/scalar_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::solvers::newton {

void keep_momentum(const Part& part, const Problem& p, Iterate& at) {
  if (!part.is_free) return;
  double weight = 0;
  Vec3d away;
  const auto add = [&](double w, const Vec3d& x, const Vec3d& goal) { weight += w, away += w * (x - goal); };
  const auto for_all = [&](auto visit_vertex, auto visit_body) {
    for (const Unknown& u : part.unknowns) {
      if (u.kind == Kind::vertex) visit_vertex(u.index);
      if (u.kind == Kind::body_place) visit_body(u.index);
    }
    for (int i : part.slaved_vertices) visit_vertex(i);
  };
  for_all([&](int i) { add(p.weight[i], at.x[i], p.goal[i]); },
          [&](int b) { add(p.bodies[b].weight, at.body_x[b], p.bodies[b].goal); });
  if (!(weight > 0)) return;
  const Vec3d shift = (1 / weight) * away;
  for_all([&](int i) { at.x[i] -= shift; }, [&](int b) { at.body_x[b] -= shift; });
}

double round_off(const Part& part, const Problem& problem, const Iterate& at, double energy) {
  double farthest = 0;
  for (const StretchElement& e : part.stretches) farthest = std::max(farthest, newton::farthest(e, problem, at));
  return round_off(part, farthest, energy);
}

double round_off(const Part& part, double farthest, double energy) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double strain = 2 * epsilon * (1 + farthest);
  return strain * std::sqrt(2 * energy * part.stiffness) + strain * strain * part.stiffness + 8 * epsilon * energy;
}

}  // namespace tendril::solvers::newton
