#include <algorithm>

#include "solvers/projective/solver.h"

namespace tendril::projective {

// What touches something: strands that come near anything on their way are solved again with what they touch, and all
// go there as far as nothing meets anything. The others are where they would be without it, to the last bit.

namespace {

constexpr int usual_rounds = 3;   // of solving and going on, where a number of iterations is all that is asked for
constexpr int most_rounds = 100;  // to a tolerance
constexpr double hardly = 1e-6;   // of a radius: a way that was cut off by less is gone

bool is_driven(const newton::Problem& problem, int body) {
  return body >= 0 && problem.model->bodies[body].kind == BodyKind::kinematic;
}

}  // namespace

void ProjectiveSolver::solve_with_contact(const Inputs& inputs, Contact& contact, StepReport& report, State& state) {
  open_.assign(bundles_.size(), 0), touches_.resize(bundles_.size());
  if (!open_strands(contact, contact.pairs_near(state, {}))) return;  // nothing comes near anything
  target_ = state, at_ = *start_;
  at_.body_x = state.body_x, at_.body_q = state.body_q;
  contact.drive(std::vector<double>(at_.body_x.size(), 1));
  double residual = report.residual;
  for (int round = 0; report.failure.empty(); ++round) {
    list_touches(contact, round == 0);
    residual = solve_open_strands(inputs, round == 0, report);
    report.failure = approach_.go(target_, contact, at_);
    report.smallest_gap = std::min(report.smallest_gap, approach_.smallest_gap());
    residual = std::max(residual, approach_.cut_off());
    const bool opens = open_strands(contact, contact.pairs_near(target_, {}));
    const bool is_solved = options_.tolerance > 0 && residual <= options_.tolerance && !opens;
    const int rounds = options_.tolerance > 0 ? most_rounds : usual_rounds;
    if (is_solved || round + 1 >= rounds || inputs.stops()) break;
  }
  report.residual = std::max(report.residual, residual);
  report.converged = report.residual <= options_.solved_below();
  report.is_stopped = inputs.stops();
  report.is_refused = !report.failure.empty();
  if (report.is_refused || report.is_stopped) return;
  const double per_h = 1 / problem_.scheme.h;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (const Place& place = places_[i]; place.bundle >= 0 && (open_[place.bundle] >> place.lane & 1))
      state.x[i] = at_.x[i], state.v[i] = per_h * (at_.x[i] - start_->x[i]);
  for (std::size_t n = 0; n < bundles_.size(); ++n)
    for (int lane = 0; lane < bundles_[n].used; ++lane)
      if (open_[n] >> lane & 1)
        for (int s : bundles_[n].strands[lane]->segments)
          state.q[s] = target_.q[s], state.omega[s] = per_h * turn_between(start_->q[s], target_.q[s]);
  for (const newton::HeldAxis& axis : problem_.held) state.v[axis.vertex][axis.k] = axis.v;
}

// the strands of these pairs; whether some were not open yet
bool ProjectiveSolver::open_strands(const Contact& contact, const std::vector<int>& pairs) {
  bool some_are_new = false;
  for (int number : pairs)
    for (int k : {0, 2})
      if (const int i = contact.pairs()[number].vertex[k]; i >= 0 && places_[i].bundle >= 0) {
        unsigned& open = open_[places_[i].bundle];
        some_are_new |= !(open >> places_[i].lane & 1);
        open |= 1u << places_[i].lane;
      }
  return some_are_new;
}

Touch ProjectiveSolver::touch_of(const Contact& contact, const Pair& pair, int side) const {
  Touch touch;
  touch.pair = &pair;
  for (int end = 0; end < 2; ++end) {
    const int i = pair.vertex[2 * side + end], other = pair.vertex[2 * (1 - side) + end];
    touch.bundle = places_[i].bundle, touch.lane = places_[i].lane, touch.place[end] = places_[i].place;
    touch.weight[end] = pair.weight[2 * side + end], touch.waypoint[end] = contact.waypoint(i);
    if (other >= 0) touch.others += pair.weight[2 * (1 - side) + end] * (target_.x[other] - contact.waypoint(other));
  }
  touch.others -= contact.driven(pair);
  touch.normal_force = pair.normal_force();
  return touch;
}

// from where everything is now to where it wants to be; at first strands are to see all that they may meet
void ProjectiveSolver::list_touches(const Contact& contact, bool is_first) {
  for (std::vector<Touch>& touches : touches_) touches.clear();
  for (const Pair& pair : contact.pairs()) {
    if (contact.is_far(pair, target_) && (!is_first || contact.is_far(pair, at_))) continue;
    for (int side = 0; side < 2; ++side)
      if (const int i = pair.vertex[2 * side];
          i >= 0 && places_[i].bundle >= 0 && (open_[places_[i].bundle] >> places_[i].lane & 1))
        touches_[places_[i].bundle].push_back(touch_of(contact, pair, side));
  }
}

// the largest residual that they are left with
double ProjectiveSolver::solve_open_strands(const Inputs& inputs, bool is_first, StepReport& report) {
  std::vector<int> open;
  for (std::size_t n = 0; n < bundles_.size(); ++n)
    if (open_[n]) open.push_back(static_cast<int>(n));
  const State guess = target_;
  team_->for_each(static_cast<int>(open.size()), [&](int k, int worker) {
    const int n = open[k];
    const StrandStep::Task task{*start_, is_first ? nullptr : &guess, touches_[n], open_[n]};
    if (!inputs.stops()) results_[n] = workers_[worker].solve(bundles_[n], problem_, task, options_, target_);
  });
  double largest = 0;
  for (const StrandStep::Result& result : results_) largest = std::max(largest, result.residual);
  for (int n : open) report.iterations = std::max(report.iterations, results_[n].iterations);
  return largest;
}

}  // namespace tendril::projective
