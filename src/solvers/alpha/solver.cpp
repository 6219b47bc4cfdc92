#include "solvers/alpha/solver.h"

#include <algorithm>
#include <cmath>

#include "math/stopwatch.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "rod/stream.h"
#include "solvers/alpha/free_rods.h"

namespace tendril::solvers::alpha {
namespace {

// fewer segments per worker than this are done sooner than shared
constexpr int least_share = 100;

bool takes_time(const Inputs& inputs) { return inputs.end.time > inputs.begin.time; }

double work_of(const std::vector<Vec3d>& forces, const State& from, const State& to) {
  double work = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) work += dot(forces[i], to.x[i] - from.x[i]);
  return work;
}

// Whether a step of implicit Euler ends at a higher potential energy than it may: then it has led to another balance
// than the one below it. Moments have no energy.
bool climbs(const Model& model, const Inputs& inputs, const State& from, const State& to) {
  for (const Vec3d& moment : inputs.end.moment)
    if (!(moment == Vec3d{})) return false;
  const double before = elastic_energy(model, from), after = elastic_energy(model, to);
  const double work = work_of(inputs.end.force, from, to);
  const double spent = kinetic_energy(model, from, SegmentSpin::counted);
  constexpr double round_off = 1e-9;
  return after - before > work + spent + round_off * (before + after + std::abs(work));
}

}  // namespace

void AlphaSolver::reset(const Model& model, const State& state, ThreadTeam& team) {
  model_ = &model, team_ = &team;
  equations_.reset(model);
  const std::size_t vertices = model.vertices.size(), segments = model.segments.size();
  team.employ(std::max(1, std::min(equations_.chain_count(), static_cast<int>(segments) / least_share)));
  newton_.assign(team.size(), {});
  const std::vector<Vec3d> of_vertices(vertices), of_segments(segments);
  memory_ = next_ = {of_vertices, of_vertices, of_segments, of_segments, of_segments};
  at_ = {state.x, of_vertices, state.q, of_segments, of_segments};
  courses_.assign(equations_.chain_count(), {});
  left_v_.clear(), left_force_.clear(), left_moment_.clear();
  std::vector<int> chain_of(vertices);
  for (int c = 0; c < equations_.chain_count(); ++c)
    for (int i : equations_.chain(c).vertices) chain_of[i] = c;
  ties_.assign(equations_.chain_count(), {});
  for (std::size_t t = 0; t < model.ties.size(); ++t)
    ties_[chain_of[model.ties[t].vertex]].push_back(static_cast<int>(t));
}

// Algorithm of [sobottka2008] for all chains: lines 1 to 8 in begin_step() and prepare(), 10 to 23 in ChainNewton, 24
// and 25 in finish().
StepReport AlphaSolver::step(const Inputs& inputs, Contact&, double h, State& state) {
  Stopwatch solving;
  solving.start();
  start_ = inputs.start ? inputs.start : &(before_ = state);
  equations_.begin_step(inputs, *start_, memory_);
  outcomes_.assign(equations_.chain_count(), {});
  next_courses_ = courses_;
  team_->for_each(equations_.chain_count(), [&](int c, int worker) { solve_chain(c, worker, inputs, h, state); });
  for (std::size_t b = 0; b < state.body_x.size(); ++b) {
    state.body_x[b] = inputs.end.body_pose[b].x, state.body_q[b] = inputs.end.body_pose[b].q;
    state.body_v[b] = inputs.end.body_twist[b].v, state.body_omega[b] = inputs.end.body_twist[b].omega;
  }
  StepReport report;
  take_outcomes(report);
  refuse_what_is_unsolved(inputs, state, report);
  report.stages = {{"solve", solving.stop()}};
  if (report.is_refused || report.is_stopped) return report;
  std::swap(memory_, next_), std::swap(courses_, next_courses_);
  left_v_ = state.v, left_force_ = inputs.end.force, left_moment_ = inputs.end.moment;
  return report;
}

