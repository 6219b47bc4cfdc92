#include "solvers/block/solver.h"

#include <algorithm>

#include "math/stopwatch.h"
#include "rod/stream.h"

namespace tendril::block {
namespace {

// fewer segments per worker than this are done sooner than shared
constexpr int least_share = 500;

// [rad, in the frame of q_old]
Vec3d turn_from(const Quatd& q_old, const Quatd& q) {
  Quatd turn = conjugate(q_old) * q;
  if (turn.w < 0) turn = -turn;
  const Vec3d v = turn.imaginary();
  return log_factor(turn.w, norm_squared(v)) * v;
}

}  // namespace

BlockSolver::BlockSolver(const Options& options, int threads)
    : options_(options),
      threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      team_(std::make_unique<ThreadTeam>(1)) {}

void BlockSolver::reset(const Model& model, const State& state) {
  problem_.reset(model);
  parts_.reset(problem_);
  bundles_ = make_bundles(problem_, parts_);
  prediction_.resize(model.segments.size());
  for (std::size_t s = 0; s < prediction_.size(); ++s) {
    const Segment& segment = model.segments[s];
    const Vec3d edge = (state.x[segment.vertex[1]] - state.x[segment.vertex[0]]) / segment.rest_length;
    prediction_[s] = rotate(conjugate(state.q[s]), edge) - Vec3d{0, 0, 1};
  }
  exact_.assign(parts_.count(), 1);
  accelerations_.forget(model);
  systems_.clear();
  at_ = {};
  at_.x = state.x, at_.q = state.q, at_.body_x = state.body_x, at_.body_q = state.body_q;
  trial_ = at_;
  const int useful =
      std::clamp(std::min(parts_.count(), static_cast<int>(model.segments.size()) / least_share), 1, threads_);
  if (useful != team_->size()) team_ = std::make_unique<ThreadTeam>(useful);
  part_systems_.assign(useful, System(problem_, parts_));
  strands_.assign(useful, Strands(problem_, parts_));
}

StepReport BlockSolver::step(const Inputs& inputs, Contact& contact, double h, State& state) {
  const Scheme scheme = scheme_of(contact, h);
  if (!scheme.remembers) return step(scheme, inputs, contact, state);
  before_ = state;
  const StepReport report = step(scheme, inputs, contact, state);
  std::vector<Vec3d> ends = state.x;
  if (!contact.stop_at_walls(ends) && !guard_.grew(problem_, inputs, before_, at_, state)) return report;
  state = before_;
  return step(Scheme::implicit_euler(h), inputs, contact, state);
}

StepReport BlockSolver::step(const Scheme& scheme, const Inputs& inputs, Contact& contact, State& state) {
  StepReport report;
  Stopwatch whole, solving;
  whole.start();
  prepare(inputs, scheme, state);
  first_guess(state);  // x <- x + h v, q <- exp(h omega) q
  const bool may_touch = contact.is_enabled() && !scheme.remembers;
  solving.time([&] {
    if (may_touch)
      solve_with_contact(state, contact, report);
    else
      solve_parts(report);
  });
  if (!may_touch) lay_down_momenta(inputs, state);
  finish(state);  // v <- (x - x_old) / h
  if (!may_touch) keep_momenta(state);
  report.stages = {{"solve", solving.seconds()}, {"rest", whole.stop() - solving.seconds()}};
  return report;
}

// Second order needs to know how things accelerated, which the midpoint rule does not. What collides does not move
// smoothly: where rods come near something, steps are of first order.
Scheme BlockSolver::scheme_of(const Contact& contact, double h) const {
  if (options_.order == 1 || !contact.pairs().empty()) return Scheme::implicit_euler(h);
  return Scheme::generalised_alpha(accelerations_.known ? options_.rho_infinity : 1, h);
}

void BlockSolver::prepare(const Inputs& inputs, const Scheme& scheme, const State& state) {
  problem_.begin_step(inputs, scheme, state, accelerations_);
  body_end_ = inputs.end.body_pose;
  team_->run([&](int worker) {
    const auto part = [&](std::size_t count) { return share_of(static_cast<int>(count), worker, team_->size()); };
    problem_.set_vertices(inputs, state, accelerations_, part(state.x.size()));
    problem_.set_segments(state, accelerations_, part(state.q.size()));
    problem_.set_bends(state, part(problem_.bends.size()));
  });
}

// what is held goes where it must, the rest on as it moves; in trial_ the rest stays
void BlockSolver::first_guess(const State& state) {
  const Problem& p = problem_;
  const double ahead = p.scheme.share() * p.scheme.h;
  trial_.x = state.x, trial_.q = state.q, trial_.body_x = state.body_x, trial_.body_q = state.body_q;
  for (std::size_t b = 0; b < state.body_x.size(); ++b) {
    const bool dynamic = p.model->bodies[b].kind == BodyKind::dynamic;
    at_.body_x[b] = dynamic ? state.body_x[b] + ahead * state.body_v[b] : p.bodies[b].goal;
    at_.body_q[b] = p.bodies[b].spin.goal;
    if (!dynamic) trial_.body_x[b] = at_.body_x[b], trial_.body_q[b] = at_.body_q[b];
  }
  for (std::size_t s = 0; s < state.q.size(); ++s) at_.q[s] = p.spin[s].goal;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    at_.x[i] = state.x[i] + ahead * state.v[i];
    if (p.role[i] == Role::free) continue;
    if (p.role[i] == Role::slaved) {
      const Tie& tie = p.model->ties[p.tie[i]];
      at_.x[i] = at_.body_x[tie.body] + rotate(at_.body_q[tie.body], tie.offset);
      continue;
    }
    for (int k = 0; k < 3; ++k)
      if (p.free_axes[i][k] == 0) at_.x[i][k] = trial_.x[i][k] = p.prescribed_x[i][k];
  }
}

