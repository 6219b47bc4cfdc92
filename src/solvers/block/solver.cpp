#include "solvers/block/solver.h"

#include <algorithm>

#include "math/stopwatch.h"
#include "rod/stream.h"

namespace tendril::block {
namespace {

// fewer segments per worker than this are done sooner than shared
constexpr int least_share = 500;

Vec3d turn_rate(const Quatd& q, const Quatd& q_old, double h) {
  Quatd turn = q * conjugate(q_old);
  if (turn.w < 0) turn = -turn;
  const Vec3d v = turn.imaginary();
  return (log_factor(turn.w, norm_squared(v)) / h) * v;
}

}  // namespace

BlockSolver::BlockSolver(const Options& options, int threads)
    : options_(options),
      threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      team_(std::make_unique<ThreadTeam>(1)) {}

void BlockSolver::reset(const Model& model, const State& state) {
  problem_.reset(model);
  parts_.reset(problem_);
  prediction_.resize(model.segments.size());
  for (std::size_t s = 0; s < prediction_.size(); ++s) {
    const Segment& segment = model.segments[s];
    const Vec3d edge = (state.x[segment.vertex[1]] - state.x[segment.vertex[0]]) / segment.rest_length;
    prediction_[s] = rotate(conjugate(state.q[s]), edge) - Vec3d{0, 0, 1};
  }
  exact_.assign(parts_.count(), 1);
  systems_.clear();
  at_ = {state.x, state.body_x, state.q, state.body_q};
  trial_ = at_;
  const int useful =
      std::clamp(std::min(parts_.count(), static_cast<int>(model.segments.size()) / least_share), 1, threads_);
  if (useful != team_->size()) team_ = std::make_unique<ThreadTeam>(useful);
  newton_.clear();
  for (int worker = 0; worker < useful; ++worker) newton_.emplace_back(problem_, parts_, options_);
}

StepReport BlockSolver::step(const Inputs& inputs, Contact& contact, double h, State& state) {
  StepReport report;
  Stopwatch whole, solving;
  whole.start();
  prepare(inputs, h, state);
  first_guess(state);  // x <- x + h v, q <- exp(h omega) q
  solving.time([&] {
    if (contact.is_enabled())
      solve_with_contact(state, contact, report);
    else
      solve_parts(report);
  });
  finish(state);  // v <- (x - x_old) / h
  report.stages = {{"solve", solving.seconds()}, {"rest", whole.stop() - solving.seconds()}};
  return report;
}

void BlockSolver::prepare(const Inputs& inputs, double h, const State& state) {
  problem_.begin_step(inputs, h, state);
  team_->run([&](int worker) {
    const auto part = [&](std::size_t count) { return share_of(static_cast<int>(count), worker, team_->size()); };
    problem_.set_vertices(inputs, state, part(state.x.size()));
    problem_.set_segments(state, part(state.q.size()));
    problem_.set_bends(state, part(problem_.bends.size()));
  });
}

// what is held goes where it must, the rest on as it moves; in trial_ the rest stays
void BlockSolver::first_guess(const State& state) {
  const Problem& p = problem_;
  trial_.x = state.x, trial_.q = state.q, trial_.body_x = state.body_x, trial_.body_q = state.body_q;
  for (std::size_t b = 0; b < state.body_x.size(); ++b) {
    const bool dynamic = p.model->bodies[b].kind == BodyKind::dynamic;
    at_.body_x[b] = dynamic ? state.body_x[b] + p.h * state.body_v[b] : p.bodies[b].goal;
    at_.body_q[b] = p.bodies[b].spin.goal;
    if (!dynamic) trial_.body_x[b] = at_.body_x[b], trial_.body_q[b] = at_.body_q[b];
  }
  for (std::size_t s = 0; s < state.q.size(); ++s) at_.q[s] = p.spin[s].goal;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    at_.x[i] = state.x[i] + p.h * state.v[i];
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
  for_parts(
      [&](int p, int worker) { outcomes_[p] = newton_[worker].solve(parts_[p], at_, trial_, prediction_, exact_[p]); });
  for (const Outcome& outcome : outcomes_) {
    report.iterations = std::max(report.iterations, outcome.iterations);
    report.residual = std::max(report.residual, outcome.step);
    report.converged = report.converged && outcome.converged;
  }
}

void BlockSolver::finish(State& state) {
  const Problem& p = problem_;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    state.v[i] = (at_.x[i] - state.x[i]) / p.h;
    state.x[i] = at_.x[i];
    if (p.role[i] != Role::held && p.role[i] != Role::partly_held) continue;
    for (int k = 0; k < 3; ++k)
      if (p.free_axes[i][k] == 0) state.v[i][k] = p.prescribed_v[i][k];
  }
  for (std::size_t s = 0; s < state.q.size(); ++s) {
    state.omega[s] = turn_rate(at_.q[s], state.q[s], p.h);
    state.q[s] = at_.q[s];
  }
  for (std::size_t b = 0; b < state.body_x.size(); ++b) {
    const bool dynamic = p.model->bodies[b].kind == BodyKind::dynamic;
    state.body_v[b] = dynamic ? (at_.body_x[b] - state.body_x[b]) / p.h : p.twists[b].v;
    state.body_omega[b] = dynamic ? turn_rate(at_.body_q[b], state.body_q[b], p.h) : p.twists[b].omega;
    state.body_x[b] = at_.body_x[b], state.body_q[b] = at_.body_q[b];
  }
}

void BlockSolver::save(Writer& out) const {
  out.put(prediction_);
  out.put(exact_);
}

void BlockSolver::load(Reader& in) {
  in.get(prediction_);
  in.get(exact_);
}

}  // namespace tendril::block
