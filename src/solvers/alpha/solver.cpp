#include "solvers/alpha/solver.h"

#include <algorithm>
#include <cmath>

#include "math/stopwatch.h"
#include "math/thread_team.h"
#include "rod/stream.h"
#include "solvers/alpha/free_rods.h"

namespace tendril::alpha {
namespace {

// fewer segments per worker than this are done sooner than shared
constexpr int least_share = 100;

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
  left_v_.clear();
}

// Algorithm of [sobottka2008] for all chains: lines 1 to 8 in begin_step() and prepare(), 10 to 23 in ChainNewton, 24 and
// 25 in finish().
StepReport AlphaSolver::step(const Inputs& inputs, Contact&, double h, State& state) {
  start_ = inputs.start ? inputs.start : &(before_ = state);
  Scheme scheme = scheme_of(inputs, h);
  StepReport report = try_step(scheme, inputs, state);
  const bool may_damp = !(scheme.weights == Weights::euler());
  if (!report.converged && may_damp && !inputs.stops()) {  // a step that damps finds its way where others do not
    const StepReport first = std::exchange(report, try_step({Weights::euler(), false, h}, inputs, state));
    report.iterations += first.iterations;
    report.residuals.insert(report.residuals.begin(), first.residuals.begin(), first.residuals.end());
    scheme.weights = Weights::euler();
  }
  report.is_stopped = inputs.stops();
  if (!report.converged && inputs.may_refuse) report.is_refused = true;
  if (!report.converged && !std::isfinite(report.residual)) {
    report.failure = "Newton's method finds no balance of the rods in this time step; a shorter one may";
    report.is_refused = true;
  }
  if (report.is_refused || report.is_stopped) return report;
  std::swap(memory_, next_);
  is_known_ = !(scheme.weights == Weights::euler());
  left_v_ = state.v;
  return report;
}

// The talk's weights begin with implicit Euler; so does what begins with a jolt, and a search for an equilibrium, which
// takes no time. Where velocities are not those that the last step left, the method begins anew.
Scheme AlphaSolver::scheme_of(const Inputs& inputs, double h) const {
  const Weights weights = options_.weights();
  const bool takes_time = inputs.end.time > inputs.begin.time;
  if (!takes_time || has_jolt(inputs, h)) return {Weights::euler(), false, h};
  if (is_known_ && (left_v_.empty() || left_v_ == start_->v)) return {weights, false, h};
  return weights.is_second_order() ? Scheme{weights, true, h} : Scheme{Weights::euler(), false, h};
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
      report.residuals[n] =
          std::max(report.residuals[n], outcome.residuals[std::min(n, outcome.residuals.size() - 1)]);
}

void AlphaSolver::save(Writer& out) const {
  out.put(is_known_);
  out.put(left_v_);
  for (const auto* values : {&memory_.acceleration, &memory_.way_per_time, &memory_.moment, &memory_.turn_per_time,
                             &memory_.force})
    out.put(*values);
}

void AlphaSolver::load(Reader& in) {
  in.get(is_known_);
  in.get(left_v_);
  for (auto* values : {&memory_.acceleration, &memory_.way_per_time, &memory_.moment, &memory_.turn_per_time,
                       &memory_.force})
    in.get(*values);
}

}  // namespace tendril::alpha
