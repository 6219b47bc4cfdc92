#include "solvers/block/elements.h"

#include <algorithm>

namespace tendril::solvers::block {
namespace {

using P = WideLanes;

// a column of each lane
struct Columns {
  Block3<double>::Column lane[element_lanes];
};
[[gnu::always_inline]] inline Columns columns(const P& x, const P& y, const P& z) {
  Columns c;
  P::Vector row[4] = {x.v, y.v, z.v, {}};
  math::detail::transpose(row[0], row[1], row[2], row[3]);
#pragma GCC unroll 8
  for (int lane = 0; lane < element_lanes; ++lane) c.lane[lane] = math::detail::four_of(row[lane % 4], lane / 4);
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
BendBlocks scalar_blocks(const Problem& p, int bend, const Frames& f) {
  const ScalarBend s = scalar_bend(p, bend, f);
  BendBlocks out;
  out.S += full(s.S), out.ab -= out.S, out.ba -= out.S;
  out.moment += s.moment;
  out.energy = s.energy;
  return out;
}

template <class Element>
std::array<const Element*, element_lanes> lanes_from(const std::vector<Element>& elements, std::size_t first) {
  std::array<const Element*, element_lanes> e;
  for (int lane = 0; lane < element_lanes; ++lane) e[lane] = &elements[std::min(first + lane, elements.size() - 1)];
  return e;
}

}  // namespace

void load_constants(const Part& part, const Problem& p, ElementConstants& constants) {
  constants.stretches.clear(), constants.bends.clear();
  for (std::size_t first = 0; first < part.stretches.size(); first += element_lanes) {
    const auto e = lanes_from(part.stretches, first);
    const auto term = [&](int k) { return p.stretch(e[k]->segment); };
    const P length = numbers<P>([&](int k) { return term(k).length; });
    constants.stretches.push_back(
        {{length, numbers<P>([&](int k) { return term(k).GA; }), numbers<P>([&](int k) { return term(k).EA; }),
          vectors<P>([&](int k) { return term(k).p; })},
         P(1) / length,
         vectors<P>([&](int k) { return p.spin(e[k]->segment).weight; })});
  }
  for (std::size_t first = 0; first < part.bends.size(); first += element_lanes) {
    const auto e = lanes_from(part.bends, first);
    const auto term = [&](int k) { return p.bend(e[k]->bend); };
    const auto in_model = [&](int k) -> const rod::Bend& { return p.model->bends[e[k]->bend]; };
    ElementConstants::Bends bends{
        make_bend(vectors<P>([&](int k) { return term(k).K; }), vectors<P>([&](int k) { return term(k).rest; })),
        quaternions<P>([&](int k) -> const Quatd& { return in_model(k).turn; })};
    for (const BendElement* element : e)
      bends.turns |= p.bends[element->bend].turns, bends.scalar |= p.bends[element->bend].scalar;
    constants.bends.push_back(bends);
  }
  constants.version = p.version;
}

void work_out(const Part& part, int first, const ElementConstants& constants, const Problem& p, const Iterate& at,
              const Prediction& prediction, double hessian_share, std::array<StretchBlocks, element_lanes>& out) {
  const auto e = lanes_from(part.stretches, first);
  const auto& [stretch, per_length, spin_weight] = constants.stretches[first / element_lanes];
  const Spin<P> spin{spin_weight, quaternions<P>([&](int k) -> const Quatd& { return p.frame_goal[e[k]->segment]; })};
  const Vec3<P> edge = vectors<P>([&](int k) -> const Vec3d& { return at.x[e[k]->vertex[1]]; }) -
                       vectors<P>([&](int k) -> const Vec3d& { return at.x[e[k]->vertex[0]]; });
  const StretchState<P> state{per_length * edge,
                              quaternions<P>([&](int k) -> const Quatd& { return at.q[e[k]->segment]; })};
  const Vec3<P> gamma = strain(stretch, state), half = half_turn(spin, state.q);
  const Vec3<P> predicted = vectors<P>([&](int k) -> const Vec3d& { return prediction[e[k]->segment]; });
  const StretchDerivatives<P> d = derivatives(stretch, state, gamma, predicted, P(hessian_share));
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

void work_out(const Part& part, int first, const ElementConstants& constants, const Problem& p, const Iterate& at,
              double hessian_share, std::array<BendBlocks, element_lanes>& out) {
  const auto e = lanes_from(part.bends, first);
  const auto& [bend, turn, some_turn, some_scalar] = constants.bends[first / element_lanes];
  const auto frame = [&](int id) -> const Quatd& { return id >= 0 ? at.q[id] : at.body_q[~id]; };
  const Quat<P> a = quaternions<P>([&](int k) -> const Quatd& { return frame(e[k]->frame_a); });
  Quat<P> b = quaternions<P>([&](int k) -> const Quatd& { return frame(e[k]->frame_b); });
  if (some_turn) b = b * turn;
  const Vec3<P> angle = bend_angle(bend, a, b);
  const BendDerivatives<P> d = derivatives(bend, a, angle, P(hessian_share));
  const Mat3<P> S = full(d.S), twist = skew(d.half_moment);
  put(S, out, &BendBlocks::S);
  put(twist + P(-1) * S, out, &BendBlocks::ab);
  put(P(-1) * (twist + S), out, &BendBlocks::ba);
  put(d.moment, out, &BendBlocks::moment);
  const P energy = bend_energy(bend, angle);
  for (int lane = 0; lane < element_lanes; ++lane) {
    out[lane].energy = energy[lane];
    const int n = e[lane]->bend;
    if (some_scalar && p.bends[n].scalar) out[lane] = scalar_blocks(p, n, frames(p, n, at));
  }
}

}  // namespace tendril::solvers::block
