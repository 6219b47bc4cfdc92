#include "solvers/cartesian/solver.h"

#include <algorithm>
#include <cmath>

namespace tendril::solvers::cartesian {
namespace {

constexpr int most_halvings = 12;
constexpr double too_small_to_tell = 1e-7;  // a step that merits of 1e-16 relative accuracy know nothing of [-]
constexpr double round_off = 1e-13;         // of a merit

}  // namespace

void CartesianSolver::reset(const Model& model, const State& state, ThreadTeam& team) {
  team.employ(1);
  potential_.reset(model);
  system_.reset(model, has_multipliers_);
  free_axes_.resize(model.vertices.size());
  for (std::size_t i = 0; i < free_axes_.size(); ++i)
    free_axes_[i] = potential_.problem().free_axes(static_cast<int>(i));
  at_ = trial_ = state;
}

StepReport CartesianSolver::step(const Inputs& inputs, Contact&, double h, State& state) {
  StepReport report;
  evaluating_ = solving_ = {};
  begin(inputs, h, state);  // from x_t, with what is held where it must be
  iterate(inputs, report);
  end_iterations(at_);
  report.is_stopped = inputs.stops();
  if (!std::isfinite(report.residual)) report.failure = "its linear equations have no solution";
  if (report.failure.empty()) finish(inputs, h, state);
  report.stages = {{"evaluate", evaluating_.seconds()}, {"solve", solving_.seconds()}};
  return report;
}

void CartesianSolver::begin(const Inputs& inputs, double h, const State& state) {
  start_ = inputs.start ? *inputs.start : state;
  potential_.begin_step(inputs, h, start_);
  at_ = start_;
  for (std::size_t b = 0; b < inputs.end.body_pose.size(); ++b)
    at_.body_x[b] = inputs.end.body_pose[b].x, at_.body_q[b] = inputs.end.body_pose[b].q;
  for (const newton::HeldAxis& axis : potential_.problem().held) at_.x[axis.vertex][axis.k] = axis.end;
  trial_ = at_;
  begin_iterations();
}

void CartesianSolver::iterate(const Inputs& inputs, StepReport& report) {
  report.converged = false;
  while (!report.converged && report.iterations < options_.iterations && !inputs.stops()) {
    linearise();
    ++report.iterations, ++report.linear_iterations;
    report.residual = step_size();
    if (options_.residuals) report.residuals.push_back(report.residual);
    if (!std::isfinite(report.residual)) return;
    take_solution(system_);
    report.converged = report.residual <= options_.tolerance || is_balanced(force_);
    evaluating_.start();
    const double fraction = report.residual <= too_small_to_tell ? 1 : searched_fraction();
    go(fraction, trial_);
    std::swap(at_, trial_);
    evaluating_.stop();
  }
}

// the direction of Newton's method; where the energy is not convex without the second derivatives that may be
// indefinite
void CartesianSolver::linearise() {
  for (const bool exact : {true, false}) {
    evaluating_.time([&] {
      system_.clear();
      potential_.add_to(system_, at_, exact);
      add_segments(system_, at_, exact);
      force_ = system_.force_norm(free_axes_);
    });
    bool is_convex = false;
    solving_.time([&] { is_convex = system_.solve(free_axes_); });
    if (is_convex) return;
  }
}

void CartesianSolver::add_segment(System& system, int s, const Terms& terms) const {
  const auto [i, j] = model().segments[s].vertex;
  for (int k : {i, j}) {
    const double sign = k == i ? -1 : 1;
    system.add(system.vertex(k), terms.edge_edge);
    system.add(system.vertex(k), system.turn(s), sign * terms.edge_turn);
    system.add_to_right(system.vertex(k), -sign * terms.by_edge);
  }
  system.add(system.vertex(i), system.vertex(j), -1.0 * terms.edge_edge);
  system.add(system.turn(s), terms.turn_turn);
  system.add_to_right(system.turn(s), -terms.by_turn);
}

double CartesianSolver::step_size() const {
  double size2 = 0;
  for (int s = 0; s < static_cast<int>(at_.q.size()); ++s) {
    const Segment& segment = model().segments[s];
    size2 = std::max(size2, norm_squared(system_.solution(system_.turn(s))));
    for (int i : segment.vertex)
      size2 = std::max(size2,
                       norm_squared(system_.solution(system_.vertex(i))) / (segment.rest_length * segment.rest_length));
    if (!std::isfinite(norm_squared(system_.solution(system_.turn(s))))) return forever;
  }
  return std::sqrt(size2);
}

// backtracking until the merit falls, or the shortest step
double CartesianSolver::searched_fraction() {
  double work = 0;  // of external moments along all of the step
  for (int s = 0; s < static_cast<int>(at_.q.size()); ++s)
    work += dot(potential_.external_moment(s), system_.solution(system_.turn(s)));
  const double before = merit(at_);
  double fraction = 1;
  for (int n = 0; n < most_halvings; ++n, fraction *= 0.5) {
    go(fraction, trial_);
    if (merit(trial_) - fraction * work <= before + round_off * std::abs(before)) break;
  }
  return fraction;
}

void CartesianSolver::go(double fraction, Iterate& to) const {
  for (std::size_t i = 0; i < at_.x.size(); ++i)
    to.x[i] = at_.x[i] + fraction * system_.solution(system_.vertex(static_cast<int>(i)));
  for (std::size_t s = 0; s < at_.q.size(); ++s)
    to.q[s] = normalized(quaternion_exp(fraction * system_.solution(system_.turn(static_cast<int>(s)))) * at_.q[s]);
}

void CartesianSolver::finish(const Inputs& inputs, double h, State& state) const {
  for (std::size_t i = 0; i < state.x.size(); ++i)
    state.x[i] = at_.x[i], state.v[i] = (1 / h) * (at_.x[i] - start_.x[i]);
  for (std::size_t s = 0; s < state.q.size(); ++s)
    state.q[s] = at_.q[s], state.omega[s] = turn_between(start_.q[s], at_.q[s]) / h;
  for (const newton::HeldAxis& axis : potential_.problem().held)
    state.x[axis.vertex][axis.k] = axis.end, state.v[axis.vertex][axis.k] = axis.v;
  for (std::size_t b = 0; b < inputs.end.body_pose.size(); ++b) {
    state.body_x[b] = at_.body_x[b], state.body_q[b] = at_.body_q[b];
    state.body_v[b] = inputs.end.body_twist[b].v, state.body_omega[b] = inputs.end.body_twist[b].omega;
  }
}

}  // namespace tendril::solvers::cartesian
