#include "solvers/direct/solver.h"

#include <algorithm>
#include <cmath>

#include "solvers/direct/residual.h"
#include "solvers/newton/retraction.h"

namespace tendril::direct {
namespace {

constexpr double longest_turn = 1;    // an iteration that turns more than this is cut [rad]
constexpr double least_share = 1e-7;  // of an iteration that is tried
constexpr double far_away = 0.3;      // a first step of this size asks whether to start from rest

// where rods touch
newton::Options newton_options(const Options& options) {
  newton::Options out;
  out.iterations = options.iterations;
  out.tolerance = out.contact_tolerance = options.contact_tolerance;
  out.takes_unsolved = options.is_position_based();
  return out;
}

}  // namespace

DirectSolver::DirectSolver(const Options& options, int threads)
    : NewtonSolver(newton_options(options), threads), options_(options) {
  problem_.has_quaternion_strain = options.quaternion_strain;
}

int DirectSolver::prepare_parts() {
  structures_.clear();
  for (int p = 0; p < parts_.count(); ++p) {
    structures_.push_back(make_structure(parts_[p], problem_, parts_));
    parts_.arrange(p, take_order(structures_.back(), parts_[p]));
  }
  std::size_t pieces = structures_.size();
  for (const Structure& structure : structures_) pieces = std::max(pieces, structure.branches.size());
  return static_cast<int>(pieces);
}

std::unique_ptr<newton::System> DirectSolver::make_system(bool solves_again) {
  return std::make_unique<System>(problem_, parts_, structures_, solves_again);
}

void DirectSolver::solve_parts(StepReport& report) {
  residuals_.assign(options_.residuals ? parts_.count() : 0, {});
  if (options_.is_position_based()) position_based_.begin_step(problem_, team_->size());
  outcomes_.assign(parts_.count(), {});
  std::vector<int> whole, divided;
  for (int p = 0; p < parts_.count(); ++p) (structures_[p].branches.size() > 1 ? divided : whole).push_back(p);
  for_all(static_cast<int>(whole.size()), [&](int n, int worker) { solve_part(whole[n], worker); });
  System& system = static_cast<System&>(*part_systems_[0]);
  system.use(team_.get());
  for (int p : divided) solve_part(p, 0);  // all workers on each
  system.use(nullptr);
  take_outcomes(report);
  for (const std::vector<double>& of_part : residuals_) {  // the largest of all parts
    report.residuals.resize(std::max(report.residuals.size(), of_part.size()), 0);
    for (std::size_t n = 0; n < of_part.size(); ++n) report.residuals[n] = std::max(report.residuals[n], of_part[n]);
  }
}

void DirectSolver::record(int p, double residual) {
  outcomes_[p].step = residual;
  outcomes_[p].converged = residual <= options_.tolerance;
  if (options_.residuals) residuals_[p].push_back(residual);
}

// Algorithm 1 [deul2018], lines 5 to 9, with the equation of motion kept in the linear equations: it converges to
// implicit Euler, not only to constraints that are met.
void DirectSolver::solve_part(int p, int worker) {
  if (options_.is_position_based()) return correct_positions(p, worker);
  const Part& part = parts_[p];
  place_by_guess(part, problem_, *start_, prediction_, at_);
  System& system = static_cast<System&>(*part_systems_[worker]);
  OnePart ends(part, problem_, system, at_, trial_, prediction_);
  Outcome& outcome = outcomes_[p];
  while (!outcome.converged && outcome.iterations < step_options_.iterations && !step_options_.stops()) {
    double energy = 0;
    if (!factorise(part, system, exact_[p], energy)) return;
    system.solve();  // Eq. 22
    if (!system.is_finite()) return;
    system.bend_way(at_);
    const double turn = system.largest_turn();
    if (++outcome.iterations == 1 && system.step_bound() > far_away) {
      const double size = system.step_size(turn);
      if (size > far_away && newton::energy(part, problem_, trial_) < energy) {
        copy(part, trial_, at_);
        record(p, size);
        continue;
      }
    }
    const double work = system.moment_work();
    double share = std::min(1.0, longest_turn / turn);
    Look found;
    for (; share >= least_share; share *= 0.5) {
      system.advance(share, at_, trial_);  // x <- x + dx
      found = look(part, problem_, {system, at_, share, trial_}, prediction_);
      if (found.energy - share * work <= energy + newton::round_off(part, found.farthest, energy)) break;
    }
    const bool moved = share >= least_share;
    record(p, share == 1 ? found.residual : system.step_size(turn));
    if (moved) take_trial(part);
    if (!moved && exact_[p] == 0) return;
    exact_[p] = moved ? std::min(1.0, 0.1 + 1.4 * exact_[p]) : 0;
  }
  if (outcome.converged) ends.keep_momentum(true);
}

// where a part went is where it is; of a part that is all of the Model, nothing needs to be copied
void DirectSolver::take_trial(const Part& part) {
  if (parts_.count() == 1)
    std::swap(at_, trial_);
  else
    copy(part, trial_, at_);
}

// the same as published
void DirectSolver::correct_positions(int p, int worker) {
  const Part& part = parts_[p];
  const bool one_by_one = options_.gauss_seidel && part.slaved_vertices.empty();
  Outcome& outcome = outcomes_[p];
  position_based_.start(part, at_);
  while (!outcome.converged && outcome.iterations < options_.iterations && !step_options_.stops()) {
    ++outcome.iterations;
    const double residual =
        one_by_one ? position_based_.sweep(part, at_) : position_based_.iterate(part, worker, at_, trial_);
    record(p, residual);
    if (!std::isfinite(residual)) return;
  }
}

// less of the second derivatives that may be indefinite until the matrix is definite
bool DirectSolver::factorise(const Part& part, System& system, double& exact, double& energy) {
  for (;;) {
    system.begin(part);
    const System::Pass pass = system.factorise(at_, prediction_, exact);
    energy = pass.energy;
    if (pass.is_definite || !(exact > 0)) return pass.is_definite;
    exact = exact > 0.05 ? 0.6 * exact : 0;
  }
}

}  // namespace tendril::direct
