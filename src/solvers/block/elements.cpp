#include "solvers/block/elements.h"

#include <algorithm>

namespace tendril::block {
namespace {

using P = WideLanes;

// a column of each lane
struct Columns {
  Block3<double>::Column lane[element_lanes];
};
[[gnu::always_inline]] inline Columns columns(const P& x, const P& y, const P& z) {
  Columns c;
  P::Vector row[4] = {x.v, y.v, z.v, {}};
  detail::transpose(row[0], row[1], row[2], row[3]);
#pragma GCC unroll 8
  for (int lane = 0; lane < element_lanes; ++lane) c.lane[lane] = detail::four_of(row[lane % 4], lane / 4);
  return c;
}
template <class Blocks, class Member>
[[gnu::always_inline]] inline void put(const Mat3<P>& m, Blocks& out, Member member) {
  const Columns c[3] = {columns(m.c0.x, m.c0.y, m.c0.z), columns(m.c1.x, m.c1.y, m.c1.z),
                        columns(m.c2.x, m.c2.y, m.c2.z)};
  for (int lane = 0; lane < element_lanes; ++lane)
    for (int k = 0; k < 3; ++k) (out[lane].*member).column[k] = c[k].lane[lane];
}
template <class Blocks, class Member>
[[gnu::always_inline]] inline void put(const Vec3<P>& v, Blocks& out, Member member) {
  const Columns c = columns(v.x, v.y, v.z);
  for (int lane = 0; lane < element_lanes; ++lane) (out[lane].*member).v = c.lane[lane];
}

// without twisting stiffness
BendBlocks swinging(const Problem& p, int bend, const Frames& f) {
  const Swing s = swing(p, bend, f);
  BendBlocks out;
  out.S += full(s.S), out.ab -= out.S, out.ba -= out.S;
  out.moment += s.moment;
  out.energy = s.energy;
  return out;
}

}  // namespace

void work_out(const Part& part, int first, const Problem& p, const Iterate& at, const Prediction& prediction,
              double exact, std::array<StretchBlocks, element_lanes>& out) {
  const StretchElement* e[element_lanes];
  const Stretch<double>* terms[element_lanes];
  const Spin<double>* spins[element_lanes];
  for (int lane = 0; lane < element_lanes; ++lane) {
    e[lane] = &part.stretches[std::min<std::size_t>(first + lane, part.stretches.size() - 1)];
    terms[lane] = &p.stretch[e[lane]->segment], spins[lane] = &p.spin[e[lane]->segment];
  }
  const Stretch<P> stretch{
      numbers<P>([&](int k) { return terms[k]->length; }), numbers<P>([&](int k) { return terms[k]->GA; }),
      numbers<P>([&](int k) { return terms[k]->EA; }), vectors<P>([&](int k) -> const Vec3d& { return terms[k]->p; })};
  const Spin<P> spin{vectors<P>([&](int k) -> const Vec3d& { return spins[k]->weight; }),
                     quaternions<P>([&](int k) -> const Quatd& { return spins[k]->goal; })};
  const Vec3<P> edge = vectors<P>([&](int k) -> const Vec3d& { return at.x[e[k]->vertex[1]]; }) -
                       vectors<P>([&](int k) -> const Vec3d& { return at.x[e[k]->vertex[0]]; });
  const StretchState<P> state{(P(1) / stretch.length) * edge,
                              quaternions<P>([&](int k) -> const Quatd& { return at.q[e[k]->segment]; })};
  const Vec3<P> gamma = strain(stretch, state), half = half_turn(spin, state.q);
  const Vec3<P> predicted = vectors<P>([&](int k) -> const Vec3d& { return prediction[e[k]->segment]; });
  const StretchDerivatives<P> d = derivatives(stretch, state, gamma, predicted, P(exact));
  const SpinDerivatives<P> s = derivatives(spin, half);
  put(full(d.xx), out, &StretchBlocks::xx);
  put(d.x_theta, out, &StretchBlocks::x_theta);
  put(transpose(d.x_theta), out, &StretchBlocks::theta_x);
  put(full(d.theta_theta + s.theta_theta), out, &StretchBlocks::theta_theta);
  put(d.force, out, &StretchBlocks::force);
  put(d.torque + s.torque, out, &StretchBlocks::torque);
  const P energy = stretch_energy(stretch, gamma) + spin_energy(spin, half);
  for (int lane = 0; lane < element_lanes; ++lane) out[lane].energy = energy[lane];
}

void work_out(const Part& part, int first, const Problem& p, const Iterate& at, double exact,
              std::array<BendBlocks, element_lanes>& out) {
  int bends[element_lanes];
  Frames f[element_lanes];
  bool some_swing = false;
  for (int lane = 0; lane < element_lanes; ++lane) {
    bends[lane] = part.bends[std::min<std::size_t>(first + lane, part.bends.size() - 1)].bend;
    f[lane] = frames(p, bends[lane], at);
    some_swing |= p.bends[bends[lane]].swings;
  }
  const Bend<P> bend{vectors<P>([&](int k) -> const Vec3d& { return p.bends[bends[k]].K; }),
                     vectors<P>([&](int k) -> const Vec3d& { return p.bends[bends[k]].rest; }),
                     side_of(quaternions<P>([&](int k) -> const Quatd& { return p.model->bends[bends[k]].rest; }))};
  const Quat<P> a = quaternions<P>([&](int k) -> const Quatd& { return f[k].a; });
  const Vec3<P> angle = bend_angle(bend, a, quaternions<P>([&](int k) -> const Quatd& { return f[k].b; }));
  const BendDerivatives<P> d = derivatives(bend, a, angle, P(exact));
  const Mat3<P> S = full(d.S), twist = skew(d.half_moment);
  put(S, out, &BendBlocks::S);
  put(twist + P(-1) * S, out, &BendBlocks::ab);
  put(P(-1) * (twist + S), out, &BendBlocks::ba);
  put(d.moment, out, &BendBlocks::moment);
  const P energy = bend_energy(bend, angle);
  for (int lane = 0; lane < element_lanes; ++lane) {
    out[lane].energy = energy[lane];
    if (some_swing && p.bends[bends[lane]].swings) out[lane] = swinging(p, bends[lane], f[lane]);
  }
}

}  // namespace tendril::block
