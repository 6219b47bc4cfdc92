#include "solvers/direct/elements.h"

#include "solvers/direct/kernels.h"

namespace tendril::solvers::direct {
namespace {

using P = JointNumber;

// shear times EA/GA - 1; below it, Newton's method is as fast without
constexpr double much_shear = 1e-4;

template <class Put>
[[gnu::always_inline]] inline void put(const Vec3<P>& v, Put to) {
  for_lanes(
      v.x, v.y, v.z, P(0), [&](int lane, const Three& row) __attribute__((always_inline)) { to(lane) = row; });
}
template <class Put>
[[gnu::always_inline]] inline void put(const Sym3<P>& m, Put to) {
  put(Vec3<P>{m.xx, m.yx, m.zx}, [&](int lane) -> Three& { return to(lane)[0]; });
  put(Vec3<P>{m.yx, m.yy, m.zy}, [&](int lane) -> Three& { return to(lane)[1]; });
  put(Vec3<P>{m.zx, m.zy, m.zz}, [&](int lane) -> Three& { return to(lane)[2]; });
}

void put(const Sym3<double>& m, Three (&to)[3]) {
  to[0] = Three{m.xx, m.yx, m.zx, 0}, to[1] = Three{m.yx, m.yy, m.zy, 0}, to[2] = Three{m.zx, m.zy, m.zz, 0};
}

}  // namespace

void work_out(const JointLanes& joints, const Problem& p, const Iterate& at, const Prediction& prediction,
              double hessian_share, std::array<JointBlocks, joint_lanes>& out) {
  const auto segment = [&](int k) { return joints.stretch[k]->segment; };
  const auto end = [&](int n) __attribute__((always_inline)) {
    return vectors<P>([&](int k) -> const Vec3d& { return at.x[joints.stretch[k]->vertex[n]]; });
  };
  const Stretch<P> stretch = stretches(p, segment);
  const Spin<P> spin = spins(p, segment, stretch.length);
  const StretchState<P> state{(P(1) / stretch.length) * (end(1) - end(0)),
                              quaternions<P>([&](int k) -> const Quatd& { return at.q[segment(k)]; })};
  const Vec3<P> gamma = strain(stretch, state), half = half_turn(spin, state.q);
  const Vec3<P> predicted = vectors<P>([&](int k) -> const Vec3d& { return prediction[segment(k)]; });
  const ArmDerivatives<P> d = arm_derivatives(stretch, state, gamma, predicted, P(hessian_share));
  const SpinDerivatives<P> s = derivatives(spin, half);
  const P forwards = numbers<P>([&](int k) { return joints.joint[k]->forwards ? 1.0 : -1.0; });
  put(d.stiffness, [&](int k) -> Three(&)[3] { return out[k].joint.place; });
  put(d.theta_theta + s.theta_theta, [&](int k) -> Three(&)[3] { return out[k].turn; });
  put(forwards * d.arm, [&](int k) -> Three& { return out[k].joint.arm; });
  put(d.force, [&](int k) -> Three& { return out[k].force; });
  put(d.torque + s.torque, [&](int k) -> Three& { return out[k].torque; });
  const P much = P(much_shear) * stretch.GA, shear2 = dot(d.shear, d.shear);
  for (int lane = 0; lane < joint_lanes; ++lane) out[lane].joint.sheared = shear2[lane] > much[lane] * much[lane];
  if (any(shear2 > much * much)) {
    put(forwards * d.axis, [&](int k) -> Three& { return out[k].joint.axis; });
    put(d.shear, [&](int k) -> Three& { return out[k].joint.shear; });
  }

  const Bend<P> bend = bends_of(joints.bend, p);
  const FrameLanes f = frames_of(joints.bend, at);
  const Vec3<P> angle = bend_angle(bend, f.a, f.b);
  const BendDerivatives<P> b = derivatives(bend, f.a, angle, P(hessian_share));
  const P is_a = numbers<P>([&](int k) { return joints.joint[k]->is_b ? -1.0 : 1.0; });
  put(b.S, [&](int k) -> Three(&)[3] { return out[k].joint.turn; });
  put(b.moment, [&](int k) -> Three& { return out[k].moment; });
  put(is_a * b.half_moment, [&](int k) -> Three& { return out[k].joint.twist; });
  const P energy = stretch_energy(stretch, gamma) + spin_energy(spin, half), bent = bend_energy(bend, angle);
  for (int lane = 0; lane < joint_lanes; ++lane) {
    out[lane].energy = energy[lane] + bent[lane];
    const int index = joints.bend.element[lane]->bend;
    if (!joints.bend.scalar || index < 0 || !p.bends[index].scalar) continue;
    const ScalarBend alone = scalar_bend(p, index, frames(p, index, at));
    put(alone.S, out[lane].joint.turn);
    out[lane].joint.twist = Three{}, out[lane].moment = three(alone.moment);
    out[lane].energy = energy[lane] + alone.energy;
  }
}

void work_out(const BendLanes& bends, const Problem& p, const Iterate& at, double hessian_share,
              std::array<BendRows, joint_lanes>& out) {
  const Bend<P> bend = bends_of(bends, p);
  const FrameLanes f = frames_of(bends, at);
  const Vec3<P> angle = bend_angle(bend, f.a, f.b);
  const BendDerivatives<P> d = derivatives(bend, f.a, angle, P(hessian_share));
  put(d.S, [&](int k) -> Three(&)[3] { return out[k].S; });
  put(d.moment, [&](int k) -> Three& { return out[k].moment; });
  put(d.half_moment, [&](int k) -> Three& { return out[k].half_moment; });
  const P energy = bend_energy(bend, angle);
  for (int lane = 0; lane < joint_lanes; ++lane) {
    out[lane].energy = energy[lane];
    const int index = bends.element[lane]->bend;
    if (!bends.scalar || !p.bends[index].scalar) continue;
    const ScalarBend alone = scalar_bend(p, index, frames(p, index, at));
    put(alone.S, out[lane].S);
    out[lane].half_moment = Three{}, out[lane].moment = three(alone.moment), out[lane].energy = alone.energy;
  }
}

}  // namespace tendril::solvers::direct
