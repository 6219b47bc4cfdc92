#include "solvers/newton/solver.h"

#include <algorithm>
#include <utility>

#include "math/large_pages.h"
#include "math/stopwatch.h"
#include "rod/stream.h"
#include "solvers/newton/angular_momentum.h"
#include "solvers/newton/retraction.h"

namespace tendril::solvers::newton {
namespace {

// fewer segments per worker than this are done sooner than shared
constexpr int least_share = 500;

bool is_at_rest(const State& state) {
  const auto are_none = [](const std::vector<Vec3d>& rates) {
    return std::all_of(rates.begin(), rates.end(), [](const Vec3d& rate) { return rate == Vec3d{}; });
  };
  return are_none(state.v) && are_none(state.omega) && are_none(state.body_v) && are_none(state.body_omega);
}

// [-, in its own frame]
Vec3d strain_of(const Segment& segment, std::size_t s, const State& state) {
  const Vec3d edge = (state.x[segment.vertex[1]] - state.x[segment.vertex[0]]) / segment.rest_length;
  return rotate(conjugate(state.q[s]), edge) - Vec3d{0, 0, 1};
}

}  // namespace

NewtonSolver::NewtonSolver(const Options& options) : options_(options) {}

void NewtonSolver::reset(const Model& model, const State& state, ThreadTeam& team) {
  team_ = &team;
  problem_.reset(model);
  parts_.reset(problem_, plans_rows());
  forget_attempt(state);
  accelerations_.forget(model, options_.order);
  left_v_.clear(), left_omega_.clear();
  fallback_ = {}, guard_.forget();
  systems_.clear();
  at_ = {}, free_ = {}, guess_ = {};
  at_.x = state.x, at_.q = state.q, at_.body_x = state.body_x, at_.body_q = state.body_q;
  trial_ = at_;
  all_ = others_ = all_of(model);
  for (auto* x : {&at_.x, &trial_.x, &problem_.goal, &prediction_}) move_to_large_pages(*x);
  for (auto* q : {&at_.q, &trial_.q, &problem_.frame_goal}) move_to_large_pages(*q);
  for (auto* x : {&state.x, &state.v, &state.omega}) move_to_large_pages(*x);
  move_to_large_pages(state.q);
  move_to_large_pages(problem_.weight), move_to_large_pages(model.segments), move_to_large_pages(model.bends);
  team.employ(std::min(prepare_parts(), static_cast<int>(model.segments.size()) / least_share));
  part_systems_.clear();
  for (int worker = 0; worker < team.size(); ++worker) part_systems_.push_back(make_system(false));
}

// what Newton's method remembers of the last step, or of one that is not used
void NewtonSolver::forget_attempt(const State& state) {
  prediction_.resize(problem_.model->segments.size());
  for (std::size_t s = 0; s < prediction_.size(); ++s)
    prediction_[s] = strain_of(problem_.model->segments[s], s, state);
  ++prediction_version_;
  hessian_share_.assign(parts_.count(), 1);
}

StepReport NewtonSolver::step(const Inputs& inputs, Contact& contact, double h, State& state) {
  start_ = inputs.start ? inputs.start : &(before_ = state);
  end_ = &state;
  if (options_.order == 1) return step(Scheme::implicit_euler(h), inputs, contact, state);
  StepReport report = step_of_second_order(scheme_of(contact, h, state), inputs, contact, state);
  left_v_ = state.v, left_omega_ = state.omega;
  return report;
}

// or of first order, where that fails
StepReport NewtonSolver::step_of_second_order(const Scheme& scheme, const Inputs& inputs, Contact& contact,
                                              State& state) {
  fallback_.pass();
  if (!scheme.remembers) return step_that_damps(inputs, contact, scheme.h, state);
  const StepReport report = step(scheme, inputs, contact, state);
  if (report.is_stopped) return report;
  if (contact.stays_apart(state)) {
    const bool grew = report.converged && !guard_.allows(*start_, at_, state);
    if (report.converged && !grew) return fallback_.after_success(), report;
    grew ? fallback_.after_growth() : fallback_.after_unsolved();
  }
  StepReport again = step_that_damps(inputs, contact, scheme.h, state);
  again.iterations += report.iterations;
  again.residuals.insert(again.residuals.begin(), report.residuals.begin(), report.residuals.end());
  return again;
}

// What touches has energy, and loses some, that the guard knows nothing of.
StepReport NewtonSolver::step_that_damps(const Inputs& inputs, Contact& contact, double h, State& state) {
  const StepReport report = step(Scheme::implicit_euler(h), inputs, contact, state);
  if (report.is_refused || report.is_stopped) return report;
  contact.touching() > 0 ? guard_.forget() : guard_.book(*start_, at_, state);
  return report;
}

// Whether nothing touches anything on its way there but what goes alone; what that comes near beside what it knew of
// does not go alone.
bool NewtonSolver::keeps_apart(Contact& contact, const State& to) {
  if (!goes_alone_) return contact.stays_apart(to);
  bool all = std::all_of(outcomes_.begin(), outcomes_.end(), [](const Outcome& part) { return part.converged; });
  for (int p : contact.pairs_near(to, vertices_alone())) {
    all = false;
    for (int side = 0; side < 2; ++side)
      if (const int part = ContactTerms::part_of(contact.pairs()[p], side, problem_, parts_); part >= 0)
        is_alone_[part] = outcomes_[part].converged = false;
  }
  return all;
}

std::vector<char> NewtonSolver::vertices_alone() const {
  std::vector<char> alone(at_.x.size(), false);
  for (int p = 0; p < parts_.count(); ++p)
    if (is_alone_[p])
      for (const Unknown& u : parts_[p].unknowns)
        if (u.kind == Kind::vertex) alone[u.index] = true;
  return alone;
}

auto NewtonSolver::all_of(const Model& model) -> Region {
  return {{{0, static_cast<int>(model.vertices.size())}}, {{0, Problem::pack_count(model.segments.size())}}, {}};
}

StepReport NewtonSolver::step(const Scheme& scheme, const Inputs& inputs, Contact& contact, State& state) {
  StepReport report;
  Stopwatch whole, solving;
  whole.start();
  begin(inputs, scheme);
  const bool may_touch = contact.is_enabled() && !scheme.remembers;
  const bool touches = may_touch && contact.touching() > 0;
  each_by_itself_ = options_.order == 1 && !problem_.rest_moves() && !problem_.bends_leap;
  goes_alone_ = may_touch && each_by_itself_ && !is_at_rest(*start_) && find_alone(contact);
  each_by_itself_ &= !touches || goes_alone_;
  is_alone_.assign(parts_.count(), false), rests_.assign(parts_.count(), false);
  contact_ = &contact;
  if (goes_alone_) contact.roll_from(start_->q);
  prepare(each_by_itself_ ? others_ : all_, *start_);  // x <- x + h v, q <- exp(h omega) q
  if (each_by_itself_) put_held(state);
  const Iterate start = problem_.bends_leap ? trial_ : Iterate{};
  solving.time([&] {
    solve_parts(report);
    if (problem_.bends_leap) come_back_from_ridges(start, report);
  });
  const double beside = seconds_beside_solving();
  if (each_by_itself_) finish(state);
  // nothing touches anything, nor comes near
  const bool is_apart =
      !may_touch || ((!touches || goes_alone_) && keeps_apart(contact, each_by_itself_ ? state : at_));
  if (!is_apart) {
    if (goes_alone_) contact.go_alone(vertices_alone(), state);
    if (std::exchange(each_by_itself_, false)) copy_all(state, at_);
    report = {};
    exchange_with(free_);
    prepare(all_, *start_);
    solving.time([&] { solve_with_contact(*start_, contact, report); });
  } else if (!report.converged && !options_.takes_unsolved) {
    report.is_refused = inputs.may_refuse || scheme.remembers;
    if (!report.is_refused) let_unsolved_fall(report);
  }
  report.is_stopped = inputs.stops();
  report.is_refused |= !report.failure.empty();
  if (report.is_refused || report.is_stopped) return forget_attempt(*start_), report;
  lay_down_momenta(inputs, *start_);
  if (!each_by_itself_ || !report.converged) finish(state);  // v <- (x - x_old) / h
  is_apart ? keep_momenta(state) : keep_momenta_of_islands(state);
  const double seconds = solving.seconds() - beside;
  report.stages = {{"solve", seconds}, {"rest", whole.stop() - seconds}};
  return report;
}

// What collides does not move smoothly: where rods come near something, steps are of first order. So is the first,
// which tells how things accelerate, and any whose velocities are not those that the last one left: someone stopped
// what moved, to find an equilibrium, or pushed it. The midpoint rule needs no accelerations.
Scheme NewtonSolver::scheme_of(const Contact& contact, double h, const State& state) const {
  const bool goes_on = left_v_.empty() || (state.v == left_v_ && state.omega == left_omega_);
  const bool is_known = accelerations_.known || options_.rho_infinity == 1;
  if (contact.touching() > 0 || fallback_.is_on() || !goes_on || !is_known) return Scheme::implicit_euler(h);
  return Scheme::generalised_alpha(options_.rho_infinity, h);
}

void NewtonSolver::begin(const Inputs& inputs, const Scheme& scheme) {
  step_options_ = is_at_rest(*start_) ? options_.strict() : options_;
  step_options_.iterations = std::min(options_.iterations, inputs.most_iterations);
  step_options_.inputs = &inputs;
  problem_.begin_step(inputs, scheme, *start_, accelerations_);
  body_end_ = inputs.end.body_pose;
}

// what is held goes where it must, the rest on as it moves; in trial_ the rest stays
void NewtonSolver::prepare(const Region& region, const State& state) {
  guess_bodies(state);
  const int chunks = team_->size();
  team_->run(chunks, [&](int chunk, int) {
    for_ranges(region.vertices, chunk, chunks, [&](Share share) {
      problem_.set_vertices(*problem_.inputs, state, accelerations_, share);
      guess_vertices(share, state);
    });
    for_ranges(region.packs, chunk, chunks, [&](Share share) {
      problem_.set_segments(state, accelerations_, share);
      const int count = static_cast<int>(state.q.size());
      const int begin = std::min(count, share.begin * WideLanes::lanes),
                end = std::min(count, share.end * WideLanes::lanes);
      std::copy(&state.q[begin], &state.q[end], &trial_.q[begin]);
      std::copy(&problem_.frame_goal[begin], &problem_.frame_goal[end], &at_.q[begin]);
    });
    problem_.set_bends(state, share_of(static_cast<int>(problem_.bends.size()), chunk, chunks));
  });
  problem_.for_slaved(
      [&](const Tie& tie) { at_.x[tie.vertex] = at_.body_x[tie.body] + rotate(at_.body_q[tie.body], tie.offset); });
  guess_held(state);
}

void NewtonSolver::guess_vertices(Share vertices, const State& state) {
  const double ahead = problem_.scheme.share() * problem_.scheme.h;
  for (int i = vertices.begin; i < vertices.end; ++i)
    trial_.x[i] = state.x[i], at_.x[i] = state.x[i] + ahead * state.v[i];
}

void NewtonSolver::guess_held(const State& state) {
  for (const HeldAxis& axis : problem_.held) guess_vertices({axis.vertex, axis.vertex + 1}, state);
  for (const HeldAxis& axis : problem_.held) at_.x[axis.vertex][axis.k] = trial_.x[axis.vertex][axis.k] = axis.z;
}

// where parts that go through the step by themselves look for what holds them
void NewtonSolver::put_held(State& end) const {
  for (const HeldAxis& axis : problem_.held) end.x[axis.vertex] = at_.x[axis.vertex];
  end.body_x = at_.body_x, end.body_q = at_.body_q;
}

void NewtonSolver::guess_bodies(const State& state) {
  for (std::size_t b = 0; b < state.body_x.size(); ++b) guess_body(static_cast<int>(b), state);
}

void NewtonSolver::guess_body(int b, const State& state) {
  const Problem& p = problem_;
  const bool dynamic = p.model->bodies[b].kind == BodyKind::dynamic;
  const double ahead = p.scheme.share() * p.scheme.h;
  at_.body_x[b] = dynamic ? state.body_x[b] + ahead * state.body_v[b] : p.bodies[b].goal;
  at_.body_q[b] = p.bodies[b].spin.goal;
  trial_.body_x[b] = dynamic ? state.body_x[b] : at_.body_x[b];
  trial_.body_q[b] = dynamic ? state.body_q[b] : at_.body_q[b];
}

void NewtonSolver::solve_parts(StepReport& report) {
  outcomes_.assign(parts_.count(), {});
  for_parts([&](int p, int worker) { solve_part(p, worker); });
  take_outcomes(report);
}

// What ended higher than it started was led beyond a ridge of the energy by its first guess, and is solved from the
// start.
void NewtonSolver::come_back_from_ridges(const Iterate& start, StepReport& report) {
  if (!problem_.moment.empty()) return;  // whose work is no energy
  put_predictions(prediction_), ++prediction_version_;
  for_parts([&](int p, int worker) {
    const double before = energy(parts_[p], problem_, start), after = energy(parts_[p], problem_, at_);
    if (after <= before + round_off(parts_[p], problem_, start, before)) return;
    Outcome outcome = outcomes_[p];
    copy(parts_[p], start, at_), copy(parts_[p], start, trial_);
    solve_from_here(p, worker);
    outcome.go_on_with(outcomes_[p]), outcomes_[p] = outcome;
  });
  report = {};
  take_outcomes(report);
}

void NewtonSolver::take_outcomes(StepReport& report) const {
  for (const Outcome& outcome : outcomes_) {
    report.iterations = std::max(report.iterations, outcome.iterations);
    report.residual = std::max(report.residual, outcome.step);
    report.converged = report.converged && outcome.converged;
    if (outcome.steps.size() > report.residuals.size()) report.residuals.resize(outcome.steps.size(), 0);
  }
  for (const Outcome& outcome : outcomes_)  // the largest of all parts; what is done leaves what it left
    for (std::size_t n = 0; n < report.residuals.size() && !outcome.steps.empty(); ++n)
      report.residuals[n] = std::max(report.residuals[n], outcome.steps[std::min(n, outcome.steps.size() - 1)]);
}

void NewtonSolver::solve_part(int p, int worker) {
  place_guess(p, at_);
  solve_from_here(p, worker);
}

void NewtonSolver::place_guess(int p, Iterate& at) {
  newton::place_by_guess(parts_[p], problem_, *start_, prediction_, at);
}

void NewtonSolver::solve_from_here(int p, int worker) {
  ScalarBlock part(parts_[p], problem_, *part_systems_[worker], at_, trial_, prediction_);
  const auto result = Newton<ScalarBlock>::solve(part, step_options_, hessian_share_[p]);
  outcomes_[p] = outcome_of(result);
}

void NewtonSolver::solve_again(int p, int worker) {
  prepare_again(parts_[p]);
  solve_part(p, worker);
  finish_again(parts_[p]);
}

// as prepare() does, for one part, which may have gone through the step by itself
void NewtonSolver::prepare_again(const Part& part) {
  const auto prepare_vertex = [&](int i) {
    const Vec3d held = at_.x[i];
    problem_.set_vertices(*problem_.inputs, *start_, accelerations_, {i, i + 1});
    guess_vertices({i, i + 1}, *start_);
    for (int k = 0; k < 3; ++k)
      if (problem_.free_axes(i)[k] == 0) at_.x[i][k] = trial_.x[i][k] = held[k];
  };
  for (const Unknown& u : part.unknowns) {
    if (u.kind == Kind::vertex) prepare_vertex(u.index);
    if (u.kind == Kind::body_place) guess_body(u.index, *start_);
    if (u.kind != Kind::segment) continue;
    problem_.set_goal(*start_, accelerations_, u.index);
    at_.q[u.index] = problem_.frame_goal[u.index], trial_.q[u.index] = start_->q[u.index];
  }
  for (int i : part.slaved_vertices) {
    prepare_vertex(i);
    const Tie& tie = problem_.model->ties[problem_.tie[i]];
    at_.x[i] = at_.body_x[tie.body] + rotate(at_.body_q[tie.body], tie.offset);
  }
}

void NewtonSolver::finish_again(const Part& part) {
  if (!each_by_itself_) return;
  for (const Unknown& u : part.unknowns) {
    if (u.kind == Kind::vertex) finish_vertex(u.index, *end_);
    if (u.kind == Kind::segment) finish_turn(u.index, *end_);
  }
}

bool NewtonSolver::drop_moments(const Part& part) {
  bool had_any = false;
  if (problem_.moment.empty()) return had_any;
  for (const Unknown& u : part.unknowns)
    if (u.kind == Kind::segment) had_any |= !(std::exchange(problem_.moment[u.index], {}) == Vec3d{});
  return had_any;
}

void NewtonSolver::solve_without_moments(int p, int worker) {
  Outcome& outcome = outcomes_[p];
  const Outcome with_moments = std::exchange(outcome, {});
  for (const Unknown& u : parts_[p].unknowns)
    if (u.kind == Kind::segment) prediction_[u.index] = strain_of(problem_.model->segments[u.index], u.index, *start_);
  hessian_share_[p] = 1;
  solve_again(p, worker);
  Outcome both = with_moments;
  both.go_on_with(outcome), both.step = with_moments.step, outcome = both;
}

// What is left unsolved, where a step may not be refused, must not hang in the air.
void NewtonSolver::let_unsolved_fall(StepReport& report) {
  put_predictions(prediction_), ++prediction_version_;
  for_parts([&](int p, int worker) {
    if (!outcomes_[p].converged) let_fall(p, worker);
  });
  report = {};
  take_outcomes(report);
  report.converged = false;
}

// A moment that turns a segment by more than about a radian in a step finds no balance, since neither the inertia of
// the segment nor its neighbours resist whole turns: positions then stay near the first guess, where weight is missing.
// The part is solved without external moments. If that cannot be solved either, the centre of a free part goes where
// the external forces put it.
void NewtonSolver::let_fall(int p, int worker) {
  const Part& part = parts_[p];
  if (each_by_itself_) copy(part, *end_, at_);
  if (problem_.inputs->may_drop_moments && drop_moments(part)) solve_without_moments(p, worker);
  if (outcomes_[p].converged || !part.is_free) return;
  for (const Unknown& u : part.unknowns)
    if (u.kind == Kind::vertex)
      problem_.set_vertices(*problem_.inputs, *start_, accelerations_, {u.index, u.index + 1});
  keep_momentum(part, problem_, at_);
  finish_again(part);
}

// of the parts that have been solved
void NewtonSolver::lay_down_momenta(const Inputs& inputs, const State& state) {
  momenta_.assign(parts_.count(), {});
  for_parts([&](int p, int) {
    if (outcomes_[p].converged && !rests_[p])
      momenta_[p] = free_momentum(parts_[p], problem_, inputs, state, accelerations_);
  });
}

void NewtonSolver::keep_momenta(State& state) {
  for_parts([&](int p, int) {
    const FreeMomentum& law = momenta_[p];
    if (law.mass == 0) return;
    keep(law, momentum_now(parts_[p], problem_, state, accelerations_), parts_[p], problem_, state, accelerations_);
    if (options_.order == 1) keep_angular_momentum(parts_[p], problem_, *start_, state);
  });
}

void NewtonSolver::save(Writer& out) const {
  Prediction prediction = prediction_;
  put_predictions(prediction);
  out.put(prediction);
  out.put(hessian_share_);
  out.put(accelerations_.known);
  out.put(fallback_);
  out.put(guard_.surplus());
  for (const auto* a :
       {&accelerations_.vertex, &accelerations_.segment, &accelerations_.body, &accelerations_.body_turn})
    out.put(*a);
}

void NewtonSolver::load(Reader& in) {
  in.get(prediction_), ++prediction_version_;
  in.get(hessian_share_);
  in.get(accelerations_.known);
  in.get(fallback_);
  double surplus = 0;
  in.get(surplus), guard_.set_surplus(surplus);
  left_v_.clear(), left_omega_.clear();
  for (auto* a : {&accelerations_.vertex, &accelerations_.segment, &accelerations_.body, &accelerations_.body_turn})
    in.get(*a);
}

}  // namespace tendril::solvers::newton
