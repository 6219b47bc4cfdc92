#include <algorithm>
#include <cmath>

#include "solvers/newton/solver.h"

namespace tendril::newton {

// Newton's method along the path that contact allows (contact/contact.h): all islands side by side, one leg per
// Newton step.

namespace {

constexpr int most_legs = 1000;
constexpr int patience = 60;          // Newton steps, after which small ones count though some pair is cautious
constexpr double least_share = 1e-6;  // of the way of solids, below which nothing is found any more
constexpr int most_halvings = 13;     // of a Newton step
constexpr int rounds_of_cutting = 6;
constexpr double nearly_all = 0.95;    // of a way, which is not cut
constexpr double least_reached = 0.1;  // what is pushed back by others may be free on a shorter way
constexpr double longest_turn = 1;     // [rad]
constexpr double accuracy = 0.01;      // of a direction, in the energy's norm, where soft motions weigh little
constexpr double rough = 10;           // times the tolerance: so are normal forces found for the limits of friction

}  // namespace

// to the first guess, as far as nothing stands in the way
void NewtonSolver::approach(const State& state, Contact& contact, StepReport& report) {
  const Iterate guess = at_;
  at_.x = state.x, at_.q = state.q, at_.body_x = state.body_x, at_.body_q = state.body_q;
  for (std::size_t b = 0; b < state.body_x.size(); ++b)
    if (problem_.model->bodies[b].kind == BodyKind::kinematic)
      at_.body_x[b] = guess.body_x[b], at_.body_q[b] = guess.body_q[b];
  trial_ = at_;
  islands_.find(touching_);  // each part alone
  for_parts([&](int p, int) { systems_[p]->aim(parts_[p], at_, guess); });
  double share_of_solids = 1;
  begin_leg_along(std::vector<double>(parts_.count(), 1), std::vector<char>(islands_.count(), true), contact,
                  share_of_solids, report);
  if (!report.failure.empty()) return;
  std::swap(at_, trial_);
  contact.stop_at_walls(at_.x);
  contact.end_leg(at_);
}

// Lays planes for a way to the target; trial_ is where things may go. Where there is no room, what is held and the
// solids go only a part of theirs, which is the most that they are let go from this corner.
void NewtonSolver::begin_leg(Contact& contact, double& share, StepReport& report) {
  for (; share > least_share; share *= 0.5) {
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

void NewtonSolver::solve_with_contact(const State& state, Contact& contact, StepReport& report) {
  while (systems_.size() < parts_.all().size()) systems_.push_back(make_system(true));
  put_predictions(prediction_), ++prediction_version_;
  touching_ = {};
  islands_.begin_step(parts_.count());
  sizes_.assign(parts_.count(), 0);
  last_steps_.assign(parts_.count(), {});
  contact.roll_from(state.q);
  touching_.freeze_friction(contact);
  approach(state, contact, report);
  bool friction_is_known = false;
  while (report.failure.empty()) {
    touching_.evaluate(contact, problem_, parts_, last_steps_);
    islands_.find(touching_);
    newton_direction(report);
    if (!std::isfinite(report.residual)) return void(report.converged = false);
    islands_.note_sizes(sizes_, options_.contact_tolerance);
    const std::vector<char> last = small_steps(contact, 1, report.iterations > patience);
    const std::vector<char> solved = friction_is_known ? last : small_steps(contact, rough, true);
    take_step(contact, last, report);
    if (!report.failure.empty()) return;
    contact.end_leg(at_);
    report.smallest_gap = std::min(report.smallest_gap, contact.smallest_gap());
    judge_parts(contact, solved);
    if (islands_.all_done()) {
      report.converged = !islands_.any_failed();
      if (friction_is_known || !report.converged) return;
      if (!touching_.freeze_friction(contact) && report.residual <= options_.contact_tolerance) return;
      friction_is_known = true;
      islands_.reopen(touching_);
    }
    if (contact.reached() < 1 ? report.iterations >= most_legs : report.iterations >= options_.iterations) {
      report.converged = false;
      if (contact.reached() < 1) report.failure = contact.obstruction();
      return;
    }
  }
}

// of every open island, and the energies where they are
void NewtonSolver::newton_direction(StepReport& report) {
  energies_.assign(parts_.count(), 0);
  for_parts([&](int p, int) {
    if (!islands_.is_part_open(p)) return;
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
  report.linear_iterations += coupling_.solve(touching_, islands_, at_, accuracy, systems_, *team_);
  for_parts([&](int p, int) {  // what touches must have found its place, too
    if (!islands_.is_part_open(p)) return;
    const System& system = *systems_[p];
    sizes_[p] = touching_.sides_of(p).empty() ? system.step_size() : std::max(system.step_size(), system.shift_size());
  });
  ++report.iterations;
  report.residual = 0;
  for (double size : sizes_) report.residual = std::isfinite(size) ? std::max(report.residual, size) : forever;
}

// islands whose steps are below the tolerance, where they touch `times` that: so small ones end the iteration. With
// caution a step may be small because what slides was held, which counts only if `with_caution`.
std::vector<char> NewtonSolver::small_steps(const Contact& contact, double times, bool with_caution) const {
  std::vector<double> sizes = sizes_;
  for (int p = 0; p < parts_.count(); ++p)
    if (!touching_.sides_of(p).empty())
      sizes[p] = touching_.is_cautious(p) && !with_caution ? forever : sizes[p] / times;
  std::vector<char> small;
  for (double size : islands_.largest(sizes))
    small.push_back(size <= options_.contact_tolerance && contact.reached() == 1);
  return small;
}

// of the directions, that are tried (island): no turn is too long, and where steps go back and forth it is half of one
std::vector<double> NewtonSolver::first_shares(const std::vector<char>& last) {
  std::vector<double> turns(parts_.count(), longest_turn);
  for_parts([&](int p, int) {
    if (islands_.is_part_open(p)) turns[p] = std::max(longest_turn, systems_[p]->turn_size());
  });
  std::vector<double> shares = islands_.largest(turns);
  for (double& share : shares) share = longest_turn / share;
  const std::vector<char> in_circles = islands_.in_circles();
  for (int i = 0; i < islands_.count(); ++i)
    if (in_circles[i] && !last[i]) shares[i] = std::min(shares[i], 0.5);
  return shares;
}

// every island along its direction until its energy falls, or not at all; the last step whatever becomes of its energy
void NewtonSolver::take_step(Contact& contact, const std::vector<char>& last, StepReport& report) {
  std::vector<double> most = energies_;
  for_parts([&](int p, int) {
    if (islands_.is_part_open(p))
      most[p] += 1e-9 * std::abs(energies_[p]) + round_off(parts_[p], problem_, at_, energies_[p]);
  });
  most = islands_.sum(most);
  touching_.add_energies(contact, problem_, parts_, islands_, at_, most);
  std::vector<double> shares = first_shares(last);  // (island)
  std::vector<char> rises;                          // (island)
  const auto all_fall = [&] {
    const std::vector<double> energy = trial_energies(shares, contact);
    rises.assign(islands_.count(), false);
    for (int i = 0; i < islands_.count(); ++i)
      rises[i] = islands_.is_open(i) && !last[i] && shares[i] > 0 && !(energy[i] <= most[i] + 1e-9 * std::abs(most[i]));
    return std::find(rises.begin(), rises.end(), true) == rises.end();
  };
  double share_of_solids = 1;
  if (contact.reached() < 1) {  // what is driven on may raise the energy by itself
    const std::vector<double> none(islands_.count(), 0);
    set_target(shares_of_parts(none));
    begin_leg(contact, share_of_solids, report);
    if (!report.failure.empty()) return;
    const std::vector<double> energy = trial_energies(none, contact);
    for (int i = 0; i < islands_.count(); ++i) most[i] = std::max(most[i], energy[i]);
  }
  for (int halvings = 0;; ++halvings) {
    set_target(shares_of_parts(shares));
    begin_leg(contact, share_of_solids, report);
    if (!report.failure.empty() || all_fall()) break;
    begin_leg_along(shares_of_parts(shares), rises, contact, share_of_solids, report);
    if (!report.failure.empty() || all_fall()) break;
    for (int i = 0; i < islands_.count(); ++i)
      if (rises[i]) shares[i] = halvings < most_halvings ? 0.5 * shares[i] : 0;
  }
  shares_ = shares_of_parts(shares);
  if (!report.failure.empty()) return;
  find_whole_ways();
  for_parts([&](int p, int) {
    if (!islands_.is_part_open(p)) return;
    if (shares_[p] > 0) systems_[p]->predict(prediction_);
    exact_[p] = shares_[p] > 0 ? std::min(1.0, 0.25 + 2 * exact_[p]) : 0;
    last_steps_[p] = {shares_[p], sizes_[p] <= options_.contact_tolerance && report.iterations <= patience};
  });
  std::swap(at_, trial_);
  trial_.body_x = at_.body_x, trial_.body_q = at_.body_q;
  contact.stop_at_walls(at_.x);
}

std::vector<double> NewtonSolver::shares_of_parts(const std::vector<double>& of_islands) const {
  std::vector<double> shares(parts_.count());
  for (int p = 0; p < parts_.count(); ++p) shares[p] = of_islands[islands_.of(p)];
  return shares;
}

// which parts went all of theirs, but for round-off
void NewtonSolver::find_whole_ways() {
  went_all_.assign(parts_.count(), false);
  for (int p = 0; p < parts_.count(); ++p) went_all_[p] = shares_[p] == 1;
  double farthest = 0;
  for (const Vec3d& x : target_.x) farthest = std::max(farthest, norm_squared(x));
  for (std::size_t i = 0; i < target_.x.size(); ++i)
    if (norm_squared(trial_.x[i] - target_.x[i]) > 1e-28 * farthest)
      went_all_[parts_.part_of_vertex(static_cast<int>(i))] = false;
}

// which of them are solved, with all that they touch, and which have no way on
void NewtonSolver::judge_parts(const Contact& contact, std::vector<char> solved) {
  const std::vector<int> touched = touching_.count_sides(contact, problem_, parts_);
  const auto meets_more = [&](int p) { return touched[p] > static_cast<int>(touching_.sides_of(p).size()); };
  for (int p = 0; p < parts_.count(); ++p)
    if (!went_all_[p] || meets_more(p)) solved[islands_.of(p)] = false;
  for (int p = 0; p < parts_.count(); ++p) {
    Islands::Progress& part = islands_.of_part(p);
    if (!islands_.is_part_open(p)) {
      part.done = part.failed || (went_all_[p] && !meets_more(p));  // else something pushed it
      continue;
    }
    part.stuck = shares_[p] == 0 ? part.stuck + 1 : 0;
    part.failed = part.stuck > 1 && contact.reached() == 1;
    part.done = part.failed || solved[islands_.of(p)];
  }
}

// shares of the parts' directions; what is held goes where it must
void NewtonSolver::set_target(const std::vector<double>& shares) {
  for_parts([&](int p, int) {
    if (islands_.is_part_open(p))
      systems_[p]->advance_straight(shares[p], at_, trial_);
    else
      copy(parts_[p], at_, trial_);
  });
  target_.x = trial_.x, target_.body_x = trial_.body_x, target_.body_q = trial_.body_q;
  for (const HeldAxis& axis : problem_.held) target_.x[axis.vertex][axis.k] = axis.z;
}

// Lays planes for shares of the directions. A part of some islands that would leave what they allow goes a smaller
// share of its way as a whole, so that it is not strained.
void NewtonSolver::begin_leg_along(std::vector<double> shares, const std::vector<char>& islands, Contact& contact,
                                   double& share_of_solids, StepReport& report) {
  for (int round = 0;; ++round) {
    set_target(shares);
    begin_leg(contact, share_of_solids, report);
    if (!report.failure.empty() || round == rounds_of_cutting) return;
    const std::vector<double> reached = reached_shares();
    bool all = true;
    for (int p = 0; p < parts_.count(); ++p)
      if (reached[p] < nearly_all && islands[islands_.of(p)]) shares[p] *= 0.9 * reached[p], all = false;
    if (all) return;
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
    part = std::min(part, length2 > 0 ? std::clamp(along / length2, least_reached, 0.999) : 0.999);
  }
  return reached;
}

// of the open islands
std::vector<double> NewtonSolver::trial_energies(const std::vector<double>& shares, const Contact& contact) {
  energies_.assign(parts_.count(), 0);
  for_parts([&](int p, int) {
    if (islands_.is_part_open(p))
      energies_[p] = energy(parts_[p], problem_, trial_) - shares[islands_.of(p)] * systems_[p]->moment_work();
  });
  std::vector<double> sums = islands_.sum(energies_);
  touching_.add_energies(contact, problem_, parts_, islands_, trial_, sums);
  return sums;
}

}  // namespace tendril::newton
