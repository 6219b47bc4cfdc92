#include "solvers/newton/strains.h"

#include <algorithm>

#include "solvers/newton/lanes.h"

namespace tendril::solvers::newton {

double inertial_energy(const Problem& p, const Unknown& u, const Iterate& at) {
  switch (u.kind) {
    case Kind::vertex:
      return 0.5 * p.weight[u.index] * norm_squared(at.x[u.index] - p.goal[u.index]);
    case Kind::segment:
      return spin_energy(p.spin(u.index), half_turn(p.spin(u.index), at.q[u.index]));
    case Kind::body_place:
      return 0.5 * p.bodies[u.index].weight * norm_squared(at.body_x[u.index] - p.bodies[u.index].goal);
    case Kind::body_turn:
      return spin_energy(p.bodies[u.index].spin, half_turn(p.bodies[u.index].spin, at.body_q[u.index]));
  }
  return 0;
}

double slaved_energy(const Part& part, const Problem& p, const Iterate& at) {
  double sum = 0;
  for (int i : part.slaved_vertices) sum += inertial_energy(p, {Kind::vertex, i}, at);
  for (int s : part.slaved_segments) {
    const auto [i, j] = p.model->segments[s].vertex;
    sum += stretch_energy(p.stretch(s), strain(p.stretch(s), stretch_state(p, s, i, j, at)));
  }
  return sum;
}

void predict_strains(const Part& part, const Problem& p, const Iterate& at, double share, const std::vector<Vec3d>& u,
                     std::vector<Vec3d>& strains) {
  using P = WideLanes;
  const std::size_t count = part.stretches.size();
  strains.resize(count);
  for (std::size_t first = 0; first < count; first += P::lanes) {
    const StretchElement* e[P::lanes];
    for (std::size_t lane = 0; lane < P::lanes; ++lane) e[lane] = &part.stretches[std::min(first + lane, count - 1)];
    const auto between = [&](const std::vector<Vec3d>& of, auto begin, auto end) {
      return vectors<P>([&](int k) -> const Vec3d& { return of[end(*e[k])]; }) -
             vectors<P>([&](int k) -> const Vec3d& { return of[begin(*e[k])]; });
    };
    const P per_length = P(1) / numbers<P>([&](int k) { return p.model->segments[e[k]->segment].rest_length; });
    const StretchState<P> state{per_length * between(
                                                 at.x, [](const StretchElement& s) { return s.vertex[0]; },
                                                 [](const StretchElement& s) { return s.vertex[1]; }),
                                quaternions<P>([&](int k) -> const Quatd& { return at.q[e[k]->segment]; })};
    const Vec3<P> longer = (P(share) * per_length) * between(
                                                         u, [](const StretchElement& s) { return s.x0; },
                                                         [](const StretchElement& s) { return s.x1; });
    const Vec3<P> theta = P(share) * vectors<P>([&](int k) -> const Vec3d& { return u[e[k]->theta]; });
    const Vec3<P> rest = vectors<P>([&](int k) { return p.stretch(e[k]->segment).p; });
    const Vec3<P> predicted = rotate(conjugate(state.q), state.e + longer + cross(state.e, theta)) - rest;
    for (std::size_t lane = 0; lane < P::lanes && first + lane < count; ++lane)
      strains[first + lane] = {predicted.x[lane], predicted.y[lane], predicted.z[lane]};
  }
}

StretchState<double> stretch_state(const Problem& p, int segment, int i, int j, const Iterate& at) {
  return {(1 / p.model->segments[segment].rest_length) * (at.x[j] - at.x[i]), at.q[segment]};
}

ScalarBend scalar_bend(const Problem& p, int bend, const Frames& f) {
  const Bend<double> term = p.bend(bend);
  const BendStrain s = p.scalar_strain(bend, f.a, f.b);
  const Mat3d by_turn = s.jacobian * transpose(rotation_matrix(s.frame));
  const Mat3d S = transpose(by_turn) * (Mat3d::diagonal(term.K) * by_turn);
  return {s.angle,
          by_turn,
          {S.c0.x, S.c0.y, S.c0.z, S.c1.y, S.c1.z, S.c2.z},
          transpose(by_turn) * scale(term.K, s.angle - term.rest),
          bend_energy(term, s.angle)};
}

double bend_energy(const Problem& p, int bend, const Iterate& at) {
  const Frames f = frames(p, bend, at);
  const Bend<double> term = p.bend(bend);
  return bend_energy(term, p.bends[bend].scalar ? p.scalar_strain(bend, f.a, f.b).angle : bend_angle(term, f.a, f.b));
}

double energy(const Part& part, const Problem& p, const Iterate& at) {
  double sum = slaved_energy(part, p, at);
  for (const Unknown& u : part.unknowns) sum += inertial_energy(p, u, at);
  for (const StretchElement& e : part.stretches) {
    const StretchState<double> state = stretch_state(p, e.segment, e.vertex[0], e.vertex[1], at);
    sum += stretch_energy(p.stretch(e.segment), strain(p.stretch(e.segment), state));
  }
  for (const BendElement& e : part.bends) sum += bend_energy(p, e.bend, at);
  return sum;
}

}  // namespace tendril::solvers::newton
