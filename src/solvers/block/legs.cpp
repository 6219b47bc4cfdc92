#include <algorithm>
#include <cmath>

#include "solvers/block/solver.h"

namespace tendril::block {

// Newton's method along the path that contact allows (contact/contact.h): all parts together, one leg per Newton step.

namespace {

constexpr int most_legs_of_approach = 20, most_legs = 1000;
constexpr double least_share = 1e-6;    // of the way of solids, below which nothing is found any more
constexpr double shortest_step = 1e-4;  // share of a Newton step
constexpr double longest_step = 1;      // [rad]

}  // namespace

// to the first guess, as far as nothing stands in the way
void BlockSolver::approach(const State& state, Contact& contact, StepReport& report) {
  target_ = at_.x;
  const std::vector<Vec3d> guess = at_.x;
  at_.x = state.x;
  for (int leg = 0; leg < most_legs_of_approach && report.failure.empty(); ++leg) {
    target_ = guess;
    begin_leg(contact, report);
    const auto held_up = [&](std::size_t i) {
      const double missing = norm(guess[i] - trial_.x[i]), advance = norm(trial_.x[i] - at_.x[i]);
      return missing > problem_.model->vertices[i].radius && advance > 0.2 * missing;
    };
    bool again = false;
    for (std::size_t i = 0; i < guess.size() && !again; ++i)
      again = contact.is_bounded(static_cast<int>(i)) && held_up(i);
    at_.x = trial_.x;
    contact.stop_at_walls(at_.x);
    contact.end_leg(at_.x);
    if (!again) return;
  }
}

// lays planes for a way to the target; trial_.x is where vertices may go. Where there is no room, what is held and the
// solids go only a part of theirs.
void BlockSolver::begin_leg(Contact& contact, StepReport& report) {
  ++leg_count_;
  for (double share = 1; share > least_share; share *= 0.5) {
    for (std::size_t i = 0; i < target_.size(); ++i)
      trial_.x[i] = share == 1 ? target_[i] : at_.x[i] + share * (target_[i] - at_.x[i]);
    if (contact.begin_leg(share, trial_.x)) return;
  }
  report.failure = contact.obstruction();
}

void BlockSolver::solve_with_contact(const State& state, Contact& contact, StepReport& report) {
  leg_count_ = 0;
  approach(state, contact, report);
  while (systems_.size() < parts_.all().size()) systems_.emplace_back(problem_, parts_);
  while (report.failure.empty()) {
    touching_.evaluate(contact, parts_);
    const double energy_before = newton_direction(report);
    if (!std::isfinite(report.residual)) return void(report.converged = false);
    const bool last = report.residual <= options_.tolerance && contact.reached() == 1;
    const bool whole = take_step(contact, energy_before, last, report);
    if (getenv("DBG")) fprintf(stderr, "  n %d res %.3g reached %.4g legs %d pairs %zu touching %zu whole %d E0 %.12g\n", report.iterations, report.residual, contact.reached(), leg_count_, contact.pairs().size(), touching_.terms().size(), whole, energy_before);
    contact.end_leg(at_.x);
    report.smallest_gap = std::min(report.smallest_gap, contact.smallest_gap());
    if (last && whole) return;
    if (report.iterations >= options_.iterations && contact.reached() == 1) return void(report.converged = false);
    if (leg_count_ >= most_legs) report.failure = contact.obstruction();
  }
}

// of all parts together; the energy where they are
double BlockSolver::newton_direction(StepReport& report) {
  energies_.assign(parts_.count(), 0), sizes_.assign(parts_.count(), 0);
  for_parts([&](int p, int) {
    for (;;) {
      systems_[p].begin(parts_[p]);
      systems_[p].add_contact(touching_, p, at_, exact_[p]);
      const System::Pass pass = systems_[p].factorise(at_, prediction_, exact_[p]);
      energies_[p] = pass.energy;
      if (pass.pivot > 0 || exact_[p] == 0) break;
      exact_[p] = exact_[p] > 0.1 ? 0.25 * exact_[p] : 0;
    }
    systems_[p].solve();
  });
  report.linear_iterations += coupling_.solve(touching_, at_, systems_, *team_);
  for_parts([&](int p, int) {
    systems_[p].predict(at_, prediction_);
    sizes_[p] = systems_[p].step_size();
  });
  ++report.iterations;
  report.residual = 0;
  for (double size : sizes_) report.residual = std::isfinite(size) ? std::max(report.residual, size) : forever;
  double sum = 0;
  for (double e : energies_) sum += e;
  return sum;
}

// along the direction until the energy falls; whether the whole of it was taken
bool BlockSolver::take_step(Contact& contact, double energy_before, bool last, StepReport& report) {
  const double before = energy_before + touching_.energy(contact, at_.x);
  for (double share = std::min(1.0, longest_step / report.residual);; share *= 0.5) {
    for_parts([&](int p, int) { systems_[p].advance(share, at_, trial_); });
    target_ = trial_.x;
    for (std::size_t i = 0; i < target_.size(); ++i)
      for (int k = 0; k < 3; ++k)
        if (problem_.free_axes[i][k] == 0) target_[i][k] = problem_.prescribed_x[i][k];
    begin_leg(contact, report);
    if (!report.failure.empty()) return false;
    bool whole = share == 1;
    for (std::size_t i = 0; i < target_.size() && whole; ++i) whole = trial_.x[i] == target_[i];
    const bool enough = last || share < shortest_step || trial_energy(contact) <= before * (1 + 1e-9);
    if (!enough) continue;
    std::swap(at_, trial_);
    trial_.body_x = at_.body_x, trial_.body_q = at_.body_q;
    contact.stop_at_walls(at_.x);
    for_parts([&](int p, int) { exact_[p] = std::min(1.0, 0.25 + 2 * exact_[p]); });
    return whole;
  }
}

double BlockSolver::trial_energy(const Contact& contact) {
  for_parts([&](int p, int) { energies_[p] = energy(parts_[p], problem_, trial_) - systems_[p].moment_work(); });
  double sum = touching_.energy(contact, trial_.x);
  for (double e : energies_) sum += e;
  return sum;
}

}  // namespace tendril::block
