#include <algorithm>
#include <cmath>

#include "solvers/newton/solver.h"

namespace tendril::newton {

// Newton's method along the path that contact allows (contact/contact.h): all parts together, one leg per Newton step.

namespace {

constexpr int most_legs = 1000;
constexpr int patience = 20;          // Newton steps after which friction is bounded from above
constexpr double least_share = 1e-6;  // of the way of solids, below which nothing is found any more
constexpr int most_halvings = 13;     // of a Newton step
constexpr int rounds_of_cutting = 3;
constexpr double longest_turn = 1;  // [rad]

}  // namespace

// to the first guess, as far as nothing stands in the way
void NewtonSolver::approach(const State& state, Contact& contact, StepReport& report) {
  const Iterate guess = at_;
  at_.x = state.x, at_.q = state.q, at_.body_x = state.body_x, at_.body_q = state.body_q;
  for (std::size_t b = 0; b < state.body_x.size(); ++b)
    if (problem_.model->bodies[b].kind == BodyKind::kinematic)
      at_.body_x[b] = guess.body_x[b], at_.body_q[b] = guess.body_q[b];
  trial_ = at_;
  for_parts([&](int p, int) { systems_[p]->aim(parts_[p], at_, guess); });
  begin_leg_along(1, contact, report);
  if (!report.failure.empty()) return;
  std::swap(at_, trial_);
  contact.stop_at_walls(at_.x);
  contact.end_leg(at_);
}

// Lays planes for a way to the target; trial_ is where things may go. Where there is no room, what is held and the
// solids go only a part of theirs.
void NewtonSolver::begin_leg(Contact& contact, StepReport& report) {
  for (double share = 1; share > least_share; share *= 0.5) {
    for (std::size_t i = 0; i < target_.x.size(); ++i)
      trial_.x[i] = share == 1 ? target_.x[i] : at_.x[i] + share * (target_.x[i] - at_.x[i]);
    for (std::size_t b = 0; b < target_.body_x.size(); ++b) {
      trial_.body_x[b] = at_.body_x[b] + share * (target_.body_x[b] - at_.body_x[b]);
      trial_.body_q[b] = part_of_turn(at_.body_q[b], target_.body_q[b], share);
    }
    if (contact.begin_leg(share, trial_)) return;
  }
  report.failure = contact.obstruction();
}

// what begin_leg did not allow
bool NewtonSolver::target_is_met() const {
  for (std::size_t i = 0; i < target_.x.size(); ++i)
    if (!(trial_.x[i] == target_.x[i])) return false;
  return true;
}

void NewtonSolver::solve_with_contact(const State& state, Contact& contact, StepReport& report) {
  while (systems_.size() < parts_.all().size()) systems_.push_back(make_system());
  touching_ = {};
  contact.roll_from(state.q);
  touching_.freeze_friction(contact);
  approach(state, contact, report);
  bool friction_is_known = false;
  int stuck = 0;  // Newton steps along which the energy did not fall
  while (report.failure.empty()) {
    touching_.evaluate(contact, problem_, parts_, report.iterations >= patience);
    const double energy_before = newton_direction(report);
    if (!std::isfinite(report.residual)) return void(report.converged = false);
    const bool last = report.residual <= options_.tolerance && contact.reached() == 1;
    const bool whole = take_step(contact, energy_before, last, report);
    contact.end_leg(at_);
    report.smallest_gap = std::min(report.smallest_gap, contact.smallest_gap());
    const bool meets_more = contact.touching() > static_cast<int>(touching_.terms().size());  // than was solved for
    if (last && whole && !meets_more) {
      if (friction_is_known || !touching_.freeze_friction(contact)) return;
      friction_is_known = true;
    }
    stuck = share_ == 0 ? stuck + 1 : 0;
    if (stuck > 1 && contact.reached() == 1) return void(report.converged = false);
    if (contact.reached() < 1 ? report.iterations >= most_legs : report.iterations >= options_.iterations) {
      report.converged = false;
      if (contact.reached() < 1) report.failure = contact.obstruction();
      return;
    }
  }
}

// of all parts together; the energy where they are
double NewtonSolver::newton_direction(StepReport& report) {
  energies_.assign(parts_.count(), 0), sizes_.assign(parts_.count(), 0);
  for_parts([&](int p, int) {
    for (;;) {
      systems_[p]->begin(parts_[p]);
      systems_[p]->add_contact(touching_, p, at_, exact_[p]);
      const System::Pass pass = systems_[p]->factorise(at_, prediction_, exact_[p]);
      energies_[p] = pass.energy;
      if (pass.is_definite || exact_[p] == 0) break;
      exact_[p] = exact_[p] > 0.1 ? 0.25 * exact_[p] : 0;
    }
    systems_[p]->solve();
  });
  const double accuracy = report.iterations > 0 && report.residual < 100 * options_.tolerance ? 1e-3 : 1e-2;
  report.linear_iterations += coupling_.solve(touching_, at_, accuracy, systems_, *team_);
  for_parts([&](int p, int) {  // what touches must have found its place, too
    const System& system = *systems_[p];
    sizes_[p] = touching_.sides_of(p).empty() ? system.step_size() : std::max(system.step_size(), system.shift_size());
  });
  ++report.iterations;
  report.residual = 0;
  for (double size : sizes_) report.residual = std::isfinite(size) ? std::max(report.residual, size) : forever;
  double sum = 0;
  for (double e : energies_) sum += e;
  return sum;
}

// along the direction until the energy falls, or not at all; whether the whole of it was taken
bool NewtonSolver::take_step(Contact& contact, double energy_before, bool last, StepReport& report) {
  const double before = energy_before + touching_.energy(contact, problem_, at_);
  double turn = longest_turn;
  for (const auto& system : systems_) turn = std::max(turn, system->turn_size());
  bool whole = false;
  share_ = longest_turn / turn;
  for (int halvings = 0;; ++halvings, share_ *= 0.5) {
    if (halvings > most_halvings) share_ = 0;
    const auto falls = [&] { return last || share_ == 0 || trial_energy(share_, contact) <= before * (1 + 1e-9); };
    set_target(std::vector<double>(parts_.count(), share_));
    begin_leg(contact, report);
    if (!report.failure.empty()) return false;
    whole = share_ == 1 && target_is_met();
    if (falls()) break;
    begin_leg_along(share_, contact, report);
    if (!report.failure.empty()) return false;
    whole = false;
    if (falls()) break;
  }
  for_parts([&](int p, int) {
    if (share_ > 0) systems_[p]->predict(at_, share_, prediction_);
    exact_[p] = share_ > 0 ? std::min(1.0, 0.25 + 2 * exact_[p]) : 0;
  });
  std::swap(at_, trial_);
  trial_.body_x = at_.body_x, trial_.body_q = at_.body_q;
  contact.stop_at_walls(at_.x);
  return whole;
}

// shares of the parts' directions; what is held goes where it must
void NewtonSolver::set_target(const std::vector<double>& shares) {
  for_parts([&](int p, int) { systems_[p]->advance(shares[p], at_, trial_); });
  target_.x = trial_.x, target_.body_x = trial_.body_x, target_.body_q = trial_.body_q;
  for (std::size_t i = 0; i < target_.x.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (problem_.free_axes[i][k] == 0) target_.x[i][k] = problem_.prescribed_x[i][k];
}

// Lays planes for a share of the direction. A part that would leave what they allow goes a smaller share of its way as
// a whole, so that it is not strained. Whether all went all the way.
bool NewtonSolver::begin_leg_along(double share, Contact& contact, StepReport& report) {
  std::vector<double> shares(parts_.count(), share);
  for (int round = 0;; ++round) {
    set_target(shares);
    begin_leg(contact, report);
    if (!report.failure.empty()) return false;
    const std::vector<double> reached = reached_shares();
    const bool all = std::all_of(reached.begin(), reached.end(), [](double r) { return r == 1; });
    if (all) return round == 0;
    if (round == rounds_of_cutting) return false;
    for (int p = 0; p < parts_.count(); ++p)
      if (reached[p] < 1) shares[p] *= 0.9 * reached[p];
  }
}

// how far along its way the most hindered vertex of each part may go
std::vector<double> NewtonSolver::reached_shares() const {
  std::vector<double> reached(parts_.count(), 1);
  for (std::size_t i = 0; i < target_.x.size(); ++i) {
    if (trial_.x[i] == target_.x[i] || problem_.role[i] == Role::held) continue;
    const Vec3d way = target_.x[i] - at_.x[i];
    const double length2 = norm_squared(way), along = dot(trial_.x[i] - at_.x[i], way);
    double& part = reached[parts_.part_of_vertex(static_cast<int>(i))];
    part = std::min(part, length2 > 0 ? std::clamp(along / length2, 0.0, 0.999) : 0.999);
  }
  return reached;
}

double NewtonSolver::trial_energy(double share, const Contact& contact) {
  for_parts(
      [&](int p, int) { energies_[p] = energy(parts_[p], problem_, trial_) - share * systems_[p]->moment_work(); });
  double sum = touching_.energy(contact, problem_, trial_);
  for (double e : energies_) sum += e;
  return sum;
}

}  // namespace tendril::newton
