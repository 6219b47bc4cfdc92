#include <algorithm>

#include "solvers/newton/solver.h"

namespace tendril::newton {

// The end of a step: what is where and how it moves, from the solution z.

namespace {

// [rad, in the frame of q_old]
Vec3d turn_from(const Quatd& q_old, const Quatd& q) {
  Quatd turn = conjugate(q_old) * q;
  if (turn.w < 0) turn = -turn;
  const Vec3d v = turn.imaginary();
  return log_factor(turn.w, norm_squared(v)) * v;
}

void move_on(const Scheme& scheme, const Vec3d& z, Vec3d& x, Vec3d& v, Vec3d& a) {
  const Vec3d d = z - x, a_new = scheme.new_acceleration(d, v, a);
  if (scheme.remembers)
    v = scheme.new_velocity(v, a, a_new), x += (1 / scheme.share()) * d;
  else
    v = (1 / scheme.h) * d, x = z;
  a = a_new;
}

}  // namespace

void NewtonSolver::finish(State& state) {
  const double per_step = 1 / problem_.scheme.h;
  team_->run([&, per_step](int worker) {
    const auto mine = [&](std::size_t count) { return share_of(static_cast<int>(count), worker, team_->size()); };
    const Share vertices = mine(state.x.size()), packs = mine(Problem::pack_count(state.q.size()));
    for (int i = vertices.begin; i < vertices.end; ++i)
      if (accelerations_.vertex.empty())
        state.v[i] = per_step * (at_.x[i] - state.x[i]), state.x[i] = at_.x[i];
      else
        move_on(problem_.scheme, at_.x[i], state.x[i], state.v[i], accelerations_.vertex[i]);
    for (int pack = packs.begin; pack < packs.end; ++pack) finish_turns(pack, state);
  });
  for (const HeldAxis& axis : problem_.held)
    state.x[axis.vertex][axis.k] = axis.end, state.v[axis.vertex][axis.k] = axis.v;
  finish_bodies(state);
  accelerations_.known = true;
}

void NewtonSolver::finish_turns(int pack, State& state) {
  const Problem& p = problem_;
  if (!p.scheme.remembers && options_.order == 1) return finish_turns_in_lanes(pack, state);
  const int end = std::min<int>(p.frame_goal.size(), (pack + 1) * WideLanes::lanes);
  for (int s = pack * WideLanes::lanes; s < end; ++s)
    finish_turn(at_.q[s], p.spin(s), p.spin_inertia(s), p.model->segments[s].damping, state.q[s], state.omega[s],
                accelerations_.segment[s]);
}

// Turns go by their angular momentum: the moments that act at z change it, and add up to nothing among a rod's own.
void NewtonSolver::finish_turn(const Quatd& z, const Spin<double>& term, const Vec3d& J, double damping, Quatd& q,
                               Vec3d& omega, Vec3d& rate) const {
  const Scheme& scheme = problem_.scheme;
  const auto momentum = [&](const Vec3d& w) { return rotate(q, scale(J, rotate(conjugate(q), w))); };
  const Vec3d d = turn_from(q, z);
  if (!scheme.remembers) {
    const Vec3d old_omega = omega;
    omega = rotate(q, d) / scheme.h;
    if (options_.order == 2) {
      const Vec3d old_momentum = momentum(old_omega);
      q = z, rate = (momentum(omega) - old_momentum) / scheme.h;
    }
    q = z;
    return;
  }
  const Vec3d old_momentum = momentum(omega), on_the_way = momentum(rotate(q, d) / (scheme.share() * scheme.h));
  const Vec3d moment = derivatives(term, half_turn(term, z)).torque - damping * on_the_way;
  const Vec3d new_rate = (1 / (1 - scheme.alpha_m)) * (moment - scheme.alpha_m * rate);
  const Vec3d new_momentum = scheme.new_velocity(old_momentum, rate, new_rate);
  q = normalized(q * quaternion_exp((1 / scheme.share()) * d));
  const Vec3d in_body = rotate(conjugate(q), new_momentum);
  omega = rotate(q, {J.x > 0 ? in_body.x / J.x : 0, J.y > 0 ? in_body.y / J.y : 0, J.z > 0 ? in_body.z / J.z : 0});
  rate = new_rate;
}

// and what follows them
void NewtonSolver::finish_bodies(State& state) {
  const Problem& p = problem_;
  for (std::size_t b = 0; b < state.body_x.size(); ++b) {
    if (p.model->bodies[b].kind == BodyKind::kinematic) {
      state.body_v[b] = p.twists[b].v, state.body_omega[b] = p.twists[b].omega;
      state.body_x[b] = body_end_[b].x, state.body_q[b] = body_end_[b].q;
      continue;
    }
    move_on(p.scheme, at_.body_x[b], state.body_x[b], state.body_v[b], accelerations_.body[b]);
    finish_turn(at_.body_q[b], p.bodies[b].spin, p.model->bodies[b].inertia, 0, state.body_q[b], state.body_omega[b],
                accelerations_.body_turn[b]);
  }
  if (!p.scheme.remembers) return;
  p.for_slaved([&](const Tie& tie) {
    const Vec3d arm = rotate(state.body_q[tie.body], tie.offset);
    state.x[tie.vertex] = state.body_x[tie.body] + arm;
    state.v[tie.vertex] = state.body_v[tie.body] + cross(state.body_omega[tie.body], arm);
  });
}

}  // namespace tendril::newton