void BlockSolver::solve_parts(StepReport& report) {
  outcomes_.assign(parts_.count(), {});
  const int bundles = static_cast<int>(bundles_.bundles.size()), singles = static_cast<int>(bundles_.singles.size());
  for_all(bundles, [&](int n, int worker) { solve_bundle(n, worker); });
  for_all(singles, [&](int n, int worker) { solve_part(bundles_.singles[n], worker); });
  for (const Outcome& outcome : outcomes_) {
    report.iterations = std::max(report.iterations, outcome.iterations);
    report.residual = std::max(report.residual, outcome.step);
    report.converged = report.converged && outcome.converged;
  }
}

void BlockSolver::solve_part(int p, int worker) {
  OnePart part(parts_[p], problem_, part_systems_[worker], at_, trial_, prediction_);
  const auto result = Newton<OnePart>::solve(part, options_, exact_[p]);
  outcomes_[p] = {static_cast<int>(result.iterations), result.step, result.converged};
}

void BlockSolver::solve_bundle(int n, int worker) {
  const std::array<int, strand_lanes>& parts = bundles_.bundles[n];
  Strands& strands = strands_[worker];
  strands.load(parts, at_, trial_, prediction_);
  Strands::Number exact;
  for (int lane = 0; lane < strand_lanes; ++lane) exact.v[lane] = exact_[parts[lane]];
  const auto result = Newton<Strands>::solve(strands, options_, exact);
  strands.store(at_, prediction_);
  for (int lane = 0; lane < strand_lanes; ++lane) {
    exact_[parts[lane]] = exact[lane];
    outcomes_[parts[lane]] = {static_cast<int>(result.iterations[lane]), result.step[lane],
                              result.converged[lane] != 0};
  }
}

// of the parts that have been solved
void BlockSolver::lay_down_momenta(const Inputs& inputs, const State& state) {
  momenta_.assign(parts_.count(), {});
  for_parts([&](int p, int) {
    if (outcomes_[p].converged) momenta_[p] = free_momentum(parts_[p], problem_, inputs, state, accelerations_);
  });
}

void BlockSolver::keep_momenta(State& state) {
  for_parts([&](int p, int) { keep(momenta_[p], parts_[p], problem_, state, accelerations_); });
}

