#include "solvers/inertia.h"
#include "solvers/newton/solver.h"

namespace tendril::solvers::newton {

// How segments turn by themselves at the start of a step, and how they have turned at its end, a pack of them at once.

// exp(h w) q, with w after a turn at constant angular momentum
void Problem::set_goals_in_lanes(const State& state, int pack) {
  using T = WideLanes;
  const auto index = [&](int lane) { return segment_in(pack, lane); };
  const Quat<T> q = quaternions<T>([&](int k) -> const Quatd& { return state.q[index(k)]; });
  const Vec3<T> omega = vectors<T>([&](int k) -> const Vec3d& { return state.omega[index(k)]; });
  const Vec3<T> J = vectors<T>([&](int k) -> const Vec3d& { return model->segments[index(k)].linear_inertia; });
  const T h(scheme.h), damping = numbers<T>([&](int k) { return model->segments[index(k)].damping; });
  const T damped = h / (T(1) + damping * h);
  const Quat<T> goal = q * quaternion_exp(damped * free_spin(J, rotate(conjugate(q), omega), h));
  scatter(goal, [&](int k) -> Quatd& { return frame_goal[index(k)]; });
}

// q, and omega = log(q q̄_old) / h
void NewtonSolver::finish_turns_in_lanes(int pack, const Region& region, State& state) const {
  using T = WideLanes;
  const auto index = [&](int lane) { return problem_.segment_in(pack, lane); };
  const Quat<T> before = quaternions<T>([&](int k) -> const Quatd& { return start_->q[index(k)]; });
  const Quat<T> z = quaternions<T>([&](int k) -> const Quatd& { return at_.q[index(k)]; });
  const SpinTurn<T> turn = spin_turn(before, z);
  const T rate = log_factor(turn.w, norm_squared(turn.v)) * T(1 / problem_.scheme.h);
  const auto is_meant = [&](int s) { return region.left_out.empty() || !region.left_out[s]; };
  Vec3d no_omega;
  scatter(rate * turn.v, [&](int k) -> Vec3d& { return is_meant(index(k)) ? state.omega[index(k)] : no_omega; });
  for (int k = 0; k < T::lanes; ++k)
    if (is_meant(index(k))) state.q[index(k)] = at_.q[index(k)];
}

}  // namespace tendril::solvers::newton
