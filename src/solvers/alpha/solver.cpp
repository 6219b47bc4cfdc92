#include "solvers/alpha/solver.h"

#include <algorithm>
#include <cmath>

#include "math/stopwatch.h"
#include "math/thread_team.h"
#include "rod/energy.h"
#include "rod/momentum.h"
#include "rod/stream.h"
#include "solvers/alpha/free_rods.h"

namespace tendril::alpha {
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
  at_ = {state.x, state.q, of_segments, of_segments};
  is_known_ = false;
  left_v_.clear(), left_force_.clear(), left_moment_.clear();
}

// Algorithm of [sobottka2008] for all chains: lines 1 to 8 in begin_step() and prepare(), 10 to 23 in ChainNewton, 24
// and 25 in finish().
StepReport AlphaSolver::step(const Inputs& inputs, Contact&, double h, State& state) {
  start_ = inputs.start ? inputs.start : &(before_ = state);
  Scheme scheme = scheme_of(inputs, h);
  StepReport report = try_step(scheme, inputs, state);
  if (!report.converged && !scheme.is_euler() &&
      !inputs.stops()) {  // a step that damps finds its way where others do not
    const StepReport first = std::exchange(report, try_step(scheme = Scheme::euler(h), inputs, state));
    report.iterations += first.iterations;
    report.residuals.insert(report.residuals.begin(), first.residuals.begin(), first.residuals.end());
  }
  report.is_stopped = inputs.stops();
  if (!report.converged && inputs.may_refuse) report.is_refused = true;
  if (!report.converged && !std::isfinite(report.residual)) {
    report.failure = "Newton's method finds no balance of the rods in this time step; a shorter one may";
    report.is_refused = true;
  }
  if (!takes_time(inputs) && (!report.converged || climbs(*model_, inputs, *start_, state)))
    report.failure = "Newton's method finds no balance below this one", report.is_refused = true;
  if (report.is_refused || report.is_stopped) return report;
  std::swap(memory_, next_);
  is_known_ = !scheme.is_euler();
  left_v_ = state.v, left_force_ = inputs.end.force, left_moment_ = inputs.end.moment;
  return report;
}

// The talk's weights begin with implicit Euler; so does what begins with a jolt, and a search for an equilibrium, which
// takes no time. Where velocities are not those that the last step left, the method begins anew, and where loads jump.
Scheme AlphaSolver::scheme_of(const Inputs& inputs, double h) const {
  const Scheme smooth{options_.weights(), options_.weights_of_ways(), false, h};
  if (!takes_time(inputs) || has_jolt(inputs, h)) return Scheme::euler(h);
  if (is_known_ && goes_on(inputs.begin)) return smooth;
  return smooth.weights.is_second_order() ? Scheme{smooth.weights, smooth.way, true, h} : Scheme::euler(h);
}

// Velocities are those that the last step left, and so are the loads: where a load jumps, so do accelerations. The
// loads of fields are those of the velocities at the start of a step, and change from step to step.
bool AlphaSolver::goes_on(const Instant& begin) const {
  if (!(left_v_ == start_->v)) return false;
  if (!begin.drag.empty()) return true;
  constexpr double small = 1e-2;
  const auto goes_on = [](const std::vector<Vec3d>& left, const std::vector<Vec3d>& now) {
    double change = 0, size = 0;
    for (std::size_t i = 0; i < std::max(left.size(), now.size()); ++i) {
      const Vec3d a = i < left.size() ? left[i] : Vec3d{}, b = i < now.size() ? now[i] : Vec3d{};
      change = std::max(change, norm(b - a)), size = std::max({size, norm(a), norm(b)});
    }
    return change <= small * size;
  };
  return goes_on(left_force_, begin.force) && goes_on(left_moment_, begin.moment);
}

// what is held jumps to another velocity: smooth motion goes (v_old + v_new) h / 2 up to the third order of h
bool AlphaSolver::has_jolt(const Inputs& inputs, double h) const {
  constexpr double smooth = 0.1;
  for (const Tie& tie : model_->ties) {
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

StepReport AlphaSolver::try_step(const Scheme& scheme, const Inputs& inputs, State& state) {
  Stopwatch solving;
  solving.start();
  equations_.begin_step(inputs, scheme, *start_, memory_);
  outcomes_.assign(equations_.chain_count(), {});
  const NewtonLimits limits{std::min(options_.iterations, inputs.most_iterations), options_.tolerance,
                            options_.residuals, &inputs};
  team_->for_each(equations_.chain_count(), [&](int c, int worker) {
    const Chain& chain = equations_.chain(c);
    equations_.prepare(chain);
    equations_.guess(chain, at_);
    outcomes_[c] = newton_[worker].solve(equations_, chain, limits, *start_, at_);
    equations_.finish(chain, at_, state, next_);
    if (outcomes_[c].converged) keep_angular_momentum(*model_, chain, inputs, *start_, state);
  });
  for (std::size_t b = 0; b < state.body_x.size(); ++b) {
    state.body_x[b] = inputs.end.body_pose[b].x, state.body_q[b] = inputs.end.body_pose[b].q;
    state.body_v[b] = inputs.end.body_twist[b].v, state.body_omega[b] = inputs.end.body_twist[b].omega;
  }
  StepReport report;
  take_outcomes(report);
  report.stages = {{"solve", solving.stop()}};
  return report;
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
  out.put(is_known_);
  for (const auto* values : {&left_v_, &left_force_, &left_moment_, &memory_.acceleration, &memory_.way_per_time,
                             &memory_.moment, &memory_.turn_per_time, &memory_.force})
    out.put(*values);
}

void AlphaSolver::load(Reader& in) {
  in.get(is_known_);
  for (auto* values : {&left_v_, &left_force_, &left_moment_, &memory_.acceleration, &memory_.way_per_time,
                       &memory_.moment, &memory_.turn_per_time, &memory_.force})
    in.get(*values);
}

}  // namespace tendril::alpha