// from z to the end of the step
void BlockSolver::finish(State& state) {
  const Problem& p = problem_;
  const Scheme& scheme = p.scheme;
  Accelerations& old = accelerations_;
  const auto move = [&](const Vec3d& z, Vec3d& x, Vec3d& v, Vec3d& a) {
    const Vec3d d = z - x, a_new = scheme.new_acceleration(d, v, a);
    v = scheme.remembers ? scheme.new_velocity(v, a, a_new) : d / scheme.h;
    x = scheme.remembers ? x + (1 / scheme.share()) * d : z;
    a = a_new;
  };
  // Turns go by their angular momentum: the moments that act at z change it, and add up to nothing among a rod's own.
  const auto turn = [&](const Quatd& z, const Spin<double>& term, const Vec3d& J, double damping, Quatd& q,
                        Vec3d& omega, Vec3d& rate) {
    const auto momentum = [&](const Vec3d& w) { return rotate(q, scale(J, rotate(conjugate(q), w))); };
    const Vec3d old_momentum = momentum(omega), d = turn_from(q, z);
    if (!scheme.remembers) {
      omega = rotate(q, d) / scheme.h, q = z;
      rate = (momentum(omega) - old_momentum) / scheme.h;
      return;
    }
    const Vec3d on_the_way = momentum(rotate(q, d) / (scheme.share() * scheme.h));
    const Vec3d moment = derivatives(term, half_turn(term, z)).torque - damping * on_the_way;
    const Vec3d new_rate = (1 / (1 - scheme.alpha_m)) * (moment - scheme.alpha_m * rate);
    const Vec3d new_momentum = scheme.new_velocity(old_momentum, rate, new_rate);
    q = normalized(q * quaternion_exp((1 / scheme.share()) * d));
    const Vec3d in_body = rotate(conjugate(q), new_momentum);
    omega = rotate(q, {J.x > 0 ? in_body.x / J.x : 0, J.y > 0 ? in_body.y / J.y : 0, J.z > 0 ? in_body.z / J.z : 0});
    rate = new_rate;
  };
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    move(at_.x[i], state.x[i], state.v[i], old.vertex[i]);
    if (p.role[i] != Role::held && p.role[i] != Role::partly_held) continue;
    for (int k = 0; k < 3; ++k)
      if (p.free_axes[i][k] == 0) state.x[i][k] = p.held_end[i][k], state.v[i][k] = p.prescribed_v[i][k];
  }
  for (int s = 0; s < static_cast<int>(state.q.size()); ++s)
    turn(at_.q[s], p.spin[s], p.spin_inertia(s), p.model->segments[s].damping, state.q[s], state.omega[s],
         old.segment[s]);
  for (std::size_t b = 0; b < state.body_x.size(); ++b) {
    if (p.model->bodies[b].kind == BodyKind::kinematic) {
      state.body_v[b] = p.twists[b].v, state.body_omega[b] = p.twists[b].omega;
      state.body_x[b] = body_end_[b].x, state.body_q[b] = body_end_[b].q;
      continue;
    }
    move(at_.body_x[b], state.body_x[b], state.body_v[b], old.body[b]);
    turn(at_.body_q[b], p.bodies[b].spin, p.model->bodies[b].inertia, 0, state.body_q[b], state.body_omega[b],
         old.body_turn[b]);
  }
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    if (p.role[i] != Role::slaved || !scheme.remembers) continue;
    const Tie& tie = p.model->ties[p.tie[i]];
    const Vec3d arm = rotate(state.body_q[tie.body], tie.offset);
    state.x[i] = state.body_x[tie.body] + arm;
    state.v[i] = state.body_v[tie.body] + cross(state.body_omega[tie.body], arm);
  }
  old.known = true;
}

void BlockSolver::save(Writer& out) const {
  out.put(prediction_);
  out.put(exact_);
  out.put(accelerations_.known);
  for (const auto* a :
       {&accelerations_.vertex, &accelerations_.segment, &accelerations_.body, &accelerations_.body_turn})
    out.put(*a);
}

void BlockSolver::load(Reader& in) {
  in.get(prediction_);
  in.get(exact_);
  in.get(accelerations_.known);
  for (auto* a : {&accelerations_.vertex, &accelerations_.segment, &accelerations_.body, &accelerations_.body_turn})
    in.get(*a);
}

}  // namespace tendril::block