// Where velocities lead too far, from where everything is; then, or where energy grows, by a step that damps.
void AlphaSolver::solve_chain(int c, int worker, const Inputs& inputs, double h, State& state) {
  using Guess = Equations::Guess;
  const Chain& chain = equations_.chain(c);
  Scheme scheme = scheme_of(chain, inputs, h);
  const auto attempt = [&](Guess guess) {
    return solve(chain, worker, scheme, guess, inputs, state) || inputs.stops();
  };
  const bool is_solved = attempt(Guess::moving) || attempt(Guess::resting);
  double room = is_solved && takes_time(inputs) ? book_energy(chain, state) : 0;  // see there
  if (!scheme.is_euler() && (!is_solved || room < 0)) {
    scheme = Scheme::euler(h);
    if (!is_solved || !attempt(Guess::moving)) attempt(Guess::resting);
    room = book_energy(chain, state);
  }
  next_courses_[c].is_known = !scheme.is_euler();
  if (outcomes_[c].converged && takes_time(inputs))
    next_courses_[c].surplus += keep_angular_momentum(*model_, chain, inputs, *start_, std::max(0.0, room), state);
}

bool AlphaSolver::solve(const Chain& chain, int worker, const Scheme& scheme, Equations::Guess guess,
                        const Inputs& inputs, State& state) {
  const NewtonLimits limits{std::min(options_.iterations, inputs.most_iterations), options_.tolerance,
                            options_.residuals, &inputs};
  equations_.prepare(chain, scheme);
  equations_.guess(chain, guess, at_);
  Outcome outcome = newton_[worker].solve(equations_, chain, limits, *start_, at_);
  equations_.finish(chain, at_, state, next_);
  Outcome& all = outcomes_[chain.number];
  outcome.iterations += all.iterations;
  outcome.residuals.insert(outcome.residuals.begin(), all.residuals.begin(), all.residuals.end());
  all = outcome;
  return all.converged;
}

// The talk's weights begin with implicit Euler; so does what begins with a jolt, and a search for an equilibrium, which
// takes no time. Where velocities are not those that the last step left, the method begins anew, and where loads jump.
Scheme AlphaSolver::scheme_of(const Chain& chain, const Inputs& inputs, double h) const {
  const Scheme smooth{options_.weights(), options_.weights_of_ways(), false, h};
  if (!takes_time(inputs) || has_jolt(chain, inputs, h)) return Scheme::euler(h);
  if (courses_[chain.number].is_known && goes_on(chain, inputs.begin)) return smooth;
  return smooth.weights.is_second_order() ? Scheme{smooth.weights, smooth.way, true, h} : Scheme::euler(h);
}

// Velocities are those that the last step left, and so are the loads: where a load jumps, so do accelerations. The
// loads of fields are those of the velocities at the start of a step, and change from step to step.
bool AlphaSolver::goes_on(const Chain& chain, const Instant& begin) const {
  if (left_v_.empty()) return false;
  for (int i : chain.vertices)
    if (!(left_v_[i] == start_->v[i])) return false;
  if (!begin.drag.empty()) return true;
  constexpr double small = 1e-2;
  const auto goes_on = [](const std::vector<int>& numbers, const std::vector<Vec3d>& left,
                          const std::vector<Vec3d>& now) {
    double change = 0, size = 0;
    for (int i : numbers) {
      const Vec3d a = left.empty() ? Vec3d{} : left[i], b = now.empty() ? Vec3d{} : now[i];
      change = std::max(change, norm(b - a)), size = std::max({size, norm(a), norm(b)});
    }
    return change <= small * size;
  };
  return goes_on(chain.vertices, left_force_, begin.force) && goes_on(chain.segments, left_moment_, begin.moment);
}

