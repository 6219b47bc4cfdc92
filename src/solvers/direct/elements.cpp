#include "solvers/direct/elements.h"

#include "solvers/direct/kernels.h"

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

void work_out(const JointPack& pack, const Problem& p, const Iterate& at, const Prediction& prediction, double exact,
              std::array<JointBlocks, joint_lanes>& out) {
  const Stretch<P>& stretch = pack.stretch;
  const Spin<P> spin{pack.spin, quaternions([&](int k) -> const Quatd& { return p.spin[pack.segment[k]].goal; })};
  const Vec3<P> edge = vectors([&](int k) -> const Vec3d& { return at.x[pack.vertex[1][k]]; }) -
                       vectors([&](int k) -> const Vec3d& { return at.x[pack.vertex[0][k]]; });
  const StretchState<P> state{(P(1) / stretch.length) * edge,
                              quaternions([&](int k) -> const Quatd& { return at.q[pack.segment[k]]; })};
  const Vec3<P> gamma = strain(stretch, state), half = half_turn(spin, state.q);
  const Vec3<P> predicted = vectors([&](int k) -> const Vec3d& { return prediction[pack.segment[k]]; });
  const ArmDerivatives<P> d = arm_derivatives(stretch, state, gamma, predicted, P(exact));
  const SpinDerivatives<P> s = derivatives(spin, half);
  put(d.stiffness, [&](int k) -> Three(&)[3] { return out[k].joint.place; });
  put(d.theta_theta + s.theta_theta, [&](int k) -> Three(&)[3] { return out[k].turn; });
  put(pack.forwards * d.arm, [&](int k) -> Three& { return out[k].joint.arm; });
  put(d.force, [&](int k) -> Three& { return out[k].force; });
  put(d.torque + s.torque, [&](int k) -> Three& { return out[k].torque; });
  const P much = P(much_shear) * stretch.GA, shear2 = dot(d.shear, d.shear);
  for (int lane = 0; lane < joint_lanes; ++lane) out[lane].sheared = shear2[lane] > much[lane] * much[lane];
  if (any(shear2 > much * much)) {
    put(d.axis, [&](int k) -> Three& { return out[k].axis; });
    put(d.shear, [&](int k) -> Three& { return out[k].shear; });
  }

  const Bend<P>& bend = pack.bend.bend;
  const FramePack f = frames_of(pack.bend, at);
  const Vec3<P> angle = bend_angle(bend, f.a, f.b);
  const BendDerivatives<P> b = derivatives(bend, f.a, angle, P(exact));
  put(b.S, [&](int k) -> Three(&)[3] { return out[k].joint.turn; });
  put(b.moment, [&](int k) -> Three& { return out[k].moment; });
  put(pack.is_a * b.half_moment, [&](int k) -> Three& { return out[k].joint.twist; });
  const P energy = stretch_energy(stretch, gamma) + spin_energy(spin, half), bent = bend_energy(bend, angle);
  for (int lane = 0; lane < joint_lanes; ++lane) {
    out[lane].energy = energy[lane] + bent[lane];
    if (!pack.bend.swings || pack.bend.index[lane] < 0 || !p.bends[pack.bend.index[lane]].swings) continue;
    const Swing swings = swing(p, pack.bend.index[lane], frames(p, pack.bend.index[lane], at));
    put(swings.S, out[lane].joint.turn);
    out[lane].joint.twist = Three{}, out[lane].moment = three(swings.moment);
    out[lane].energy = energy[lane] + swings.energy;
  }
}

void work_out(const BendPack& pack, const Problem& p, const Iterate& at, double exact,
              std::array<BendRows, joint_lanes>& out) {
  const FramePack f = frames_of(pack, at);
  const Vec3<P> angle = bend_angle(pack.bend, f.a, f.b);
  const BendDerivatives<P> d = derivatives(pack.bend, f.a, angle, P(exact));
  put(d.S, [&](int k) -> Three(&)[3] { return out[k].S; });
  put(d.moment, [&](int k) -> Three& { return out[k].moment; });
  put(d.half_moment, [&](int k) -> Three& { return out[k].half_moment; });
  const P energy = bend_energy(pack.bend, angle);
  for (int lane = 0; lane < joint_lanes; ++lane) {
    out[lane].energy = energy[lane];
    if (!pack.swings || !p.bends[pack.index[lane]].swings) continue;
    const Swing swings = swing(p, pack.index[lane], frames(p, pack.index[lane], at));
    put(swings.S, out[lane].S);
    out[lane].half_moment = Three{}, out[lane].moment = three(swings.moment), out[lane].energy = swings.energy;
  }
}

}  // namespace tendril::direct
