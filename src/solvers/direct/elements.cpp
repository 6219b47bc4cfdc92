#include "solvers/direct/elements.h"

#include <algorithm>

#include "solvers/direct/kernels.h"
#include "solvers/newton/lanes.h"

namespace tendril::direct {
namespace {

using P = Lanes;

// shear times EA/GA - 1; below it, Newton's method is as fast without
constexpr double much_shear = 1e-4;

// a row of each lane
struct LaneRows {
  Three lane[joint_lanes];
};
[[gnu::always_inline]] inline LaneRows rows_of(const P& x, const P& y, const P& z) {
  LaneRows r{{x.v, y.v, z.v, {}}};
  detail::transpose(r.lane[0], r.lane[1], r.lane[2], r.lane[3]);
  return r;
}
template <class Put>
[[gnu::always_inline]] inline void put(const Vec3<P>& v, Put to) {
  const LaneRows r = rows_of(v.x, v.y, v.z);
  for (int lane = 0; lane < joint_lanes; ++lane) to(lane) = r.lane[lane];
}
template <class Put>
[[gnu::always_inline]] inline void put(const Sym3<P>& m, Put to) {
  const LaneRows r[3] = {rows_of(m.xx, m.yx, m.zx), rows_of(m.yx, m.yy, m.zy), rows_of(m.zx, m.zy, m.zz)};
  for (int lane = 0; lane < joint_lanes; ++lane)
    for (int k = 0; k < 3; ++k) to(lane)[k] = r[k].lane[lane];
}

void put(const Sym3<double>& m, Three (&to)[3]) {
  to[0] = Three{m.xx, m.yx, m.zx, 0}, to[1] = Three{m.yx, m.yy, m.zy, 0}, to[2] = Three{m.zx, m.zy, m.zz, 0};
}

}  // namespace

void work_out(const Structure& structure, const Part& part, int first, const Problem& p, const Iterate& at,
              const Prediction& prediction, double exact, std::array<JointBlocks, joint_lanes>& out) {
  const StretchElement* e[joint_lanes];
  const Stretch<double>* terms[joint_lanes];
  const Spin<double>* spins[joint_lanes];
  const BendTerm* bends[joint_lanes];
  Frames f[joint_lanes];
  static const BendTerm no_bend;
  double forwards[joint_lanes], is_b[joint_lanes];
  bool some_swing = false;
  for (int lane = 0; lane < joint_lanes; ++lane) {
    const Joint& joint = structure.joints[std::min<std::size_t>(first + lane, structure.joints.size() - 1)];
    e[lane] = &part.stretches[joint.stretch];
    terms[lane] = &p.stretch[e[lane]->segment], spins[lane] = &p.spin[e[lane]->segment];
    forwards[lane] = joint.forwards ? 1 : -1, is_b[lane] = joint.is_b ? -1 : 1;
    bends[lane] = &no_bend, f[lane] = {};
    if (joint.bend < 0) continue;
    const int bend = part.bends[joint.bend].bend;
    bends[lane] = &p.bends[bend], f[lane] = frames(p, bend, at);
    some_swing |= bends[lane]->swings;
  }
  const Stretch<P> stretch{numbers([&](int k) { return terms[k]->length; }),
                           numbers([&](int k) { return terms[k]->GA; }), numbers([&](int k) { return terms[k]->EA; }),
                           vectors([&](int k) -> const Vec3d& { return terms[k]->p; })};
  const Spin<P> spin{vectors([&](int k) -> const Vec3d& { return spins[k]->weight; }),
                     quaternions([&](int k) -> const Quatd& { return spins[k]->goal; })};
  const Vec3<P> edge = vectors([&](int k) -> const Vec3d& { return at.x[e[k]->vertex[1]]; }) -
                       vectors([&](int k) -> const Vec3d& { return at.x[e[k]->vertex[0]]; });
  const StretchState<P> state{(P(1) / stretch.length) * edge,
                              quaternions([&](int k) -> const Quatd& { return at.q[e[k]->segment]; })};
  const Vec3<P> gamma = strain(stretch, state), half = half_turn(spin, state.q);
  const Vec3<P> predicted = vectors([&](int k) -> const Vec3d& { return prediction[e[k]->segment]; });
  const ArmDerivatives<P> d = arm_derivatives(stretch, state, gamma, predicted, P(exact));
  const SpinDerivatives<P> s = derivatives(spin, half);
  put(d.stiffness, [&](int k) -> Three(&)[3] { return out[k].joint.place; });
  put(d.theta_theta + s.theta_theta, [&](int k) -> Three(&)[3] { return out[k].turn; });
  put(numbers([&](int k) { return forwards[k]; }) * d.arm, [&](int k) -> Three& { return out[k].joint.arm; });
  put(d.force, [&](int k) -> Three& { return out[k].force; });
  put(d.torque + s.torque, [&](int k) -> Three& { return out[k].torque; });
  const P much = P(much_shear) * stretch.GA, shear2 = dot(d.shear, d.shear);
  for (int lane = 0; lane < joint_lanes; ++lane) out[lane].sheared = shear2[lane] > much[lane] * much[lane];
  if (any(shear2 > much * much)) {
    put(d.axis, [&](int k) -> Three& { return out[k].axis; });
    put(d.shear, [&](int k) -> Three& { return out[k].shear; });
  }

  const Bend<P> bend{vectors([&](int k) -> const Vec3d& { return bends[k]->bend.K; }),
                     vectors([&](int k) -> const Vec3d& { return bends[k]->bend.rest; }),
                     quaternions([&](int k) -> const Quatd& { return bends[k]->bend.side; })};
  const Quat<P> a = quaternions([&](int k) -> const Quatd& { return f[k].a; });
  const Vec3<P> angle = bend_angle(bend, a, quaternions([&](int k) -> const Quatd& { return f[k].b; }));
  const BendDerivatives<P> b = derivatives(bend, a, angle, P(exact));
  put(b.S, [&](int k) -> Three(&)[3] { return out[k].joint.turn; });
  put(b.moment, [&](int k) -> Three& { return out[k].moment; });
  put(numbers([&](int k) { return is_b[k]; }) * b.half_moment, [&](int k) -> Three& { return out[k].joint.twist; });
  const P energy = stretch_energy(stretch, gamma) + spin_energy(spin, half), bent = bend_energy(bend, angle);
  for (int lane = 0; lane < joint_lanes; ++lane) {
    out[lane].energy = energy[lane] + bent[lane];
    if (!some_swing || !bends[lane]->swings) continue;
    const Swing swings = swing(p, static_cast<int>(bends[lane] - p.bends.data()), f[lane]);
    put(swings.S, out[lane].joint.turn);
    out[lane].joint.twist = Three{}, out[lane].moment = three(swings.moment);
    out[lane].energy = energy[lane] + swings.energy;
  }
}

void work_out(const Structure& structure, const Part& part, int first, const Problem& p, const Iterate& at,
              double exact, std::array<BendRows, joint_lanes>& out) {
  int bends[joint_lanes];
  Frames f[joint_lanes];
  bool some_swing = false;
  for (int lane = 0; lane < joint_lanes; ++lane) {
    const std::size_t n = std::min<std::size_t>(first + lane, structure.bends.size() - 1);
    bends[lane] = part.bends[structure.bends[n].bend].bend;
    f[lane] = frames(p, bends[lane], at);
    some_swing |= p.bends[bends[lane]].swings;
  }
  const auto term = [&](int k) -> const Bend<double>& { return p.bends[bends[k]].bend; };
  const Bend<P> bend{vectors([&](int k) -> const Vec3d& { return term(k).K; }),
                     vectors([&](int k) -> const Vec3d& { return term(k).rest; }),
                     quaternions([&](int k) -> const Quatd& { return term(k).side; })};
  const Quat<P> a = quaternions([&](int k) -> const Quatd& { return f[k].a; });
  const Vec3<P> angle = bend_angle(bend, a, quaternions([&](int k) -> const Quatd& { return f[k].b; }));
  const BendDerivatives<P> d = derivatives(bend, a, angle, P(exact));
  put(d.S, [&](int k) -> Three(&)[3] { return out[k].S; });
  put(d.moment, [&](int k) -> Three& { return out[k].moment; });
  put(d.half_moment, [&](int k) -> Three& { return out[k].half_moment; });
  const P energy = bend_energy(bend, angle);
  for (int lane = 0; lane < joint_lanes; ++lane) {
    out[lane].energy = energy[lane];
    if (!some_swing || !p.bends[bends[lane]].swings) continue;
    const Swing swings = swing(p, bends[lane], f[lane]);
    put(swings.S, out[lane].S);
    out[lane].half_moment = Three{}, out[lane].moment = three(swings.moment), out[lane].energy = swings.energy;
  }
}

}  // namespace tendril::direct