// what is held jumps to another velocity: smooth motion goes (v_old + v_new) h / 2 up to the third order of h
bool AlphaSolver::has_jolt(const Chain& chain, const Inputs& inputs, double h) const {
  constexpr double smooth = 0.1;
  for (int t : ties_[chain.number]) {
    const Tie& tie = model_->ties[t];
    const Pose& pose = inputs.end.body_pose[tie.body];
    const Twist& twist = inputs.end.body_twist[tie.body];
    const Vec3d arm = rotate(pose.q, tie.offset);
    const Vec3d v_old = start_->v[tie.vertex], v_new = twist.v + cross(twist.omega, arm);
    const Vec3d beside = (1 / h) * (pose.x + arm - start_->x[tie.vertex]) - 0.5 * (v_old + v_new);
    const double fast = std::max(norm(v_old), norm(v_new));
    for (int k = 0; k < 3; ++k)
      if (tie.held[k] && std::abs(beside[k]) > smooth * fast) return true;
  }
  return false;
}

// A method of second order keeps the energy of small vibrations and may add to that of large ones in long steps. This
// sums what the energy grew by beyond all work, and tells how much more it may grow, or by how much it has grown too
// much. What was lost may come back, but only as much as vibrations that a step hardly follows make it come and go.
double AlphaSolver::book_energy(const Chain& chain, const State& end) {
  constexpr double allowed = 1e-3, comes_back = 1e-2;  // of all that is at work [-]
  constexpr double round_off = 1e-12;                  // of that with a flight [-]
  const Equations::EnergyChange change = equations_.energy_change(chain, at_, end);
  double& surplus = next_courses_[chain.number].surplus;
  surplus = std::max(-comes_back * change.at_work, courses_[chain.number].surplus + change.surplus);
  return allowed * change.at_work + round_off * change.whole - surplus;
}

// What is left unsolved where a step may not be refused ends the run, unless it is little: it would be no motion.
void AlphaSolver::refuse_what_is_unsolved(const Inputs& inputs, const State& state, StepReport& report) const {
  constexpr double little = 1e-3;  // of StepReport::residual
  report.is_stopped = inputs.stops();
  if (report.is_stopped) return;
  if (!takes_time(inputs)) {
    if (!report.converged || climbs(*model_, inputs, *start_, state))
      report.failure = "Newton's method finds no balance below this one";
  } else if (!report.converged && !inputs.may_refuse && !(report.residual <= little)) {
    report.failure = "Newton's method finds no balance of the rods; a shorter time step or damping may help";
  }
  report.is_refused = !report.failure.empty() || (!report.converged && inputs.may_refuse);
}

// the most of all chains; of those that are done, what they left
void AlphaSolver::take_outcomes(StepReport& report) const {
  for (const Outcome& outcome : outcomes_) {
    report.iterations = std::max(report.iterations, outcome.iterations);
    report.residual = std::max(report.residual, outcome.residual);
    report.converged &= outcome.converged;
    if (outcome.residuals.size() > report.residuals.size()) report.residuals.resize(outcome.residuals.size(), 0);
  }
  for (const Outcome& outcome : outcomes_)
    for (std::size_t n = 0; n < report.residuals.size() && !outcome.residuals.empty(); ++n)
      report.residuals[n] = std::max(report.residuals[n], outcome.residuals[std::min(n, outcome.residuals.size() - 1)]);
}

void AlphaSolver::save(Writer& out) const {
  out.put(courses_);
  for (const auto* values : {&left_v_, &left_force_, &left_moment_, &memory_.acceleration, &memory_.way_per_time,
                             &memory_.moment, &memory_.turn_per_time, &memory_.force})
    out.put(*values);
}

void AlphaSolver::load(Reader& in) {
  in.get(courses_);
  for (auto* values : {&left_v_, &left_force_, &left_moment_, &memory_.acceleration, &memory_.way_per_time,
                       &memory_.moment, &memory_.turn_per_time, &memory_.force})
    in.get(*values);
}

}  // namespace tendril::solvers::alpha
