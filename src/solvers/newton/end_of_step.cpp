#include <algorithm>

#include "solvers/newton/solver.h"

namespace tendril::solvers::newton {

// The end of a step: what is where and how it moves, from the solution z.

namespace {

// [rad, in the frame of q_old]
Vec3d turn_from(const Quatd& q_old, const Quatd& q) {
  const Quatd turn = shorter_turn(conjugate(q_old) * q);
  const Vec3d v = turn.imaginary();
  return log_factor(turn.w, norm_squared(v)) * v;
}

// from x_old and v_old
void move_on(const Scheme& scheme, const Vec3d& z, const Vec3d& x_old, const Vec3d& v_old, Vec3d& x, Vec3d& v,
             Vec3d& a) {
  const Vec3d d = z - x_old, a_new = scheme.new_acceleration(d, v_old, a);
  if (scheme.remembers)
    v = scheme.new_velocity(v_old, a, a_new), x = x_old + (1 / scheme.share()) * d;
  else
    v = (1 / scheme.h) * d, x = z;
  a = a_new;
}

}  // namespace

void NewtonSolver::finish(State& state) {
  options_.order == 1 ? finish_in_first_order(state) : finish_in_second_order(state);
  for (const HeldAxis& axis : problem_.held)
    state.x[axis.vertex][axis.k] = axis.end, state.v[axis.vertex][axis.k] = axis.v;
  finish_bodies(state);
  accelerations_.known = true;
}

void NewtonSolver::finish_in_first_order(State& state) {
  const Region& region = each_by_itself_ ? others_ : all_;
  const int chunks = team_->size();
  team_->run(chunks, [&](int chunk, int) {
    for_ranges(region.vertices, chunk, chunks, [&](Share share) {
      for (int i = share.begin; i < share.end; ++i) finish_vertex(i, state);
    });
    for_ranges(region.packs, chunk, chunks, [&](Share share) {
      for (int pack = share.begin; pack < share.end; ++pack) finish_turns_in_lanes(pack, region, state);
    });
  });
}

void NewtonSolver::finish_vertex(int i, State& state) const {
  state.x[i] = at_.x[i], state.v[i] = (1 / problem_.scheme.h) * (at_.x[i] - start_->x[i]);
}

void NewtonSolver::finish_turn(int s, State& state) const {
  const Quatd& old = start_->q[s];
  state.q[s] = at_.q[s], state.omega[s] = rotate(old, turn_from(old, at_.q[s])) / problem_.scheme.h;
}

void NewtonSolver::finish_in_second_order(State& state) {
  const Problem& p = problem_;
  const int chunks = team_->size();
  team_->run(chunks, [&](int chunk, int) {
    for_ranges(all_.vertices, chunk, chunks, [&](Share share) {
      for (int i = share.begin; i < share.end; ++i)
        move_on(p.scheme, at_.x[i], start_->x[i], start_->v[i], state.x[i], state.v[i], accelerations_.vertex[i]);
    });
    const Share segments = share_of(static_cast<int>(state.q.size()), chunk, chunks);
    for (int s = segments.begin; s < segments.end; ++s) {
      state.q[s] = start_->q[s], state.omega[s] = start_->omega[s];
      finish_turn(at_.q[s], p.spin(s), p.spin_inertia(s), p.model->segments[s].damping, state.q[s], state.omega[s],
                  accelerations_.segment[s]);
    }
  });
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
    move_on(p.scheme, at_.body_x[b], start_->body_x[b], start_->body_v[b], state.body_x[b], state.body_v[b],
            accelerations_.body[b]);
    state.body_q[b] = start_->body_q[b], state.body_omega[b] = start_->body_omega[b];
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

}  // namespace tendril::solvers::newton
