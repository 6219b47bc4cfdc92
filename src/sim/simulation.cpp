#include "sim/simulation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "contact/crossing_search.h"
#include "contact/for_all.h"
#include "rod/stream.h"
#include "sim/following_loads.h"
#include "sim/pair_name.h"
#include "sim/reaction.h"
#include "sim/state_stream.h"

namespace tendril::sim {
namespace {

// frames that go on turning for h as they do
State turned_on(State state, double h) {
  const auto turn = [h](const std::vector<Vec3d>& omega, std::vector<Quatd>& q) {
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = quaternion_exp(h * omega[k]) * q[k];
  };
  turn(state.omega, state.q), turn(state.body_omega, state.body_q);
  return state;
}

// with rods = false and no solid, nothing can meet: then there is nothing to look for
ContactOptions what_can_meet(ContactOptions options, const Model& model) {
  const auto is_solid = [](const Body& body) { return !std::holds_alternative<std::monostate>(body.shape); };
  options.enabled &= options.rods || std::any_of(model.bodies.begin(), model.bodies.end(), is_solid);
  return options;
}

}  // namespace

StepReport Simulation::step() {
  renew_model();                                    // holds that begin or end now, segments that broke
  const double end = double(step_count_ + 1) * h_;  // counted, so that rounding does not add up
  is_divided_ = false;
  budget_.begin_step(contact_.is_enabled());
  StepReport report;
  try {
    report = advance(h_, end, 0);
  } catch (...) {
    state_ = is_divided_ ? start_ : before_;
    throw;
  }
  if (contact_.is_enabled()) {
    report.contacts = contact_.touching();
    report.smallest_gap = std::min(report.smallest_gap, contact_.smallest_gap());
  }
  ++step_count_;
  return report;
}

// A step that the solver refuses, since it would end far from where it should or has no way on, is taken in two halves.
StepReport Simulation::advance(double h, double end, int divisions) {
  remember_state();
  last_h_ = h, end_ = end;
  const double volume_seconds = find_volume_forces(h);  // what hair does to hair by way of the grid
  prescribe(before_, inputs_);                          // loads, fields and supports at both ends of the step
  inputs_.start = &before_;
  inputs_.may_refuse = budget_.may_refuse(divisions);
  inputs_.may_drop_moments = true;
  inputs_.most_iterations = budget_.most_iterations(inputs_.may_refuse);
  StepReport report = loads_follow_ ? step_with_following_loads() : step_under_loads();
  budget_.spend(report);
  if (report.is_stopped) throw SimulationStopped("stopped within a step");
  if (report.is_refused && divisions < IterationBudget::most_divisions)
    return advance_by_halves(report, h, end, divisions);
  if (!report.failure.empty()) refuse(report.failure, before_.time);
  refuse_not_a_number(model(), before_, state_, h, team_);
  if (!std::isfinite(report.residual)) refuse("its residual is not a number", before_.time);
  contact_.end_path(state_);
  refuse_what_met();
  contact_.end_step();
  state_.time = end;
  if (volume_) report.stages.push_back({"grid", volume_seconds});
  return report;
}

StepReport Simulation::advance_by_halves(const StepReport& refused, double h, double end, int divisions) {
  if (!is_divided_) start_ = before_, is_divided_ = true;
  state_ = before_;
  contact_.go_back();
  StepReport first = advance(0.5 * h, state_.time + 0.5 * h, divisions + 1);
  StepReport report = advance(0.5 * h, end, divisions + 1);
  report.iterations += refused.iterations + first.iterations;
  report.linear_iterations += refused.linear_iterations + first.linear_iterations;
  report.residual = std::max(report.residual, first.residual);
  report.converged &= first.converged;
  report.divisions += first.divisions + 1;
  first.residuals.insert(first.residuals.begin(), refused.residuals.begin(), refused.residuals.end());
  report.residuals.insert(report.residuals.begin(), first.residuals.begin(), first.residuals.end());
  report.smallest_gap = std::min(report.smallest_gap, first.smallest_gap);
  return report;
}

StepReport Simulation::step_under_loads() {
  contact_.find_candidates(model(), state_, inputs_.end.body_pose, last_h_, team_);
  return solver_->step(inputs_, contact_, last_h_, state_);
}

// Loads in the material frame are, at the end of the step, those of the frames with which it ends: first of those where
// angular velocities lead to, then of those that were found, until the two agree.
StepReport Simulation::step_with_following_loads() {
  Writer solver, contacts;
  solver_->save(solver), contact_.save(contacts);
  FollowingTries tries(model(), inputs_.end);
  FollowingLoads following;
  Inputs found;
  int iterations = 0;
  std::vector<double> residuals;
  prescribe(turned_on(before_, last_h_), inputs_);
  for (;;) {
    StepReport report = step_under_loads();
    report.iterations = iterations += report.iterations;
    residuals.insert(residuals.end(), report.residuals.begin(), report.residuals.end());
    report.residuals = residuals;
    if (report.is_refused || report.is_stopped || !report.failure.empty() || contact_.crossing()) return report;
    if (!report.converged && iterations >= inputs_.most_iterations) return report;
    prescribe(state_, found);
    tries.see(inputs_.end, found.end);
    if (tries.is_over()) return report.converged &= tries.agree(), report;
    inputs_.end = following.next(inputs_.end, found.end);
    state_ = before_;
    Reader saved_solver(solver.bytes()), saved_contacts(contacts.bytes());
    solver_->load(saved_solver);
    if (contact_.effort().substeps > 0) contact_.load(saved_contacts, team_);
  }
}

// [s]
double Simulation::find_volume_forces(double h) {
  if (!volume_) return 0;
  Stopwatch clock;
  clock.time([&] { volume_->find_forces(before_, h, team_, volume_force_); });
  return clock.seconds();
}

// before_ = state_, by all threads
void Simulation::remember_state() {
  before_.time = state_.time;
  before_.body_x = state_.body_x, before_.body_v = state_.body_v;
  before_.body_q = state_.body_q, before_.body_omega = state_.body_omega;
  const auto copy = [&](auto State::*part) {
    auto& to = before_.*part;
    const auto& from = state_.*part;
    to.resize(from.size());
    for_shares(&team_, from.size(), [&](Share share, int) {
      std::copy(from.begin() + share.begin, from.begin() + share.end, to.begin() + share.begin);
    });
  };
  copy(&State::x), copy(&State::v), copy(&State::q), copy(&State::omega);
}

Simulation::Simulation(Model model, State start, const SimulationOptions& options, std::unique_ptr<Solver> solver)
    : whole_(std::move(model)),
      last_frames_(std::move(start)),
      team_(options.threads),
      contact_(what_can_meet(options.contact, whole_), last_frames_),
      solver_(std::move(solver)),
      seed_(options.seed),
      check_crossings_(options.check_crossings),
      h_(options.time_step),
      last_h_(options.time_step) {
  assert(h_ > 0 && solver_);
  assert(last_frames_.x.size() == whole_.vertices.size() && last_frames_.q.size() == whole_.segments.size());
  assert(last_frames_.body_x.size() == whole_.bodies.size());
  if (options.volume) volume_.emplace(whole_, last_frames_, *options.volume, team_);
  for (std::size_t b = 0; b < whole_.bodies.size(); ++b) {
    held_start_.push_back({last_frames_.body_x[b], last_frames_.body_q[b]});
    if (const int hold = whole_.bodies[b].hold; hold >= 0)  // what is not held yet does not move yet
      for (Motion& motion : whole_.bodies[b].motions) motion.from = std::max(motion.from, whole_.holds[hold].from);
  }
  last_frames_.time = 0;
  state_ = last_frames_;
  Activity activity;
  for (const Hold& hold : whole_.holds) activity.hold_is_on.push_back(acts(hold, 0));
  activity.segment_is_broken.assign(whole_.segments.size(), false);
  use(activity);
  before_ = state_;
  end_ = double(step_count_ + 1) * h_;
  prescribe(before_, inputs_);
  inputs_.end = inputs_.begin;
}

SettleReport Simulation::settle(const SettleOptions& options) { return settle(options, *solver_); }

SettleReport Simulation::settle(const SettleOptions& options, Solver& solver) {
  State still = state_;
  const auto loads_of = [&](const State& state) {
    Instant loads = prescription_->at({state_.time, false}, state, held_start_);
    steering_.add_forces(loads);
    return loads;
  };
  const SettleReport report = sim::settle(model(), loads_of, h_, options, {solver, contact_, team_}, still);
  refuse_what_met();
  still.time = state_.time;
  still.v = state_.v, still.omega = state_.omega, still.body_v = state_.body_v, still.body_omega = state_.body_omega;
  refuse_not_a_number(model(), state_, still, h_, team_);
  state_ = before_ = still;
  solver_->reset(model(), state_, team_);
  return report;
}

// over the step from before_, to the frames of `then`
void Simulation::prescribe(const State& then, Inputs& inputs) const {
  prescription_->over_step(end_, before_, then, held_start_, team_, inputs);
  steering_.prescribe(before_, double(step_count_ + 1) * h_, inputs);
  for (Instant* instant : {&inputs.begin, &inputs.end})
    for_all(&team_, volume_force_.size(), [&](std::size_t i) { instant->force[i] += volume_force_[i]; });
}

// the Model of the step that begins now; a change resets the solver
void Simulation::renew_model() {
  Activity activity = activity_;
  if (can_break_)
    for (int s : overstrained_segments(model(), state_)) activity.segment_is_broken[active_.segment[s]] = true;
  for (std::size_t h = 0; h < whole_.holds.size(); ++h) {
    activity.hold_is_on[h] = acts(whole_.holds[h], state_.time);
    if (activity.hold_is_on[h] && !activity_.hold_is_on[h]) begin_hold(int(h));
  }
  if (activity == activity_) return;
  scatter(state_, active_.segment, last_frames_);
  state_ = last_frames_;
  use(activity);
}

// a body that begins to hold takes the pose that its section has now
void Simulation::begin_hold(int hold) {
  for (std::size_t b = 0; b < whole_.bodies.size(); ++b) {
    if (whole_.bodies[b].hold != hold) continue;
    const Pose pose = held_section(whole_, state_, int(b), active_.segment);
    held_start_[b] = pose;
    state_.body_x[b] = pose.x;
    state_.body_q[b] = pose.q;
  }
}

// `state_` comes in the numbering of the scene
void Simulation::use(const Activity& activity) {
  activity_ = activity;
  active_ = active_model(whole_, activity);
  const State active = active_state(state_, active_.segment);
  state_ = active;  // copied: its arrays stay where they are
  prescription_.emplace(model(), seed_);
  can_break_ = std::any_of(model().segments.begin(), model().segments.end(),
                           [](const Segment& s) { return s.strain_limit < forever; });
  loads_follow_ = loads_follow_frames(model());
  contact_.reset(model());
  if (check_crossings_)
    contact_.judge_substeps_by(
        [search = std::make_shared<CrossingSearch>(model(), contact_.start().x, contact_.options().rods)](
            const Substep& substep, ThreadTeam& team) { return search->on_substep(substep, team); });
  solver_->reset(model(), state_, team_);
}

void Simulation::refuse_what_met() const {
  if (!contact_.crossing()) return;
  const auto [a, b, body, lines_met, body_a] = *contact_.crossing();
  const std::vector<int>& number = active_.segment;
  std::string pair = pair_name(whole_, body_a < 0 ? number[a] : a, body_a, body < 0 ? number[b] : b, body);
  if (lines_met) pair += " (their middle lines met)";
  refuse_crossing(pair, contact_.is_followed(), before_.time);
}

Forces Simulation::internal_forces() const {
  Forces forces = sim::internal_forces(model(), state_);
  contact_.add_forces(forces);
  add_segment_forces(model(), state_, solver_->constraint_forces(), forces);
  return forces;
}

SegmentSpin Simulation::segment_spin() const {
  return solver_->capabilities().rotational_inertia ? SegmentSpin::counted : SegmentSpin::left_out;
}

State Simulation::whole_state() const {
  State whole = last_frames_;
  scatter(state_, active_.segment, whole);
  return whole;
}

std::vector<int> Simulation::broken_segments() const {
  std::vector<int> broken;
  for (std::size_t s = 0; s < activity_.segment_is_broken.size(); ++s)
    if (activity_.segment_is_broken[s]) broken.push_back(int(s));
  return broken;
}

void Simulation::save(Writer& out) const {
  out.put(step_count_);
  out.put(budget_.mean());
  put_state(out, whole_state());
  out.put(activity_.hold_is_on);
  out.put(activity_.segment_is_broken);
  out.put(held_start_);
  solver_->save(out);
  contact_.save(out);
}

void Simulation::load(Reader& in) {
  in.get(step_count_);
  double mean_iterations = 0;
  in.get(mean_iterations), budget_.set_mean(mean_iterations);
  get_state(in, whole_, last_frames_);
  Activity activity;
  in.get(activity.hold_is_on);
  in.get(activity.segment_is_broken);
  in.get(held_start_);
  if (activity.hold_is_on.size() != whole_.holds.size() ||
      activity.segment_is_broken.size() != whole_.segments.size() || held_start_.size() != whole_.bodies.size())
    throw std::runtime_error("the saved state belongs to another scene");
  state_ = last_frames_;
  volume_force_.clear();
  use(activity);
  solver_->load(in);
  contact_.load(in, team_);
  before_ = state_;
  end_ = double(step_count_ + 1) * h_;
  prescribe(before_, inputs_);
  inputs_.end = inputs_.begin;
}

}  // namespace tendril::sim
