#include "solvers/stable/solver.h"

#include <algorithm>

#include "math/stopwatch.h"
#include "rod/stream.h"
#include "solvers/stable/potential.h"

namespace tendril::solvers::stable {

namespace {

// fewer vertices and segments per worker than this are done sooner than shared
constexpr int least_share = 2000;

// the sweeps between two measurements, which cost a little more
constexpr int sweeps_per_measurement = 4;

// the sweeps between two looks at the geometry of contact
constexpr int sweeps_per_substep = 4;

// log(q q̄_old) / h; a step turns little, so the series of asin is at hand
Vec3d turn_rate(const Quatd& q, const Quatd& q_old, double h) {
  const Quatd turn = shorter_turn(q * conjugate(q_old));
  const Vec3d sine = turn.imaginary();
  const double s2 = norm_squared(sine);
  if (s2 > 1e-4) return quaternion_log(turn) / h;
  return ((2 + s2 * (1.0 / 3 + s2 * (3.0 / 20 + s2 * (5.0 / 56 + s2 * 35.0 / 576)))) / h) * sine;
}

}  // namespace

StableSolver::StableSolver(const Options& options)
    : options_(options),
      sweeps_(make_sweeps(options.single_precision, options.lambda,
                          options.paper ? ContactRule::published : ContactRule::lasting)) {}

void StableSolver::reset(const Model& model, const State& state, ThreadTeam& team) {
  team_ = &team;
  problem_.reset(model);
  regions_.reset(model);
  rod_correction_.reset(problem_);
  problem_.begin = state;
  iterate_.x = state.x, iterate_.q = state.q;
  loaded_h_ = 0;
  history_.acceleration.assign(model.vertices.size(), {});
  history_.body_acceleration.assign(model.bodies.size(), {});
  history_.converged = true, history_.shares.clear();
  team.employ(static_cast<int>(model.vertices.size() + model.segments.size()) / least_share);
}

// Algorithm 2 [hsu2025]
StepReport StableSolver::step(const Inputs& inputs, Contact& contact, double h, State& state) {
  StepReport report;
  Stopwatch whole, sweeping, colliding;
  whole.start();
  prepare(inputs, h, state);
  momentum_ = {};
  first_guess(inputs);                                 // x <- x^t + h v^t + h² ã
  colliding.time([&] { approach(contact, report); });  // as far as nothing stands in the way
  load_sweeps();
  for (bool done = !report.failure.empty(); !done;) {
    sweeping.time([&] { sweep_substep(inputs, report); });  // for n <- 1 to N do
    if (inputs.stops()) return report.is_stopped = true, report;
    colliding.time([&] {
      done = end_substep(contact, report);
      if (!done) go_on(contact, report), done = !report.failure.empty();
    });
  }
  // where planes held up what moves freely its momentum would be lost
  report.is_refused = inputs.may_refuse && !report.converged && !is_balanced_ && report.failure.empty();
  if (report.is_refused) return report;
  in_parallel([&](Worker worker) { finish(state, worker); });  // v <- (x - x^t) / h
  finish_bodies(state);
  history_.converged = report.converged, history_.shares = sweeps_->shares();
  const double rest = whole.stop() - sweeping.seconds() - colliding.seconds();
  report.stages = {{"sweep", sweeping.seconds()}, {"contact", colliding.seconds()}, {"rest", rest}};
  return report;
}

void StableSolver::prepare(const Inputs& inputs, double h, const State& state) {
  remember(state);
  problem_.begin_step(inputs, h);
  if (loaded_h_ != h) sweeps_->load_model(problem_, team_->size()), sweeps_->load_shares(history_.shares);
  loaded_h_ = h;
  met_.assign(team_->size(), {}), extremes_.assign(team_->size(), {});
  guess_bodies(problem_, history_, start_rule(), iterate_);
}

// problem_.begin = state, by all threads
void StableSolver::remember(const State& state) {
  State& begin = problem_.begin;
  begin.time = state.time;
  begin.body_x = state.body_x, begin.body_v = state.body_v;
  begin.body_q = state.body_q, begin.body_omega = state.body_omega;
  in_parallel([&](Worker worker) {
    const auto copy = [&](const auto& from, auto& to) {
      const Share share = worker.share_of(from.size());
      std::copy(from.begin() + share.begin, from.begin() + share.end, to.begin() + share.begin);
    };
    copy(state.x, begin.x), copy(state.v, begin.v), copy(state.q, begin.q), copy(state.omega, begin.omega);
  });
}

void StableSolver::first_guess(const Inputs& inputs) {
  in_parallel([&](Worker worker) {
    const Share vertices = worker.share_of(problem_.begin.x.size());
    problem_.set_goals(inputs, vertices, extremes_[worker.index]);
    guess_positions(problem_, history_, start_rule(), vertices, iterate_);
    problem_.set_damping(worker.share_of(problem_.damped_bend_count()));
  });
  in_parallel([&](Worker worker) {
    const Share segments = worker.share_of(problem_.begin.q.size());
    problem_.set_edges(segments);
    if (options_.tolerance > 0 && history_.converged)
      carry_frames(problem_, segments, iterate_);
    else
      keep_frames(problem_, segments, iterate_);
  });
}

// with what they start from
void StableSolver::load_sweeps() {
  for (const WorkerExtremes& part : extremes_) extremes_[0].take(part);
  problem_.take(extremes_[0]);
  sweeps_->load_step(problem_, iterate_);
  in_parallel([&](Worker worker) { sweeps_->load_rows(problem_, iterate_, worker); });
  if (!options_.paper) sweeps_->balance_free_motion(problem_, iterate_);
}

bool StableSolver::is_measured(int n) const {
  return options_.residuals || options_.acceleration || n == options_.iterations ||
         (options_.tolerance > 0 && (n <= sweeps_per_measurement || n % sweeps_per_measurement == 0));
}

void StableSolver::sweep(bool measured) {
  const Layout& layout = sweeps_->layout();
  if (measured) met_.assign(team_->size(), {});
  const auto met = [&](Worker worker) { return measured ? &met_[worker.index] : nullptr; };
  for (int colour = 0; colour < layout.vertex_groups.colours; ++colour) {
    if (sweeps_->touching()) in_parallel([&](Worker worker) { sweeps_->evaluate_contact(worker); });
    in_parallel([&](Worker worker) {  // foreach vertex i: x <- position update, Eq. 6
      sweeps_->update_positions(colour, worker, met(worker));
    });
  }
  for (int colour = 0; colour < layout.segment_groups.colours; ++colour)
    in_parallel([&](Worker worker) {  // foreach segment i: v, b, lambda, q, Eq. 15 to 18
      sweeps_->update_orientations(colour, worker, met(worker));
    });
  sweeps_->update_bodies(problem_, iterate_, met({}));
}

// sweeps until the next look at all together
void StableSolver::sweep_substep(const Inputs& inputs, StepReport& report) {
  const int before = report.iterations;
  for (;;) {
    const int n = ++report.iterations;
    const bool measured = is_measured(n);
    sweep(measured);
    if (is_over(n, n - before, measured) || inputs.stops()) return;
    if (!options_.acceleration) continue;
    const double beta = momentum_.next(met_by_all());
    in_parallel([&](Worker worker) { sweeps_->extrapolate(beta, worker); });
  }
}

bool StableSolver::is_over(int n, int of_substep, bool measured) {
  const bool last = n >= options_.iterations && of_substep >= std::min(sweeps_per_substep, options_.iterations);
  looks_done_ = last;
  if (!measured) return last;
  looks_done_ |= options_.tolerance > 0 && residual(met_by_all(), problem_, sweeps_->round_off()) <= options_.tolerance;
  // among contacts more than a few balances would disturb the momentum of the sweeps
  const bool helps = n % sweeps_per_measurement == 0 && (!sweeps_->touching() || n <= 2 * sweeps_per_measurement);
  if (!options_.paper && (looks_done_ || helps)) is_balanced_ = sweeps_->balance_free_motion(problem_, iterate_);
  return looks_done_ || options_.residuals || (sweeps_->needs_a_look() && of_substep >= sweeps_per_substep);
}

// what a sweep met is seen vertex by vertex while the others move; before a step ends all are looked at together
bool StableSolver::is_done(const Contact& contact, StepReport& report) {
  const double tolerance = options_.tolerance;
  const bool last = report.iterations >= options_.iterations;
  Remainder left = met_by_all();
  if (looks_done_ && tolerance > 0 && options_.lambda == Lambda::exact) {
    if (substep_count_ == 0) sweeps_->store(problem_, iterate_, {});  // the end of a substep has done so
    left = remainder(problem_, iterate_, contact);
  }
  report.residual = residual(left, problem_, math::round_off<double>());
  report.converged = residual(left, problem_, sweeps_->round_off()) <= options_.solved_below();
  if ((report.converged || last) && corrects_rods(contact) && rod_correction_.look(problem_, contact, iterate_)) {
    report.residual = std::max(report.residual, rod_correction_.residual(problem_, math::round_off<double>()));
    report.converged &= rod_correction_.residual(problem_, sweeps_->round_off()) <= tolerance;
  }
  if (options_.residuals) report.residuals.push_back(report.residual);
  return last || (tolerance > 0 && report.converged);
}

Remainder StableSolver::met_by_all() const {
  Remainder all{0, problem_.largest_force, 0, problem_.largest_moment, 0};
  for (const Remainder& met : met_) all.take(met);
  return all;
}

void StableSolver::finish(State& state, Worker worker) {
  const StepProblem& p = problem_;
  sweeps_->store(p, state, worker);
  const Share vertices = worker.share_of(state.x.size());
  for (int i = vertices.begin; i < vertices.end; ++i) {
    if (substep_count_ > 0) state.x[i] = iterate_.x[i];  // the last waypoint of the path, to the last digit
    state.v[i] = (state.x[i] - p.begin.x[i]) / p.h;
    if (p.role[i] == Role::held || p.role[i] == Role::partly_held) {
      for (int k = 0; k < 3; ++k)
        if (p.free_axes[i][k] == 0) state.x[i][k] = p.prescribed_x[i][k], state.v[i][k] = p.prescribed_v[i][k];
    }
    history_.acceleration[i] = (state.v[i] - p.begin.v[i]) / p.h;
  }
  const Share segments = worker.share_of(state.q.size());
  for (int s = segments.begin; s < segments.end; ++s) state.omega[s] = turn_rate(state.q[s], p.begin.q[s], p.h);
}

void StableSolver::finish_bodies(State& state) {
  const StepProblem& p = problem_;
  for (std::size_t b = 0; b < p.bodies.size(); ++b) {
    state.body_x[b] = iterate_.body_x[b], state.body_q[b] = iterate_.body_q[b];
    if (p.model->bodies[b].kind == BodyKind::kinematic) {
      state.body_v[b] = p.twists[b].v, state.body_omega[b] = p.twists[b].omega;
      continue;
    }
    state.body_v[b] = (state.body_x[b] - p.begin.body_x[b]) / p.h;
    state.body_omega[b] = turn_rate(state.body_q[b], p.begin.body_q[b], p.h);
    history_.body_acceleration[b] = (state.body_v[b] - p.begin.body_v[b]) / p.h;
  }
  for (const Tie& tie : p.model->ties) {
    if (p.role[tie.vertex] != Role::slaved) continue;
    Vec3d& x = state.x[tie.vertex];
    x = state.body_x[tie.body] + rotate(state.body_q[tie.body], tie.offset);
    state.v[tie.vertex] = (x - p.begin.x[tie.vertex]) / p.h;
  }
}

void StableSolver::save(Writer& out) const {
  out.put(history_.acceleration);
  out.put(history_.body_acceleration);
  out.put(history_.shares);
  out.put(history_.converged);
}

void StableSolver::load(Reader& in) {
  in.get(history_.acceleration);
  in.get(history_.body_acceleration);
  in.get(history_.shares);
  in.get(history_.converged);
  loaded_h_ = 0;  // the shares go to where the sweeps have them
}

}  // namespace tendril::solvers::stable
